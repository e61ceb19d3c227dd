"""Documents of an index: values by type, the four actions of a batch, and what a lookup returns."""
