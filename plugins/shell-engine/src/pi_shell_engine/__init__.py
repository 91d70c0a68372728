"""The shell tier that runs the contract itself: one warm Python process per session."""
