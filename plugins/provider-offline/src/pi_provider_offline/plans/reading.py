"""Plans that show the text of a file."""

from collections.abc import Generator, Mapping

from pi_provider_offline import outputs
from pi_provider_offline.phrasing import bullets, fenced, number
from pi_provider_offline.plans.contents import whole_text
from pi_provider_offline.work import Plan, Result, Step, Toolbox, one

LINES = 10
"""How many lines `the first lines` are."""

Reading = Generator[Step, tuple[Result, ...], tuple[str, str, str]]


def opened(toolbox: Toolbox, path: str, offset: int | None = None, limit: int | None = None) -> Reading:
    """The result text, the path it came from, and a note when another file than the named one was read.

    A name that is not there is looked for below the directory, and taken when exactly one file has it. The path is
    empty when nothing could be read; then the text is the answer.
    """
    result = yield from one(toolbox.read(path, offset, limit))
    if not result.failed:
        return result.text, path, ""
    failure = f"I cannot read `{path}`:\n\n{fenced(result.text)}"
    if not (toolbox.has("find") or toolbox.has("bash")):
        return failure, "", ""
    name = path.replace("\\", "/").rpartition("/")[2]
    looked = yield from one(toolbox.find(name if "." in name else f"{name}*"))
    others = [] if looked.failed else outputs.entries(looked.text)
    others = [one for one in others if one != path and not one.endswith("/")]
    if len(others) == 1:
        second = yield from one(toolbox.read(others[0], offset, limit))
        if not second.failed:
            return (
                second.text,
                others[0],
                f"There is no `{path}` here; the only file of that name is `{others[0]}`.\n\n",
            )
    if others:
        return f"{failure}\n\nFiles of that name:\n\n{bullets(others)}\n\nSay which one to read.", "", ""
    return failure, "", ""


def shown(text: str, path: str, note: str, title: str, *, part: bool = False) -> str:
    """The answer of all plans that show text; a `part` that was asked for needs no word about the rest."""
    if not path:
        return text
    content = outputs.body(text)
    notices = [] if part and not outputs.incomplete(text) else outputs.notices(text)
    if not content.strip():
        return f"{note}`{path}` has nothing to show there."
    tail = "\n\n" + "\n".join(notices) if notices else ""
    return f"{note}{title} `{path}`:\n\n{fenced(content)}{tail}"


def read_file(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """The text of a file, as far as the tool gives it at once."""
    text, path, note = yield from opened(toolbox, slots["path"])
    return shown(text, path, note, "This is")


def read_head(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """The first lines of a file."""
    limit = number(slots.get("n"), LINES)
    text, path, note = yield from opened(toolbox, slots["path"], limit=limit)
    return shown(text, path, note, f"The first {lines(limit)} of", part=True)


def read_range(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """Some lines of a file."""
    first = number(slots["first"], 1)
    last = number(slots.get("last"), first)
    if last < first:
        first, last = last, first
    asked = slots["path"]
    text, path, note = yield from opened(toolbox, asked, offset=first, limit=last - first + 1)
    title = f"Line {first} of" if first == last else f"Lines {first} to {last} of"
    return shown(text, path, note, title, part=True)


def read_tail(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """Read a file to its end and show its last lines."""
    limit = number(slots.get("n"), LINES)
    path = slots["path"]
    text, complete = yield from whole_text(toolbox, path)
    reached = "" if complete else " that I reached"
    return shown("\n".join(text.split("\n")[-limit:]), path, "", f"The last {lines(limit)}{reached} of")


def lines(count: int) -> str:
    """`line` or `5 lines`."""
    return "line" if count == 1 else f"{count} lines"
