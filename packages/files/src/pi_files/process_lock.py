"""One process at a time: a lock of the operating system, which ends with the process that holds it."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pi_api.errors import PiError
from pi_kernel.tree.lock import try_lock

from pi_files.system_errors import explain

PATIENCE = 10.0
_FIRST_WAIT, _LONGEST_WAIT = 0.002, 0.05


class LockedElsewhere(PiError):
    """Another process holds a lock and does not let go of it."""


@contextmanager
def process_lock(path: Path, seconds: float = PATIENCE) -> Iterator[None]:
    """Hold the lock of a lock file, waiting for other processes at most `seconds`, then `LockedElsewhere`;
    `FileError` when there can be no such file.

    The lock file is made with its folders and stays: taking it away would let two processes lock two files of one name.
    Not for use within one process: on some systems the same process locks against itself, on others it does not.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    except OSError as error:
        raise explain(error, "lock", path) from error
    try:
        deadline, wait = time.monotonic() + seconds, _FIRST_WAIT
        while not try_lock(handle):
            if time.monotonic() >= deadline:
                raise LockedElsewhere(
                    f"another process has held {path} for {seconds:g} s; let it finish or end it, then try again"
                )
            time.sleep(wait)
            wait = min(wait * 2, _LONGEST_WAIT)
        yield
    finally:
        os.close(handle)
