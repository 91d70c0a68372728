"""Plans that change files. They change only what was named, and say what they did."""

from collections.abc import Mapping

from pi_provider_offline.phrasing import counted, fenced
from pi_provider_offline.plans.contents import whole_text
from pi_provider_offline.work import CannotError, Plan, Toolbox, one, shell


def create_file(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """Write a new file; a file that is there is the `write` tool's to refuse."""
    path, content = slots["path"], with_newline(slots.get("text", ""))
    result = yield from one(toolbox.write(path, content))
    if result.failed:
        advice = f"Nothing was changed. To replace a file that is there, say: overwrite {path} with …"
        return f"I could not create `{path}`:\n\n{fenced(result.text)}\n\n{advice}"
    return f"I created `{path}` with {counted(len(content.splitlines()), 'line')}."


def overwrite_file(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """Read what is there, as the `write` tool demands, then replace it."""
    path, content = slots["path"], with_newline(slots["text"])
    before = yield from one(toolbox.read(path))
    result = yield from one(toolbox.write(path, content))
    if result.failed:
        return f"I could not write `{path}`:\n\n{fenced(result.text)}"
    did = "created" if before.failed else "overwrote"
    return f"I {did} `{path}`; it now has {counted(len(content.splitlines()), 'line')}."


def append_line(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """Read a file and write it back with a text at its end."""
    path = slots["path"]
    text, complete = yield from whole_text(toolbox, path)
    if not complete:
        raise CannotError(f"`{path}` is too long for me to add to it safely.")
    content = (f"{text}\n" if text else "") + with_newline(slots["text"])
    result = yield from one(toolbox.write(path, content))
    if result.failed:
        return f"I could not write `{path}`:\n\n{fenced(result.text)}"
    return f"I added {counted(len(slots['text'].splitlines()), 'line')} at the end of `{path}`."


def replace_text(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """Replace every occurrence of a text in one file with a single edit."""
    path, old, new = slots["path"], slots["old"], slots["new"]
    text, complete = yield from whole_text(toolbox, path)
    if not complete:
        raise CannotError(f"`{path}` has lines too long for me to read whole; I change nothing that I have not read.")
    times = text.count(old)
    if not times:
        return f"“{old}” does not occur in `{path}`; nothing was changed."
    passage = text[slice(*spanned(text, old))]
    result = yield from one(toolbox.edit(path, passage, passage.replace(old, new)))
    if result.failed:
        return f"I could not change `{path}`:\n\n{fenced(result.text)}"
    return f"I replaced “{old}” with “{new}” in `{path}`, {counted(times, 'time')}."


def spanned(text: str, old: str) -> tuple[int, int]:
    """The shortest run of whole lines that holds every occurrence, and so occurs only once itself."""
    first, last = text.index(old), text.rindex(old) + len(old)
    start = text.rfind("\n", 0, first) + 1
    end = text.find("\n", last)
    return start, len(text) if end < 0 else end


def make_directory(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """Make a directory and those above it."""
    path = slots["path"]
    call = toolbox.first("make a directory", shell("mkdir", "-p", "--", path))
    result = yield from one(call)
    if result.failed:
        return f"I could not make the directory `{path}`:\n\n{fenced(result.text)}"
    return f"The directory `{path}` is there."


def with_newline(text: str) -> str:
    """The text as a file holds it."""
    return text if text.endswith("\n") or not text else text + "\n"
