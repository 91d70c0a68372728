"""rm, cp, mv, mkdir, touch."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pi_shell_engine.builtins.flags import Flags
from pi_shell_engine.builtins.interface import BuiltinError, reason
from pi_shell_engine.builtins.listing import quote

if TYPE_CHECKING:
    from pi_shell_engine.builtins.interface import BuiltinIO, Entry

RM, CP, MV, MKDIR, TOUCH = Flags("frR"), Flags("rR"), Flags(), Flags("p"), Flags()
_NOTHING_THERE = {errno.ENOENT, errno.ENOTDIR, errno.EINVAL}
"""Of a name that nothing has; the last is Windows' answer to one that nothing can have."""
_BY_NAME = {"rm": RM, "cp": CP, "mv": MV, "mkdir": MKDIR, "touch": TOUCH}


def check(entry: Entry, words: Sequence[str | None]) -> None:
    """Refuse unknown flags."""
    _BY_NAME[entry.name].check(entry, words)


def rm(io: BuiltinIO) -> int:
    """Remove files, and with `-r` what is below directories; never `/`, `.` or `..`."""
    parsed = RM.read(io)
    force, recursive = "f" in parsed, "r" in parsed or "R" in parsed
    if not parsed.operands and not force:
        raise BuiltinError("missing operand")
    status = 0
    for operand in parsed.operands:
        try:
            if not _remove(io, operand, force=force, recursive=recursive):
                status = 1
        except OSError as error:
            io.error(f"cannot remove {quote(operand)}: {reason(error)}")
            status = 1
    return status


def _remove(io: BuiltinIO, operand: str, *, force: bool, recursive: bool) -> bool:
    last = io.paths.slashed(operand).rstrip("/").rpartition("/")[2]
    try:
        path = io.resolve(operand)
        # Windows says "invalid argument" of `file/`.
        if io.paths.slashed(operand).endswith("/") and os.path.isfile(path.rstrip("/\\")):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        mode = os.lstat(path.rstrip("/") if os.path.islink(path.rstrip("/")) else path).st_mode
    except OSError as error:
        if force and error.errno in _NOTHING_THERE:
            return True
        raise
    if not stat.S_ISDIR(mode):
        os.unlink(path)
        return True
    if not recursive:
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
    if last in (".", ".."):
        io.error(f"refusing to remove '.' or '..' directory: skipping {quote(operand)}")
        return False
    if io.paths.normal(path).rstrip("/\\") in ("", os.path.splitdrive(path)[0]):
        io.error(f"it is dangerous to operate recursively on {quote(operand)}")
        return False
    return _remove_tree(io, operand, path)


def _remove_tree(io: BuiltinIO, operand: str, path: str) -> bool:
    """Remove what can be removed and say what cannot."""
    clean = True

    def complain(function: object, where: str, error: BaseException) -> None:
        nonlocal clean
        if isinstance(error, FileNotFoundError):
            return
        if clean or not isinstance(error, OSError) or error.errno != errno.ENOTEMPTY:
            shown = operand + io.paths.slashed(where[len(path) :])
            io.error(f"cannot remove {quote(shown)}: {reason(error) if isinstance(error, OSError) else error}")
        clean = False

    # Python 3.12 renames the parameter; the older name works in both, with another third value.
    shutil.rmtree(path, onerror=lambda function, where, info: complain(function, where, info[1]))
    return clean


def cp(io: BuiltinIO) -> int:
    """Copy a file to a file, files into a directory, with `-r` directories too."""
    parsed = CP.read(io)
    recursive = "r" in parsed or "R" in parsed

    def copy(source: str, target: str) -> None:
        _copy(io, source, target, recursive=recursive)

    return _transfer(io, parsed.operands, copy)


def mv(io: BuiltinIO) -> int:
    """Rename a file, or move files into a directory."""
    return _transfer(io, MV.read(io).operands, lambda source, target: _move(io, source, target))


class _Reported(Exception):
    """A failure of one operand, in GNU's words."""


def _transfer(io: BuiltinIO, operands: list[str], act: Callable[[str, str], None]) -> int:
    """Apply `act` to each source and the name it gets; the last operand is the target."""
    if not operands:
        raise BuiltinError("missing file operand")
    if len(operands) == 1:
        raise BuiltinError(f"missing destination file operand after {quote(operands[0])}")
    *sources, target = operands
    into = os.path.isdir(io.resolve(target))
    if len(sources) > 1 and not into:
        raise BuiltinError(f"target {quote(target)}: {_missing(io, target)}")
    status, seen = 0, dict[str, str]()
    for source in sources:
        name = io.paths.slashed(source).rstrip("/").rpartition("/")[2]
        goal = f"{target.rstrip('/')}/{name}" if into and target.strip("/") else f"/{name}" if into else target
        try:
            if seen.get(goal) == source and io.name == "cp":
                io.error(f"warning: source file {quote(source)} specified more than once")
                continue
            if goal in seen:
                raise _Reported(f"will not overwrite just-created {quote(goal)} with {quote(source)}")
            act(source, goal)
            seen[goal] = source
        except _Reported as failure:
            io.error(str(failure))
            status = 1
    return status


def _missing(io: BuiltinIO, target: str) -> str:
    return os.strerror(errno.ENOTDIR if os.path.lexists(io.resolve(target)) else errno.ENOENT)


def _copy(io: BuiltinIO, source: str, target: str, *, recursive: bool) -> None:
    start, goal = io.resolve(source), io.resolve(target)
    try:
        found = os.lstat(start) if recursive else os.stat(start)
    except OSError as error:
        raise _Reported(f"cannot stat {quote(source)}: {reason(error)}") from error
    if stat.S_ISDIR(found.st_mode):
        if not recursive:
            raise _Reported(f"-r not specified; omitting directory {quote(source)}")
        _copy_folder(io, source, target)
        return
    if os.path.exists(goal) and os.path.samefile(start, goal):
        raise _Reported(f"{quote(source)} and {quote(target)} are the same file")
    if os.path.isdir(goal):
        raise _Reported(f"cannot overwrite directory {quote(target)} with non-directory {quote(source)}")
    try:
        if stat.S_ISLNK(found.st_mode):
            _copy_link(start, goal)
        else:
            _copy_file(start, goal)
    except OSError as error:
        blamed = "cannot open " + quote(source) + " for reading" if error.filename == start else (
            f"cannot create regular file {quote(target)}"
        )  # fmt: skip
        raise _Reported(f"{blamed}: {reason(error)}") from error


def _copy_link(start: str, goal: str) -> None:
    if os.path.lexists(goal):
        os.unlink(goal)
    os.symlink(os.readlink(start), goal)


def _copy_file(start: str, goal: str) -> None:
    """The content, and for a new file the permissions, as far as the umask lets them."""
    fresh = not os.path.lexists(goal)
    mode = stat.S_IMODE(os.stat(start).st_mode) & 0o777
    with open(start, "rb", buffering=0) as source:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
        with open(os.open(goal, flags, mode if fresh else 0o666), "wb", buffering=0) as target:
            shutil.copyfileobj(source, target, 1 << 20)


def _copy_folder(io: BuiltinIO, source: str, target: str) -> None:
    start, goal = io.resolve(source), io.resolve(target)
    if os.path.lexists(goal) and not os.path.isdir(goal):
        raise _Reported(f"cannot overwrite non-directory {quote(target)} with directory {quote(source)}")
    inside = io.paths.normal(os.path.realpath(goal)) + os.sep
    if inside.startswith(io.paths.normal(os.path.realpath(start)) + os.sep):
        raise _Reported(f"cannot copy a directory, {quote(source)}, into itself, {quote(target)}")
    try:
        names = sorted(os.listdir(start))
        if not os.path.isdir(goal):
            os.mkdir(goal, stat.S_IMODE(os.stat(start).st_mode) | 0o700)
    except OSError as error:
        blamed = "access" if error.filename == start else "create directory"
        raise _Reported(
            f"cannot {blamed} {quote(source if blamed == 'access' else target)}: {reason(error)}"
        ) from error
    failures = []
    for name in names:
        try:
            _copy(io, f"{source.rstrip('/')}/{name}", f"{target.rstrip('/')}/{name}", recursive=True)
        except _Reported as failure:
            failures.append(str(failure))
    if failures:
        for earlier in failures[:-1]:
            io.error(earlier)
        raise _Reported(failures[-1])


def _move(io: BuiltinIO, source: str, target: str) -> None:
    start, goal = io.resolve(source), io.resolve(target)
    try:
        found = os.lstat(start.rstrip("/") if start.strip("/") else start)
    except OSError as error:
        raise _Reported(f"cannot stat {quote(source)}: {reason(error)}") from error
    if os.path.lexists(goal) and os.path.samestat(os.lstat(goal), found):
        raise _Reported(f"{quote(source)} and {quote(target)} are the same file")
    is_folder = stat.S_ISDIR(found.st_mode)
    if is_folder and os.path.lexists(goal) and not os.path.isdir(goal):
        raise _Reported(f"cannot overwrite non-directory {quote(target)} with directory {quote(source)}")
    if not is_folder and os.path.isdir(goal):
        raise _Reported(f"cannot overwrite directory {quote(target)} with non-directory {quote(source)}")
    if is_folder and (io.paths.normal(goal) + os.sep).startswith(io.paths.normal(start) + os.sep):
        raise _Reported(f"cannot move {quote(source)} to a subdirectory of itself, {quote(target)}")
    try:
        os.replace(start, goal)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise _Reported(f"cannot move {quote(source)} to {quote(target)}: {reason(error)}") from error
        shutil.move(start, goal)


def mkdir(io: BuiltinIO) -> int:
    """Make directories; with `-p` those above them too, and no complaint about those that are there."""
    parsed = MKDIR.read(io)
    if not parsed.operands:
        raise BuiltinError("missing operand")
    status = 0
    for operand in parsed.operands:
        try:
            path = io.resolve(operand)
            if "p" in parsed:
                os.makedirs(path, exist_ok=True)
            else:
                os.mkdir(path)
        except OSError as error:
            io.error(f"cannot create directory {quote(operand)}: {reason(error)}")
            status = 1
    return status


def touch(io: BuiltinIO) -> int:
    """Set times to now, making files that are not there."""
    operands = TOUCH.read(io).operands
    if not operands:
        raise BuiltinError("missing file operand")
    status = 0
    for operand in operands:
        try:
            path = io.resolve(operand)
            if not os.path.isdir(path):
                os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o666))
            os.utime(path)
        except OSError as error:
            there = bool(operand) and os.path.exists(io.resolve(operand))
            verb = "setting times of" if there and error.errno != errno.EACCES else "cannot touch"
            io.error(f"{verb} {quote(operand)}: {reason(error)}")
            status = 1
    return status
