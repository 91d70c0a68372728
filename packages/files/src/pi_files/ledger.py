"""What a session knows of the contents of files."""

from hashlib import blake2b
from pathlib import PurePath


class ReadLedger:
    """Which contents this session has read or written, by real path: shared by the file tools of a session.

    A tool that replaces a whole file asks it whether the session has seen what would be lost. It lives as long as the
    session and starts empty when a session is resumed.
    """

    def __init__(self) -> None:
        self._seen: dict[PurePath, bytes] = {}

    def record(self, real_path: PurePath, content: bytes) -> None:
        """Remember that the session knows this content of the file."""
        self._seen[real_path] = _digest(content)

    def knows(self, real_path: PurePath) -> bool:
        """Whether any content of the file was ever seen."""
        return real_path in self._seen

    def is_current(self, real_path: PurePath, content: bytes) -> bool:
        """Whether the session knows exactly this content."""
        return self._seen.get(real_path) == _digest(content)


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=16).digest()
