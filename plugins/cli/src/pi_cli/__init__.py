"""The command line of pi."""
