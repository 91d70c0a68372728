"""Reading what tools print: lists, matches, notices. Nothing here depends on one tool's exact layout."""

import re
from dataclasses import dataclass

from pi_provider_offline.understanding import words
from pi_provider_offline.work import Result

_NOTICES = re.compile(r"(?:\A|\n\n)((?:\[[A-Z0-9][^\n]*\.\]\n?)+)\Z")
_MATCH = re.compile(r"(?P<path>(?:[A-Za-z]:[\\/])?[^:\n]+):(?P<line>\d+):\s?(?P<text>.*)")
_GROUPED = re.compile(r"\s*(?P<line>\d+)\s*[:|]\s?(?P<text>.*)")
_OFFSET = re.compile(r"\boffset\s*=\s*(\d+)")


@dataclass(frozen=True, slots=True)
class Match:
    """A line of a file that fits a search."""

    path: str
    line: int
    text: str


def body(text: str) -> str:
    """The text without the bracketed notices a tool adds, behind an empty line, about what it left out or changed."""
    return _NOTICES.sub("", text)


def notices(text: str) -> list[str]:
    """Those notices."""
    found = _NOTICES.search(text)
    return found[1].splitlines() if found else []


def cut(text: str) -> bool:
    """The tool says that there is more than it shows."""
    said = words()["said"]
    return any(re.search(said["left_out"], one, re.I) and not re.search(said["clipped"], one) for one in notices(text))


def incomplete(text: str) -> bool:
    """The tool shows less than the whole of what it was asked for, and reading on does not bring the rest."""
    return any(re.search(words()["said"]["incomplete"], one) for one in notices(text))


def entries(text: str) -> list[str]:
    """The lines of a listing, as relative paths with forward slashes."""
    lines = [line.strip().replace("\\", "/").removeprefix("./") for line in body(text).splitlines()]
    return [line for line in lines if line and not is_nothing(line)]


def matches(text: str) -> list[Match]:
    """The matches of a search, whether every line names its file or the lines stand below it."""
    found: list[Match] = []
    heading = ""
    for line in body(text).splitlines():
        flat, below = _MATCH.fullmatch(line), _GROUPED.fullmatch(line)
        if heading and below:
            found.append(Match(heading, int(below["line"]), below["text"]))
        elif flat:
            heading = ""
            found.append(Match(flat["path"].replace("\\", "/").removeprefix("./"), int(flat["line"]), flat["text"]))
        elif line.strip() and not is_nothing(line):
            heading = line.strip().removesuffix(":").replace("\\", "/").removeprefix("./")
    return found


def is_nothing(line: str) -> bool:
    """The tool said that there was nothing."""
    return re.fullmatch(words()["said"]["nothing"], line.strip(), re.IGNORECASE) is not None


def search_failed(result: Result) -> bool:
    """A search that could not be made; one that found nothing is none, though some shells report it as a failure."""
    text = result.text.strip()
    quiet = not text or is_nothing(text.splitlines()[0]) or re.fullmatch(words()["said"]["exit_one"], text) is not None
    return result.failed and not quiet


def next_offset(text: str) -> int | None:
    """Where to read on, when the notice says that there is more."""
    found = _OFFSET.search("\n".join(notices(text)))
    return int(found[1]) if found else None


def command_is_missing(text: str) -> bool:
    """A command failed because the program is not there."""
    return re.search(words()["said"]["missing_command"], text, re.IGNORECASE) is not None
