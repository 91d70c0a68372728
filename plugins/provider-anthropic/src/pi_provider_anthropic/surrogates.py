"""Lone surrogates: halves of characters that JSON can carry and UTF-8 cannot. They are replaced by U+FFFD."""

from typing import Any


def whole_text(text: str) -> str:
    """The text with halves that belong together joined and others replaced."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def whole(value: Any) -> Any:
    """A JSON value with all its texts made whole, keys included."""
    if isinstance(value, str):
        return whole_text(value)
    if isinstance(value, list):
        return [whole(item) for item in value]
    if isinstance(value, dict):
        return {whole_text(key): whole(item) for key, item in value.items()}
    return value
