"""From a path to what the model is shown of it."""

from dataclasses import dataclass
from pathlib import PurePath

from pi_api.tool import ToolError, ToolResult
from pi_api.truncate import format_size
from pi_files import Place, ReadLedger, StopSignal
from pi_files.decoding import decode
from pi_files.errors import NotAFile
from pi_files.images import MAX_FILE, image_type

from pi_tool_read.picture import show_image
from pi_tool_read.streaming import stream_window
from pi_tool_read.window import lines_window, show_window

WHOLE_FILE = 16 * 1024 * 1024
"""Up to this many bytes a file is read at once; of larger ones only the lines that are shown are kept."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads for one session. `sees_images`: the model takes images."""

    place: Place
    ledger: ReadLedger
    sees_images: bool = True

    def read(self, argument: str, offset: int | None, limit: int | None, stop: StopSignal) -> ToolResult:
        """The result for one call. Raises `ToolError`."""
        path, found = self.place.existing(argument)
        shown = self.place.show(path)
        if found.kind == "directory":
            raise NotAFile(f"{shown} is a directory; list it with ls, or read a file in it")
        if found.kind == "other":
            raise NotAFile(f"{shown} is a device, pipe or socket, which may never end; only regular files are read")
        if found.size > WHOLE_FILE and not self._is_image(path, found.size):
            with self.place.operations.open(path) as file:
                window = stream_window(file, shown, found.size, offset or 1, limit, stop.check)
            return show_window(window)
        data = self.place.operations.read(path)
        self.ledger.record(self.place.operations.real_path(path), data)
        if image_type(data[:16]):
            return show_image(data, shown, sees_images=self.sees_images)
        decoded = decode(data, shown)
        return show_window(lines_window(decoded, shown, offset or 1, limit))

    def _is_image(self, path: PurePath, size: int) -> bool:
        with self.place.operations.open(path) as file:
            is_image = image_type(file.read(16)) is not None
        if is_image and size > MAX_FILE:
            raise ToolError(
                f"{self.place.show(path)} is an image of {format_size(size)}, more than {format_size(MAX_FILE)}; "
                "make a smaller copy with an image program and read that"
            )
        return is_image
