"""Definitions to REST bodies and search requests; normal form; digests."""
