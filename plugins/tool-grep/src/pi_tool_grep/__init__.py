"""Search the contents of files: the tool `grep`."""
