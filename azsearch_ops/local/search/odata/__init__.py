"""OData expressions of the service: filters and orders."""
