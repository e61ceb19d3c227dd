"""Text to terms, as the analyzers of the service do it."""
