"""What is on a service, turned into definitions and adopted."""
