"""Read a file or an image: the tool `read`."""
