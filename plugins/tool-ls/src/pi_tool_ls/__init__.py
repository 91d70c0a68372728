"""List a directory: the tool `ls`."""
