"""Tokenizers and embedders, handed to others as callables."""
