"""Plans that look for text and for names."""

from collections.abc import Mapping

from pi_provider_offline import outputs
from pi_provider_offline.phrasing import bullets, counted, directory, fenced, place
from pi_provider_offline.work import Plan, Result, Step, Toolbox, one


def search(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """The lines that hold a text."""
    text, path = slots["text"], directory(slots.get("dir"))
    result = yield from one(toolbox.grep(text, path))
    found = outputs.matches(result.text)
    if not found:
        return nothing_found(text, path, result)
    rows = [f"`{match.path}:{match.line}` {match.text.strip()}" for match in found]
    least = "at least " if outputs.cut(result.text) else ""
    files = counted(len({match.path for match in found}), "file")
    return f"I found “{text}” on {least}{counted(len(found), 'line')} of {files} in {place(path)}:\n\n{bullets(rows)}"


def files_mentioning(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """The files that hold a text."""
    text, path = slots["text"], directory(slots.get("dir"))
    result = yield from one(toolbox.grep(text, path))
    found = outputs.matches(result.text)
    if not found:
        return nothing_found(text, path, result)
    lines: dict[str, list[int]] = {}
    for match in found:
        lines.setdefault(match.path, []).append(match.line)
    rows = [f"`{name}` ({counted(len(numbers), 'line')})" for name, numbers in lines.items()]
    least = "At least " if outputs.cut(result.text) else ""
    verb = "mentions" if len(rows) == 1 else "mention"
    return f"{least}{counted(len(rows), 'file')} in {place(path)} {verb} “{text}”:\n\n{bullets(rows)}"


def nothing_found(text: str, path: str, result: Result) -> str:
    """Nothing found, or the search itself failed."""
    if outputs.search_failed(result):
        return f"Searching {place(path)} failed:\n\n{fenced(result.text)}"
    return f"“{text}” does not occur in {place(path)}."


def find_by_name(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """The files of a name or glob."""
    glob, path = slots["glob"].removeprefix("./"), directory(slots.get("dir"))
    result = yield from one(toolbox.find(glob, path))
    if result.failed:
        return f"Looking for files in {place(path)} failed:\n\n{fenced(result.text)}"
    files = outputs.entries(result.text)
    if not files:
        return f"There is no file `{glob}` in {place(path)}."
    least = "At least " if outputs.cut(result.text) else ""
    verb = "is" if len(files) == 1 else "are"
    return f"{least}{counted(len(files), 'file')} in {place(path)} {verb} named `{glob}`:\n\n{bullets(files)}"


def find_thing(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """A word that may be a file's name or a text inside files: both are looked for at once, and the answer says so."""
    text, path = slots["text"], directory(slots.get("dir"))
    calls = (toolbox.find(f"*{text}*", path), toolbox.grep(text, path))
    named, inside = yield Step(calls, f"“{text}” may be a name or a text; I look for both.")
    files = [] if named.failed else outputs.entries(named.text)
    found = outputs.matches(inside.text)
    parts = [f"Files with “{text}” in their name:\n\n{bullets(files)}"] if files else []
    if found:
        rows = [f"`{match.path}:{match.line}` {match.text.strip()}" for match in found]
        parts.append(f"Lines with “{text}”:\n\n{bullets(rows)}")
    if outputs.search_failed(inside):
        parts.append(f"Searching {place(path)} failed:\n\n{fenced(inside.text)}")
    return "\n\n".join(parts) or f"No file in {place(path)} has “{text}” in its name or its text."
