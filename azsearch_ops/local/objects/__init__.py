"""The named objects of the service (indexes, aliases, indexers …): full form, what is refused, what may change."""
