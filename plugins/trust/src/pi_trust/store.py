"""The stored decisions: a JSON object from real path to true or false."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path, PurePath

from pi_api import PiError

Same = Callable[[PurePath, PurePath], bool]


class UnreadableStore(PiError):
    """The trust store cannot be understood, so nothing is trusted and nothing is written."""


def nearest(decisions: Mapping[str, bool], cwd: PurePath, same: Same) -> tuple[PurePath, bool] | None:
    """The decision that counts for a real path: its own, else that of the closest folder above it.

    Of several for one folder, spelt differently, a refusal counts.
    """
    for folder in (cwd, *cwd.parents):
        found = [trusted for name, trusted in decisions.items() if names(name, folder, same)]
        if found:
            return folder, all(found)
    return None


def names(name: str, folder: PurePath, same: Same) -> bool:
    """A stored path and a folder are the same one. Windows paths compare without case of their own accord."""
    stored = type(folder)(name)
    return stored == folder or (name.casefold() == str(folder).casefold() and same(stored, folder))


def same_folder(one: PurePath, other: PurePath) -> bool:
    """Two spellings lead to one folder on this machine, as on file systems that ignore case."""
    try:
        return Path(one).samefile(other)
    except OSError:
        return False


class TrustStore:
    """The store file. Read anew each time it is asked: another pi may have decided in the meantime."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = path.parent / "locks" / "trust.lock"

    def decisions(self) -> dict[str, bool]:
        """Every decision by path; `UnreadableStore` says what is wrong with the file and what to do."""
        try:
            text = self.path.read_text("utf-8-sig")
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except (OSError, UnicodeDecodeError) as error:
            raise UnreadableStore(f"{self.path} cannot be read: {error}; make it readable or delete it") from error
        try:
            stored = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise UnreadableStore(f"{self.path} is not JSON: {error}; correct it or delete it") from error
        if not isinstance(stored, dict):
            raise UnreadableStore(f"{self.path} must hold a JSON object of paths; correct it or delete it")
        return {path: trusted for path, trusted in stored.items() if isinstance(trusted, bool)}

    def decide(self, folder: PurePath, trusted: bool | None) -> None:
        """Store a decision for a real path in place of any spelling of it; `None` forgets it."""
        # Most runs only read decisions; writing takes more of the library.
        from pi_files.atomic import create_file, replace_file
        from pi_files.process_lock import process_lock

        with process_lock(self._lock):
            kept = {name: value for name, value in self.decisions().items() if not names(name, folder, same_folder)}
            if trusted is not None:
                kept[str(folder)] = trusted
            data = json.dumps(kept, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
            (replace_file if self.path.exists() else create_file)(str(self.path), data.encode())
