"""Text from files, as it may stand in a prompt."""

import re
from dataclasses import dataclass
from pathlib import Path

_HIDDEN = re.compile(
    "[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    "\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
    "|[\x00-\x08\x0b-\x1f\x7f-\x9f]"
)
# Joiners belong to the spelling of some scripts and to emoji, so between two such characters one of them stays.
_JOINER = re.compile(
    "(?<![^\x00-\x7f\u200c\u200d])[\u200c\u200d]+|[\u200c\u200d]+(?![^\x00-\x7f\u200c\u200d])|[\u200c\u200d]{2,}"
)


@dataclass(frozen=True, slots=True)
class Content:
    """The text of a file. `problem` says what was left out of it, or why there is none."""

    text: str = ""
    problem: str = ""


def visible(text: str) -> str:
    """The text without characters that nobody sees: invisible ones, those that turn the reading direction, controls.

    They can hide instructions from the person who looks at a file. Line ends become LF.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _JOINER.sub("", _HIDDEN.sub("", text))


def read(path: Path, limit: int) -> Content:
    """A file's visible text, cut after a whole line where it is longer than `limit` bytes."""
    try:
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except OSError as error:
        return Content(problem=f"{path} cannot be read ({error.strerror or error}), so it is left out")
    cut = len(data) > limit
    if cut:
        data = data[: data.rfind(b"\n", 0, limit) + 1 or limit]
    text = visible(data.decode("utf-8", "replace")).strip()
    if not cut:
        return Content(text)
    text = text.rstrip("\ufffd")
    marker = f"[cut here: only the first {len(data)} bytes are shown; read {path.as_posix()} for the rest]"
    return Content(
        f"{text}\n{marker}", f"{path} is longer than {limit} bytes; the rest is left out of the system prompt"
    )
