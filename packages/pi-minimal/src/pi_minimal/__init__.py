"""A selection of plugins, all of it in this distribution's list of dependencies: an agent that changes nothing."""
