"""What runs inside the engine's own process; it imports the standard library, the parser and its siblings only."""
