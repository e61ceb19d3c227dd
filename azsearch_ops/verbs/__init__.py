"""One function per command; joins the core with the service."""
