"""Telling the model why an edit found no place, or too many, with the lines that help it to correct the call."""

from collections import Counter
from collections.abc import Sequence, Set
from hashlib import sha256

from pi_api.truncate import split_lines, truncate_line

from pi_tool_edit.source import Source

_LINES = 10
_CHARS = 1000
_COMPARED = 5000
"""Distinct lines that are compared for similarity when none is equal."""
_RATED_CHARS = 400
_SIMILAR = 0.4


def not_found(source: Source, old: str, number: int, shown: str) -> str:
    """Why `old` matches nothing, with at most 10 numbered lines around the likeliest place."""
    digest = sha256(source.original.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    text = f"oldText of edit {number} was not found in {shown} (content {digest}); nothing was changed."
    lines = split_lines(source.lf)
    wanted = old.strip("\n").split("\n")
    anchor = best_anchor(lines, wanted)
    if anchor is None:
        return f"{text} Nothing in the file resembles it; read the file before you edit it."
    same = [line.strip() for line in lines[anchor : anchor + len(wanted)]] == [line.strip() for line in wanted]
    hint = "It differs in indentation or blanks only." if same else "The closest place is this; copy from it exactly:"
    return f"{text} {hint}\n{numbered(lines, anchor - 2, _LINES)}"


def ambiguous(source: Source, spans: Sequence[tuple[int, int]], number: int, shown: str) -> str:
    """Where `old` stands, when that is more than one place."""
    places = [str(source.line_of(start)) for start, _ in spans[:5]]
    more = f" and {len(spans) - 5} more" if len(spans) > 5 else ""
    return (
        f"oldText of edit {number} occurs {len(spans)} times in {shown} (lines {', '.join(places)}{more}); "
        "add neighbouring lines until it is unique, nothing was changed"
    )


def best_anchor(lines: Sequence[str], wanted: Sequence[str]) -> int | None:
    """The index of the line where `wanted` most likely begins: by equal lines, else by the most similar one."""
    places: dict[str, list[int]] = {}
    for index, line in enumerate(lines):
        places.setdefault(line.strip(), []).append(index)
    votes: Counter[int] = Counter()
    for offset, line in enumerate(wanted):
        stripped = line.strip()
        for index in places.get(stripped, ())[:50] if stripped else ():
            votes[max(index - offset, 0)] += len(stripped)
    if votes:
        return min(votes, key=lambda index: (-votes[index], index))
    longest = max(range(len(wanted)), key=lambda offset: len(wanted[offset].strip()))
    if not wanted[longest].strip():
        return None
    grams = _trigrams(wanted[longest].strip())
    rated = ((similarity(grams, _trigrams(line)), -indexes[0]) for line, indexes in list(places.items())[:_COMPARED])
    best, index = max(rated, default=(0.0, 0))
    return max(-index - longest, 0) if best >= _SIMILAR else None


def similarity(one: Set[str], other: Set[str]) -> float:
    """How much two sets share: 1 when they are equal, 0 when nothing is common (Dice)."""
    return 2 * len(one & other) / max(len(one) + len(other), 1)


def _trigrams(line: str) -> Set[str]:
    text = f"  {line[:_RATED_CHARS]} "
    return {text[at : at + 3] for at in range(len(text) - 2)}


def numbered(lines: Sequence[str], first: int, count: int) -> str:
    """Lines with their numbers, within 1000 characters in all."""
    start = max(first, 0)
    shown: list[str] = []
    used = 0
    for number, line in enumerate(lines[start : start + count], start + 1):
        text = f"{number}: {truncate_line(line, 200)}"
        used += len(text) + 1
        if used > _CHARS:
            break
        shown.append(text)
    return "\n".join(shown)
