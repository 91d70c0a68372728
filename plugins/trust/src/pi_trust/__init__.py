"""Trust in projects: what needs it, what was decided, and the ways to decide."""
