"""The indexer of the local service: blobs → enriched documents → index actions."""
