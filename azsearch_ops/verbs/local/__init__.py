"""The local service as a process, and its models."""
