"""Search configuration as code for Azure AI Search."""
