"""Plans that show what is there."""

from collections.abc import Mapping

from pi_provider_offline import outputs
from pi_provider_offline.phrasing import bullets, counted, directory, fenced, place, sentence
from pi_provider_offline.plans.contents import found_files, globs_of
from pi_provider_offline.plans.reading import read_file
from pi_provider_offline.work import Plan, Toolbox, one

PARAGRAPHS = 3
"""How much of a README tells what a project is about."""


def list_directory(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """The entries of a directory."""
    path = directory(slots.get("dir"))
    result = yield from one(toolbox.ls(path))
    if result.failed:
        return f"I cannot list {place(path)}:\n\n{fenced(result.text)}"
    return described(path, outputs.entries(result.text), outputs.cut(result.text))


def described(path: str, names: list[str], cut: bool) -> str:
    """A directory in a sentence and a list."""
    if not names:
        return sentence(f"{place(path)} is empty.")
    folders = [name for name in names if name.endswith("/")]
    files = counted(len(names) - len(folders), "file")
    least = "at least " if cut else ""
    head = f"In {place(path)} there are {least}{files} and {counted(len(folders), 'directory', 'directories')}:"
    return f"{head}\n\n{bullets(names, 100)}"


def list_files(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """The files of a kind below a directory."""
    path = directory(slots.get("dir"))
    globs, note = globs_of(slots["kind"])
    files, cut = yield from found_files(toolbox, globs, path)
    called = " or ".join(f"`{glob}`" for glob in globs)
    if not files:
        return f"No file in {place(path)} fits {called}.{note}"
    least = "At least " if cut else ""
    fits = "fits" if len(files) == 1 else "fit"
    return f"{least}{counted(len(files), 'file')} in {place(path)} {fits} {called}:{note}\n\n{bullets(files)}"


def inspect(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """A path that may be a directory or a file: listed when it can be, read otherwise."""
    path = directory(slots["path"])
    listing = yield from one(toolbox.ls(path))
    if not listing.failed and outputs.entries(listing.text) != [path]:
        return described(path, outputs.entries(listing.text), outputs.cut(listing.text))
    answer = yield from read_file(slots, toolbox)
    return answer


def describe_project(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """The beginning of the README, and what lies beside it."""
    path = directory(slots.get("dir"))
    listing = yield from one(toolbox.ls(path))
    if listing.failed:
        return f"I cannot list {place(path)}:\n\n{fenced(listing.text)}"
    names = outputs.entries(listing.text)
    readme = next((name for name in names if name.lower().startswith("readme")), None)
    shown = described(path, names, outputs.cut(listing.text))
    if readme is None:
        return f"There is no README to tell what this is for. {shown}"
    text = yield from one(toolbox.read(readme if path == "." else f"{path}/{readme}", limit=40))
    if text.failed:
        return shown
    paragraphs = [part for part in outputs.body(text.text).split("\n\n") if part.strip()]
    beginning = "\n\n".join(paragraphs[:PARAGRAPHS])
    return f"`{readme}` begins:\n\n{fenced(beginning)}\n\n{shown}"
