"""The agent: a loop between a model and its tools, and the session that keeps what they said."""
