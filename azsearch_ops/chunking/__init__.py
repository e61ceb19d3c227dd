"""Text to spans: Text Split as the service does it."""
