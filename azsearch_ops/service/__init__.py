"""The only importer of the Azure SDK: bodies in, bodies out, failures as our errors."""
