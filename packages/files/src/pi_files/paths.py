"""Path arguments as models and people write them, resolved for an injected flavour of path.

Nothing here touches a disk: `PurePosixPath` and `PureWindowsPath` decide the rules, existence is asked through a
function.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import PurePath, PureWindowsPath

from pi_files.errors import BadPath
from pi_files.windows_paths import resolve_windows

_SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_BEFORE_MERIDIEM = re.compile(r" (?=[AaPp]\.?[Mm]\b)")
_NARROW_SPACE = "\u202f"

Exists = Callable[[PurePath], bool]


def resolve(argument: str, cwd: PurePath, home: PurePath) -> PurePath:
    """The absolute path an argument means: a leading `@` goes, `~` is the home, unicode spaces become plain ones.

    Raises `BadPath` for what can name nothing. `..` stays, since only the disk knows where a link leads.
    """
    return _absolute(_SPACES.sub(" ", argument.removeprefix("@")), cwd, home)


def resolve_existing(argument: str, cwd: PurePath, home: PurePath, exists: Exists) -> PurePath:
    """As `resolve`, then other spellings of the same name if only such a one exists; the plain one if none does."""
    plain = resolve(argument, cwd, home)
    for spelling in _spellings(argument):
        candidate = _absolute(spelling, cwd, home)
        if exists(candidate):
            return candidate
    return plain


def resolve_target(argument: str, cwd: PurePath, home: PurePath, exists: Exists) -> PurePath:
    """As `resolve`, for a file about to be written: `@scope/x` keeps its `@` where the folder `@scope` exists."""
    plain = resolve(argument, cwd, home)
    if argument.startswith("@"):
        literal = _absolute(_SPACES.sub(" ", argument), cwd, home)
        if exists(literal) or (literal.parent != cwd and exists(literal.parent) and not exists(plain.parent)):
            return literal
    return plain


def show(path: PurePath, cwd: PurePath) -> str:
    """A path for people and models: relative with `/` inside `cwd`, else absolute as its system writes it."""
    try:
        return showable(path.relative_to(cwd).as_posix())
    except ValueError:
        return showable(str(path))


def showable(name: str) -> str:
    """A name that can be sent as UTF-8 on one line: undecodable bytes and control characters become escapes."""
    if name.isprintable():
        return name
    try:
        text = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:
        text = name.encode("utf-8", "backslashreplace").decode("utf-8")
    return "".join(char if char >= " " and char != "\x7f" else char.encode("unicode_escape").decode() for char in text)


def _absolute(text: str, cwd: PurePath, home: PurePath) -> PurePath:
    if not text.strip():
        raise BadPath("the path is empty; give the path of a file or directory, such as `src/main.py` or `.`")
    if "\0" in text:
        raise BadPath(f"the path {text!r} contains a NUL character, which no path can; remove it")
    windows = isinstance(cwd, PureWindowsPath)
    if text == "~":
        return home
    if text.startswith("~/") or (windows and text.startswith("~\\")):
        return home / text[2:].lstrip("/\\" if windows else "/")
    return resolve_windows(text, cwd) if isinstance(cwd, PureWindowsPath) else cwd / text


def _spellings(argument: str) -> Iterator[str]:
    """Spellings to look for, likeliest first: plain, as given, and what macOS makes of some names."""
    literal = argument
    plain = _SPACES.sub(" ", argument.removeprefix("@"))
    yield plain
    yield argument.removeprefix("@")
    yield literal
    yield _BEFORE_MERIDIEM.sub(_NARROW_SPACE, plain)
    decomposed = unicodedata.normalize("NFD", plain)
    yield decomposed
    yield unicodedata.normalize("NFC", plain)
    yield plain.replace("'", "\u2019")
    yield decomposed.replace("'", "\u2019")
