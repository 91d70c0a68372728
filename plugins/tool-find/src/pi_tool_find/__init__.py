"""Find files by a glob: the tool `find`."""
