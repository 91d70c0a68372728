"""Replace exact pieces of text in a file: the tool `edit`."""
