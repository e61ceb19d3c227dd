"""What the service does for each route; a handler takes a call and the service, and returns a reply."""
