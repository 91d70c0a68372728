"""The system prompt: what it is made of, and in which order."""
