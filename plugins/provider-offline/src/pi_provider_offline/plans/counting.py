"""Plans that answer with a number."""

from collections.abc import Mapping

from pi_provider_offline import outputs
from pi_provider_offline.phrasing import bullets, counted, directory, fenced, place, sentence
from pi_provider_offline.plans.contents import READ_AT_ONCE, found_files, globs_of, lines_in, whole_text
from pi_provider_offline.work import CannotError, Plan, Step, Toolbox, one, shell


def count_files(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """Count the files, or those of a kind, below a directory."""
    path = directory(slots.get("dir"))
    kind = slots.get("kind", "")
    globs, note = globs_of(kind) if kind else (("*",), "")
    files, cut = yield from found_files(toolbox, globs, path)
    fits = "fits" if len(files) == 1 else "fit"
    called = f" that {fits} {' or '.join(f'`{glob}`' for glob in globs)}" if kind else ""
    return f"There {amount(len(files), cut, 'file')}{called} in {place(path)}.{note}"


def amount(number: int, cut: bool, one: str, many: str = "") -> str:
    """`is 1 file`, `are at least 12 files`."""
    return f"{'is' if number == 1 else 'are'} {'at least ' if cut else ''}{counted(number, one, many)}"


def count_directories(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """Count and name the directories directly in a directory."""
    path = directory(slots.get("dir"))
    result = yield from one(toolbox.ls(path))
    if result.failed:
        return f"I cannot list {place(path)}:\n\n{fenced(result.text)}"
    names = [name for name in outputs.entries(result.text) if name.endswith("/")]
    number = amount(len(names), outputs.cut(result.text), "directory", "directories")
    head = f"There {number} directly in {place(path)}"
    return f"{head}:\n\n{bullets(names)}" if names else head + "."


def count_lines(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """Read a file to its end and count its lines; without `read` let the shell count."""
    path = slots["path"]
    if not toolbox.has("read"):
        counting = yield from one(toolbox.first("count lines", shell("wc", "-l", "--", path)))
        if counting.failed or not counting.text.split():
            return f"I cannot count the lines of `{path}`:\n\n{fenced(counting.text)}"
        return f"`{path}` has {counted(int(counting.text.split()[0]), 'line')}."
    text, complete = yield from whole_text(toolbox, path)
    return f"`{path}` has {'' if complete else 'at least '}{counted(lines_in(text), 'line')}."


def count_words(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """Read a file to its end and count its words."""
    path = slots["path"]
    text, complete = yield from whole_text(toolbox, path)
    return f"`{path}` has {'' if complete else 'at least '}{counted(len(text.split()), 'word')}."


def count_code(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """Find the files of a kind, read them all at once and add up their lines."""
    path = directory(slots.get("dir"))
    globs, note = globs_of(slots["kind"])
    files, cut = yield from found_files(toolbox, globs, path)
    if not files:
        return f"No file in {place(path)} fits {' or '.join(f'`{glob}`' for glob in globs)}.{note}"
    if len(files) > READ_AT_ONCE:
        raise CannotError(
            f"{counted(len(files), 'file')} are more than I read at once ({READ_AT_ONCE}); name a directory."
        )
    results = yield Step(tuple(toolbox.read(file) for file in files))
    read = [result.text for result in results if not result.failed]
    total = sum(lines_in(outputs.body(text)) for text in read)
    least = "at least " if cut or len(read) < len(files) or any(map(outputs.cut, read)) else ""
    return sentence(f"{least}{counted(total, 'line')} in {counted(len(read), 'file')} of {place(path)}.{note}")


def count_matches(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """Count the lines that hold a text."""
    text, path = slots["text"], directory(slots.get("path") or slots.get("dir"))
    result = yield from one(toolbox.grep(text, path))
    if outputs.search_failed(result):
        return f"Searching {place(path)} failed:\n\n{fenced(result.text)}"
    found = outputs.matches(result.text)
    if not found:
        return f"“{text}” does not occur in {place(path)}."
    least = "at least " if outputs.cut(result.text) else ""
    files = len({match.path for match in found})
    stands = f"“{text}” stands on {least}{counted(len(found), 'line')}"
    return f"{stands} of {counted(files, 'file')} in {place(path)}."


def measure_size(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """The space a path takes on disk; without a shell, the length of a file's text."""
    path = directory(slots.get("path"))
    if toolbox.has("bash"):
        result = yield from one(shell("du", "-sh", "--", path))
        if not result.failed and result.text.split():
            return sentence(f"{place(path)} takes {result.text.split()[0]} on disk.")
    text, complete = yield from whole_text(toolbox, path)
    size = counted(len(text.encode("utf-8", "replace")), "byte")
    about = "about" if complete else "at least"
    return f"`{path}` holds {about} {size} of text in {counted(lines_in(text), 'line')}."
