"""A selection of plugins, all of it in this distribution's list of dependencies: the bash tool for Windows."""
