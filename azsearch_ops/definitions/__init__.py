"""Files to typed values with positions; environments; Jinja."""
