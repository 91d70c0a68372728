"""Listing a tree the way ripgrep and fd do, for when they are not there.

Ignore files are honoured, whether or not the tree is a git repository; `.git` is left out, links are not followed.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from pi_files.errors import FileError
from pi_files.ignore import NO_RULES, IgnoreRules, Level, ignored, parse_ignore_file
from pi_files.operations import Entry, EntryKind, FileOperations

_EXCLUDES_FILE = re.compile(rb'^[ \t]*excludesfile[ \t]*=[ \t]*"?[ \t]*(\S+?)[ \t]*"?[ \t]*\r?$', re.I | re.M)


@dataclass(frozen=True, slots=True)
class Found:
    """An entry of a tree; `path` is relative to the root of the walk and written with `/`."""

    path: str
    kind: EntryKind

    @property
    def is_directory(self) -> bool:
        return self.kind == "directory"


def walk(
    operations: FileOperations,
    root: PurePath,
    *,
    tool_file: str,
    check: Callable[[], None] = lambda: None,
    env: Mapping[str, str] = os.environ,
) -> Iterator[Found]:
    """Every entry below `root` that is not ignored, each directory before its content, names in order of their bytes.

    `tool_file` is an ignore file that outweighs `.ignore` (`.rgignore` or `.fdignore`). `check` is called for every
    directory and may raise to stop. What cannot be listed is passed over.
    """
    return _Walker(operations, operations.real_path(root), tool_file, check, env).run()


def order(path: str) -> tuple[bytes, ...]:
    """Sort key of a relative path that puts paths in the order of a walk."""
    return tuple(_name_order(part) for part in path.split("/"))


def in_repository(directory: PurePath) -> bool:
    """Whether a directory of this machine lies in a git repository."""
    real = PurePath(os.path.realpath(directory))
    return any(os.path.exists(folder / ".git") for folder in (real, *real.parents))


def global_rules(operations: FileOperations, env: Mapping[str, str]) -> IgnoreRules:
    """The user's own git excludes: `core.excludesFile`, else `git/ignore` in the configuration folder."""
    if not operations.local:
        return NO_RULES
    home = operations.home
    config = home / (env.get("XDG_CONFIG_HOME") or ".config") / "git"
    for file in (home / ".gitconfig", config / "config"):
        if match := _EXCLUDES_FILE.search(_content(operations, file)):
            named = os.fsdecode(match[1])
            return parse_ignore_file(_content(operations, home / named.removeprefix("~/")))
    return parse_ignore_file(_content(operations, config / "ignore"))


class _Walker:
    """One walk. Rules see paths from the root of the file system, so that those above the search count as well."""

    def __init__(
        self,
        operations: FileOperations,
        root: PurePath,
        tool_file: str,
        check: Callable[[], None],
        env: Mapping[str, str],
    ) -> None:
        self._operations = operations
        self._root = root
        self._names = (tool_file, ".ignore", ".gitignore")
        self._check = check
        self._base = _prefix(root)
        self._global = Level(self._base, exclude=global_rules(operations, env))

    def run(self) -> Iterator[Found]:
        stack = [self._entries(self._root, "", self._above())]
        while stack:
            step = next(stack[-1], None)
            if step is None:
                stack.pop()
                continue
            found, levels = step
            yield found
            if found.is_directory:
                stack.append(self._entries(self._root / found.path, found.path + "/", levels))

    def _above(self) -> tuple[Level, ...]:
        levels = (self._level(folder, None) for folder in self._root.parents)
        return tuple(level for level in levels if not level.empty)

    def _entries(
        self, directory: PurePath, prefix: str, above: tuple[Level, ...]
    ) -> Iterator[tuple[Found, tuple[Level, ...]]]:
        """What a directory holds that is not ignored, each with the rules that hold there."""
        self._check()
        try:
            entries = self._operations.list(directory)
        except FileError:
            return
        level = self._level(directory, entries)
        levels = above if level.empty else (level, *above)
        for entry in sorted(entries, key=lambda entry: _name_order(entry.name)):
            path = prefix + entry.name
            if entry.name == ".git":
                continue
            if ignored(self._base + path, entry.kind == "directory", levels, self._global):
                continue
            yield Found(path, entry.kind), levels

    def _level(self, directory: PurePath, entries: Sequence[Entry] | None) -> Level:
        """The ignore files of a directory; `entries` saves looking for them where its content is known."""
        names = None if entries is None else {entry.name for entry in entries}
        rules = [self._rules(directory / name) if names is None or name in names else NO_RULES for name in self._names]
        repository = (names is None or ".git" in names) and self._exists(directory / ".git")
        exclude = self._rules(directory / ".git" / "info" / "exclude") if repository else NO_RULES
        return Level(_prefix(directory), rules[0], rules[1], rules[2], exclude, repository)

    def _rules(self, path: PurePath) -> IgnoreRules:
        return parse_ignore_file(_content(self._operations, path))

    def _exists(self, path: PurePath) -> bool:
        try:
            return self._operations.stat(path) is not None
        except FileError:
            return False


def _prefix(directory: PurePath) -> str:
    return directory.as_posix().rstrip("/") + "/"


def _name_order(name: str) -> bytes:
    return name.encode("utf-8", "surrogatepass") if os.name == "nt" else os.fsencode(name)


def _content(operations: FileOperations, path: PurePath) -> bytes:
    try:
        return operations.read(path)
    except FileError:
        return b""
