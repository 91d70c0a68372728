"""Random programs for the executor, and two ways to use them; no part of the engine's process."""
