"""One writer per session file: a lock of the operating system that readers never notice."""

import os
import sys

if sys.platform == "win32":
    import msvcrt

    # Windows locks are mandatory, so the locked byte must lie past all data; C runtimes agree on 31 bits only.
    _FAR_PAST_THE_END = 0x7FFF_FFFF

    def try_lock(fd: int) -> bool:
        """Takes the writer lock of an open file until it is closed; False when somebody holds it."""
        os.lseek(fd, _FAR_PAST_THE_END, os.SEEK_SET)
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def try_lock(fd: int) -> bool:
        """Takes the writer lock of an open file until it is closed; False when somebody holds it."""
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
