"""Where a tool call works: the machine, its working directory, and what path arguments mean there."""

from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import PurePath, PureWindowsPath

from pi_api.tool import ToolContext

from pi_files.errors import BadPath, FileError, NotADirectory, NotFound
from pi_files.operations import FileOperations, Files, FileStat
from pi_files.paths import resolve_existing, resolve_target, show
from pi_files.windows_paths import device_name, unwritable

_SUGGESTIONS = 3


@dataclass(frozen=True, slots=True)
class Place:
    """A machine and a working directory on it."""

    operations: FileOperations
    cwd: PurePath

    def existing(self, argument: str) -> tuple[PurePath, FileStat]:
        """The path an argument means and what is there. `NotFound` names what is close to it, `BadPath` a bad name."""
        path = resolve_existing(argument, self.cwd, self.operations.home, self._exists)
        if isinstance(path, PureWindowsPath) and (name := device_name(path)):
            raise BadPath(f"{name!r} in {argument!r} is a device of Windows, not a file; give the path of a file")
        found = self.operations.stat(path)
        if found is None:
            raise NotFound(self._missing(path))
        return path, found

    def directory(self, argument: str) -> PurePath:
        """As `existing`, for a directory."""
        path, found = self.existing(argument)
        if found.kind != "directory":
            raise NotADirectory(f"{self.show(path)} is not a directory; name a directory, or read it if it is a file")
        return path

    def target(self, argument: str) -> PurePath:
        """The path of a file to be written, there or not. Raises `BadPath` for a name that the system cannot hold."""
        path = resolve_target(argument, self.cwd, self.operations.home, self._exists)
        if isinstance(path, PureWindowsPath) and (reason := unwritable(path)):
            raise BadPath(f"cannot write {argument!r}: {reason}")
        return path

    def show(self, path: PurePath) -> str:
        """A path as the model should see it."""
        return show(path, self.cwd) if path != self.cwd else "."

    def _exists(self, path: PurePath) -> bool:
        try:
            return self.operations.stat(path) is not None
        except FileError:
            # Not allowed to look: it may be there, and the operation itself will say why it fails.
            return True

    def _missing(self, path: PurePath) -> str:
        """What to say of a path that is not there: the nearest folder that is, and similar names in it."""
        folder, name = path.parent, path.name
        while not self._is_directory(folder) and folder != folder.parent:
            folder, name = folder.parent, folder.name
        text = f"{self.show(path)} does not exist"
        if folder != path.parent:
            text += f", nor does {self.show(folder / name)}"
        if close := self._similar(folder, name):
            return f"{text}; did you mean {' or '.join(close)}?"
        return f"{text}; there is nothing like it in {self.show(folder)}, so list or search for it first"

    def _is_directory(self, path: PurePath) -> bool:
        try:
            found = self.operations.stat(path)
        except FileError:
            return False
        return found is not None and found.kind == "directory"

    def _similar(self, folder: PurePath, name: str) -> list[str]:
        try:
            names = {entry.name.casefold(): entry.name for entry in self.operations.list(folder)}
        except FileError:
            return []
        close = get_close_matches(name.casefold(), list(names), n=_SUGGESTIONS, cutoff=0.6)
        return [self.show(folder / names[match]) for match in close]


def place_of(context: ToolContext) -> Place:
    """The place a tool call works in, as `Files` of its session says."""
    files = context.state(Files)
    return Place(files.operations, files.cwd or context.cwd)
