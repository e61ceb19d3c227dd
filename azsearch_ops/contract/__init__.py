"""What Azure AI Search accepts, as data, each row with its source."""
