"""What a word stands for when nothing in it has to be expanded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pi_shell.nodes import DoubleQuoted, Quoted, Raw

if TYPE_CHECKING:
    from pi_shell.nodes import Word


def constant(word: Word) -> str | None:
    """The text of `word` after quote removal, or `None` when it has an expansion, a tilde or a glob pattern."""
    if has_glob(word):
        return None
    parts: list[str] = []
    for segment in word.segments:
        if isinstance(segment, Raw | Quoted):
            parts.append(segment.text)
        elif isinstance(segment, DoubleQuoted):
            for inner in segment.segments:
                if not isinstance(inner, Quoted):
                    return None
                parts.append(inner.text)
        else:
            return None
    return "".join(parts)


def has_glob(word: Word) -> bool:
    """Whether unquoted `*`, `?` or `[…]` in `word` make it a pattern; a lone `[` does not."""
    bracket = False
    for segment in word.segments:
        if isinstance(segment, Raw):
            text = segment.text
            if "*" in text or "?" in text or "]" in (text if bracket else text.partition("[")[2]):
                return True
            bracket = bracket or "[" in text
    return False
