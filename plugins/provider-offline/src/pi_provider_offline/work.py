"""How a plan is written: a generator that yields steps (tool calls), is sent their results and returns its answer."""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Call:
    """A call of one of the offered tools."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Result:
    """What a tool answered, as the model sees it."""

    tool: str
    text: str
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """Calls made together, and what the model says before it makes them."""

    calls: tuple[Call, ...]
    saying: str = ""


Plan: TypeAlias = Generator[Step, tuple[Result, ...], str]
"""Run again from its beginning at every turn with the results so far, so it may depend on nothing else."""

PlanStart: TypeAlias = Callable[[Mapping[str, str], "Toolbox"], Plan]


class CannotError(Exception):
    """The plan cannot go on; the text tells the user why and what would help."""


@dataclass(frozen=True, slots=True)
class Toolbox:
    """The tools of the request. Each method makes a call of the best one, or of `bash` where that can do it too."""

    names: frozenset[str]

    def has(self, name: str) -> bool:
        return name in self.names

    def first(self, purpose: str, *calls: Call) -> Call:
        """The first call whose tool is offered; `CannotError` names the tools that would do."""
        for call in calls:
            if call.tool in self.names:
                return call
        wanted = " or ".join(f"`{call.tool}`" for call in calls)
        raise CannotError(f"To {purpose} I need the tool {wanted}, and this session does not offer it.")

    def read(self, path: str, offset: int | None = None, limit: int | None = None) -> Call:
        """The text of a file; `offset` is the first line, counted from 1."""
        arguments: dict[str, Any] = {"path": path}
        if offset is not None:
            arguments["offset"] = offset
        if limit is not None:
            arguments["limit"] = limit
        first = offset or 1
        lines = f"{first},{first + limit - 1}" if limit else f"{first},$"
        return self.first("read a file", Call("read", arguments), shell("sed", "-n", lines + "p", "--", path))

    def find(self, glob: str, path: str = ".") -> Call:
        """The files below a directory whose name fits a glob."""
        arguments = {"pattern": glob, "path": path, "limit": FIND_LIMIT}
        bash = shell("find", path, "-type", "f", "-name", glob.rpartition("/")[2], "-not", "-path", "*/.git/*")
        return self.first("find files", Call("find", arguments), bash)

    def ls(self, path: str = ".") -> Call:
        """The entries of a directory, directories with a slash at their end."""
        return self.first("list a directory", Call("ls", {"path": path}), shell("ls", "-Ap", "--", path))

    def grep(self, text: str, path: str = ".", glob: str = "") -> Call:
        """The lines that hold a text, whatever its case when it is all lower case."""
        ignore = text == text.lower()
        arguments: dict[str, Any] = {"pattern": text, "path": path, "literal": True, "limit": GREP_LIMIT}
        words = ["grep", "-rnIF", "--exclude-dir=.git"]
        if ignore:
            arguments["ignoreCase"] = True
            words.append("-i")
        if glob:
            arguments["glob"] = glob
            words.append(f"--include={glob}")
        return self.first("search files", Call("grep", arguments), shell(*words, "-e", text, "--", path))

    def bash(self, command: str) -> Call:
        return self.first("run a command", Call("bash", {"command": command}))

    def write(self, path: str, content: str) -> Call:
        return self.first("write a file", Call("write", {"path": path, "content": content}))

    def edit(self, path: str, old: str, new: str) -> Call:
        arguments = {"path": path, "edits": [{"oldText": old, "newText": new}]}
        return self.first("change a file", Call("edit", arguments))


FIND_LIMIT = 10_000
GREP_LIMIT = 1_000


def shell(*words: str) -> Call:
    """A `bash` call of one simple command, every word quoted as it must be."""
    import shlex

    return Call("bash", {"command": shlex.join(words)})


def one(call: Call, saying: str = "") -> Generator[Step, tuple[Result, ...], Result]:
    """`result = yield from one(call)`: a step of a single call."""
    results = yield Step((call,), saying)
    return results[0]
