"""Anthropic's models for pi: the Messages API over httpx, streamed."""

__version__ = "0.1.0"
