"""What several plans do on their way: find the files of a kind, read a whole file."""

from collections.abc import Generator

from pi_provider_offline import outputs
from pi_provider_offline.phrasing import fenced, place
from pi_provider_offline.understanding import words
from pi_provider_offline.work import CannotError, Result, Step, Toolbox, one

READ_TURNS = 60
"""How often one file is read on before a count is given up as "at least"."""
READ_AT_ONCE = 200
"""How many files are read together."""

Globs = tuple[str, ...]


def globs_of(kind: str) -> tuple[Globs, str]:
    """The globs of a kind of files, and a note when the kind had to be guessed from its name."""
    name = kind.strip().lower().removesuffix(" source").removesuffix(" code").removesuffix(" script")
    known = words()["kinds"].get(name) or words()["kinds"].get(name.removesuffix("s"))
    if known:
        return tuple(known), ""
    if "*" in kind:
        return (kind,), ""
    if " " in name:
        raise CannotError(f"I do not know which files “{kind}” are. Say it as a pattern, like `*.py`.")
    ending = name.lstrip(".")
    return (f"*.{ending}",), f" (I took “{kind}” for the ending `.{ending}`.)"


def found_files(
    toolbox: Toolbox, globs: Globs, path: str
) -> Generator[Step, tuple[Result, ...], tuple[list[str], bool]]:
    """All files that fit, without repetition, and whether the tool left some out."""
    results = yield Step(tuple(toolbox.find(glob, path) for glob in globs))
    for result in results:
        if result.failed:
            raise CannotError(f"Looking for files in {place(path)} failed:\n\n{fenced(result.text)}")
    files = dict.fromkeys(name for result in results for name in outputs.entries(result.text))
    return [name for name in files if not name.endswith("/")], any(outputs.cut(result.text) for result in results)


def whole_text(toolbox: Toolbox, path: str) -> Generator[Step, tuple[Result, ...], tuple[str, bool]]:
    """A file's text, read on as long as the tool says that there is more; false when some of it is missing."""
    pieces: list[str] = []
    offset: int | None = None
    complete = True
    for _ in range(READ_TURNS):
        result = yield from one(toolbox.read(path, offset))
        if result.failed:
            raise CannotError(f"I cannot read `{path}`:\n\n{fenced(result.text)}")
        pieces.append(outputs.body(result.text))
        complete = complete and not outputs.incomplete(result.text)
        following = outputs.next_offset(result.text)
        if following is None or following <= (offset or 1):
            return "\n".join(pieces), complete
        offset = following
    return "\n".join(pieces), False


def lines_in(text: str) -> int:
    """The lines of a text as `read` gives it: without the end of its last line."""
    return text.count("\n") + 1 if text else 0
