"""The offline model: deterministic answers, real tool calls, no key and no network."""

__version__ = "0.1.0"
