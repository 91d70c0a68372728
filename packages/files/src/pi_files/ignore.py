"""Ignore files: which paths of a tree a search leaves out.

Rules are those of gitignore(5) as ripgrep and fd apply them (crate `ignore`): a file's last matching line decides,
deeper files come before shallower ones, and a kind of file that says anything at all comes before the next kind.
"""

import codecs
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from pi_files.glob import BadGlob, translate

Verdict = Literal["ignore", "keep"]


@dataclass(frozen=True, slots=True)
class _Rule:
    match: "re.Pattern[str]"
    verdict: Verdict
    directories_only: bool


class IgnoreRules:
    """The lines of one ignore file; `verdict` takes paths relative to the directory that the file is for.

    Lines and paths are compared byte by byte, as git and ripgrep do: `?` is one byte of UTF-8. Both stand here as text
    with one character for each byte.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._rules = [rule for line in lines if (rule := _parse(line)) is not None]
        self._any = re.compile("|".join(f"(?:{rule.match.pattern})" for rule in self._rules), re.DOTALL)

    def __bool__(self) -> bool:
        return bool(self._rules)

    def verdict(self, path: str, is_directory: bool) -> Verdict | None:
        """What the last matching line says of a path; `None` when none matches."""
        if not self._rules:
            return None
        path = path if path.isascii() else _by_bytes(path)
        if self._any.fullmatch(path) is None:
            return None
        for rule in reversed(self._rules):
            if (is_directory or not rule.directories_only) and rule.match.fullmatch(path):
                return rule.verdict
        return None


NO_RULES = IgnoreRules(())


def parse_ignore_file(data: bytes) -> IgnoreRules:
    """The rules of an ignore file; as in ripgrep, it ends at a line that is not UTF-8."""
    lines: list[str] = []
    for line in data.removeprefix(codecs.BOM_UTF8).split(b"\n"):
        try:
            lines.append(line.decode("utf-8"))
        except UnicodeDecodeError:
            break
    return IgnoreRules(lines) if any(lines) else NO_RULES


@dataclass(frozen=True, slots=True)
class Level:
    """The ignore files of one directory, each kind in the order of its weight, and whether a repository starts there.

    `prefix` is the directory with a final `/`, written from the same root as the paths to be judged.
    """

    prefix: str
    tool: IgnoreRules = NO_RULES
    ignore: IgnoreRules = NO_RULES
    git: IgnoreRules = NO_RULES
    exclude: IgnoreRules = NO_RULES
    repository: bool = False

    @property
    def empty(self) -> bool:
        return not (self.tool or self.ignore or self.git or self.exclude or self.repository)


def ignored(path: str, is_directory: bool, levels: Sequence[Level], user: Level = Level("")) -> bool:
    """Whether a path is left out. `levels` runs from the deepest directory up, `user` holds the user's own excludes.

    Rules of git do not reach out of the repository they stand in.
    """
    tool = ignore = git = exclude = None
    outside = False
    for level in levels:
        own = path.removeprefix(level.prefix)
        tool = tool or level.tool.verdict(own, is_directory)
        ignore = ignore or level.ignore.verdict(own, is_directory)
        if not outside:
            git = git or level.git.verdict(own, is_directory)
            exclude = exclude or level.exclude.verdict(own, is_directory)
        outside = outside or level.repository
    verdict = tool or ignore or git or exclude or user.exclude.verdict(path.removeprefix(user.prefix), is_directory)
    return verdict == "ignore"


def _by_bytes(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode("latin-1")


def _parse(line: str) -> _Rule | None:
    if line.startswith("#"):
        return None
    if not line.endswith("\\ "):
        line = line.rstrip()
    if not line:
        return None
    verdict: Verdict = "ignore"
    anchored = False
    if line.startswith(("\\!", "\\#")):
        line = line[1:]
    else:
        if line.startswith("!"):
            verdict, line = "keep", line[1:]
        if line.startswith("/"):
            anchored, line = True, line[1:]
    directories_only = line.endswith("/")
    if directories_only:
        line = line[:-1].removesuffix("\\")
    if not anchored and "/" not in line and not line.startswith("**/") and line != "**":
        line = f"**/{line}"
    if line.endswith("/**"):
        line += "/*"
    try:
        return _Rule(re.compile(translate(_by_bytes(line)), re.DOTALL), verdict, directories_only)
    except BadGlob:
        # Both programs report such a line on their error output and go on.
        return None
