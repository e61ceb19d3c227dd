"""The local service: a loopback server that speaks the Azure AI Search REST API."""
