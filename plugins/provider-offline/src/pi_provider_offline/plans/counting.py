"""Plans that answer with a number."""

from collections.abc import Generator, Mapping

from pi_provider_offline import outputs
from pi_provider_offline.phrasing import bullets, counted, directory, fenced, place
from pi_provider_offline.understanding import words
from pi_provider_offline.work import CannotError, Plan, Result, Step, Toolbox, one, shell

READ_TURNS = 60
"""How often one file is read on before the count is given up as "at least"."""


def globs_of(kind: str) -> tuple[tuple[str, ...], str]:
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


def found_files(toolbox: Toolbox, globs: tuple[str, ...], path: str) -> Generator[
    Step, tuple[Result, ...], tuple[list[str], bool]
]:  # fmt: skip
    """All files that fit, without repetition, and whether the tool left some out."""
    results = yield Step(tuple(toolbox.find(glob, path) for glob in globs))
    for result in results:
        if result.failed:
            raise CannotError(f"Looking for files in {place(path)} failed:\n\n{fenced(result.text)}")
    files = dict.fromkeys(name for result in results for name in outputs.entries(result.text))
    return [name for name in files if not name.endswith("/")], any(outputs.notice(r.text) for r in results)


def count_files(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """Count the files, or those of a kind, below a directory."""
    path = directory(slots.get("dir"))
    kind = slots.get("kind", "")
    globs, note = globs_of(kind) if kind else (("*",), "")
    files, cut = yield from found_files(toolbox, globs, path)
    called = f" that fit {' or '.join(f'`{glob}`' for glob in globs)}" if kind else ""
    least = "at least " if cut else ""
    verb = "is" if len(files) == 1 else "are"
    return f"There {verb} {least}{counted(len(files), 'file')}{called} in {place(path)}.{note}"


def count_directories(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """Count and name the directories directly in a directory."""
    path = directory(slots.get("dir"))
    result = yield from one(toolbox.ls(path))
    if result.failed:
        return f"I cannot list {place(path)}:\n\n{fenced(result.text)}"
    names = [name for name in outputs.entries(result.text) if name.endswith("/")]
    verb = "is" if len(names) == 1 else "are"
    head = f"There {verb} {counted(len(names), 'directory', 'directories')} directly in {place(path)}"
    return f"{head}:\n\n{bullets(names)}" if names else head + "."


def whole_text(toolbox: Toolbox, path: str) -> Generator[Step, tuple[Result, ...], tuple[str, bool]]:
    """A file's text, read on as long as the tool says that there is more; false when the end was not reached."""
    pieces: list[str] = []
    offset: int | None = None
    for _ in range(READ_TURNS):
        result = yield from one(toolbox.read(path, offset))
        if result.failed:
            raise CannotError(f"I cannot read `{path}`:\n\n{fenced(result.text)}")
        following = outputs.next_offset(result.text)
        if following is None or following <= (offset or 1):
            return "\n".join([*pieces, result.text]), True
        pieces.append(outputs.body(result.text))
        offset = following
    return "\n".join(pieces), False


def count_lines(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """Read a file to its end and count its lines."""
    path = slots["path"].removeprefix("@")
    text, complete = yield from whole_text(toolbox, path)
    least = "" if complete else "at least "
    return f"`{path}` has {least}{counted(len(text.splitlines()), 'line')}."


def count_words(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """Read a file to its end and count its words."""
    path = slots["path"].removeprefix("@")
    text, complete = yield from whole_text(toolbox, path)
    least = "" if complete else "at least "
    return f"`{path}` has {least}{counted(len(text.split()), 'word')}."


def count_matches(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """Count the lines that hold a text."""
    text, path = slots["text"], directory(slots.get("path") or slots.get("dir"))
    result = yield from one(toolbox.grep(text, path))
    found = outputs.matches(result.text)
    if result.failed and not outputs.is_nothing(result.text) and result.text.strip():
        return f"Searching {place(path)} failed:\n\n{fenced(result.text)}"
    least = "at least " if outputs.notice(result.text) else ""
    files = len({match.path for match in found})
    return f"“{text}” stands on {least}{counted(len(found), 'line')} of {counted(files, 'file')} in {place(path)}."


def measure_size(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """The space a path takes on disk; without a shell, the length of a file's text."""
    path = directory(slots.get("path"))
    if toolbox.has("bash"):
        result = yield from one(shell("du", "-sh", path))
        if not result.failed and result.text.split():
            return f"{place(path)} takes {result.text.split()[0]} on disk.".replace("this", "This", 1)
    text, complete = yield from whole_text(toolbox, path)
    least = "" if complete else "at least "
    size = counted(len(text.encode()), "byte")
    return f"`{path}` holds {least}{size} of text in {counted(len(text.splitlines()), 'line')}."
