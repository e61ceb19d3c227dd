"""Any existing index, or two, measured without a project."""
