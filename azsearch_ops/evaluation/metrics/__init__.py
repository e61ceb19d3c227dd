"""Retrieval metrics, one a file; `registry` finds them by name."""
