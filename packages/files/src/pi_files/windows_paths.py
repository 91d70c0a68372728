"""Rules that hold for paths of Windows only; pure, so they are tested anywhere.

Sources: "Naming Files, Paths, and Namespaces" of the Windows documentation for devices, characters and prefixes; Git
for Windows, Cygwin and WSL for their spellings of drives.
"""

import re
from pathlib import PureWindowsPath

from pi_files.errors import BadPath

_UNIX_DRIVE = re.compile(r"/(?:cygdrive/|mnt/)?([A-Za-z])(?=/|$)")
_DEVICE = re.compile(r"(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[0-9\u00b9\u00b2\u00b3])", re.IGNORECASE)
_DEVICE_PREFIX = re.compile(r"[\\/]{2}(?:\.[\\/]|\?[\\/](?![A-Za-z]:[\\/]|UNC[\\/]))", re.IGNORECASE)
_DRIVE_RELATIVE = re.compile(r"[A-Za-z]:(?![\\/])")
_FORBIDDEN = re.compile(r'[<>"|?*\x00-\x1f]')
_LONG = 248
"""From this length on a path needs the extended prefix: 260 less room for an 8.3 name."""


def resolve_windows(text: str, cwd: PureWindowsPath) -> PureWindowsPath:
    """The absolute path of an argument: drives, UNC, `/c/dev`, `/cygdrive/c`, `/mnt/c`, rooted and drive-relative.

    `C:foo` lies in the current directory of drive C, which is known only for the drive of `cwd`; for any other drive
    `BadPath` is raised rather than guessing `C:\\foo`.
    """
    spelled = from_unix_spelling(text)
    if _DEVICE_PREFIX.match(spelled):
        raise BadPath(f"{text} names a device, not a file; give a path on a drive, such as C:\\folder\\file")
    drive = spelled[:2]
    if _DRIVE_RELATIVE.match(spelled) and drive.casefold() != cwd.drive.casefold():
        raise BadPath(
            f"{text} is relative to the current directory of drive {drive}, which is not known; "
            f"write {drive}\\{spelled[2:]} for a path from the root of that drive"
        )
    return cwd / PureWindowsPath(spelled)


def from_unix_spelling(text: str) -> str:
    """`/c/dev/x`, `/cygdrive/c/dev/x` and `/mnt/c/dev/x` as `C:/dev/x`; everything else unchanged."""
    match = _UNIX_DRIVE.match(text)
    return f"{match[1].upper()}:{text[match.end() :] or '/'}" if match else text


def device_name(path: PureWindowsPath) -> str | None:
    """The part of a path that Windows takes for a device (`nul`, `con.txt`, `COM1`), if there is one."""
    return next((part for part in _names(path) if _DEVICE.fullmatch(_stem(part))), None)


def unwritable(path: PureWindowsPath) -> str | None:
    """Why no file of this name can be made, and what to do; `None` when one can."""
    if name := device_name(path):
        return f"{name!r} is a device of Windows and not a file name; choose another name"
    for part in _names(path):
        if found := _FORBIDDEN.search(part):
            return f"{part!r} contains {found[0]!r}, which Windows does not allow in names; leave it out"
        if ":" in part:
            return f"{part!r} would name a hidden data stream of a file; leave out the colon"
        if part[-1] in " ." and part not in (".", ".."):
            return f"{part!r} ends with a space or dot, which Windows drops silently; remove it"
    return None


def extended(path: str) -> str:
    """A path with the prefix that lifts the limit of 260 characters, where it is long and absolute."""
    if len(path) < _LONG or path.startswith("\\\\?\\"):
        return path
    if path.startswith("\\\\"):
        return "\\\\?\\UNC\\" + path[2:]
    return "\\\\?\\" + path if path[1:3] == ":\\" else path


def plain(path: str) -> str:
    """A path without the prefix that `extended` puts before it."""
    if path.startswith("\\\\?\\UNC\\"):
        return "\\\\" + path[8:]
    return path.removeprefix("\\\\?\\")


def _names(path: PureWindowsPath) -> tuple[str, ...]:
    return path.parts[1:] if path.anchor else path.parts


def _stem(part: str) -> str:
    return re.split(r"[.:]", part, maxsplit=1)[0].rstrip(" ")
