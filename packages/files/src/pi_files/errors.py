"""What goes wrong with files, as errors whose text the model can act on."""

from pi_api.tool import ToolError


class FileError(ToolError):
    """Base of everything this package raises on purpose: what happened, to which path, what to do."""


class BadPath(FileError):
    """The path cannot name a file here."""


class NotFound(FileError):
    """There is nothing at the path."""


class NotAFile(FileError):
    """The path names a directory, a device, a pipe or a socket."""


class NotADirectory(FileError):
    """The path, or something on the way to it, is not a directory."""


class AlreadyExists(FileError):
    """Something appeared at the path that was to be created."""


class AccessDenied(FileError):
    """The system does not let this user do it."""


class ReadOnly(FileError):
    """The file or its file system cannot be written."""


class NoSpace(FileError):
    """The disk or the quota is full."""


class HeldOpen(FileError):
    """Another program keeps the file open in a way that forbids replacing it (Windows)."""


class Failed(FileError):
    """The system refused for another reason, which the text gives."""
