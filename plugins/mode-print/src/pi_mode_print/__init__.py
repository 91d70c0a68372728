"""The print and JSON modes of pi."""
