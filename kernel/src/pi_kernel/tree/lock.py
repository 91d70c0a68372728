"""The writer lock of a session file, which readers never notice; it lasts until the file is closed."""

import os
import sys

if sys.platform == "win32":
    import msvcrt

    # Windows keeps others from reading a locked byte, so it lies past all data; C runtimes agree up to 31 bits.
    _FAR_PAST_THE_END = 0x7FFF_FFFF

    def try_lock(fd: int) -> bool:
        """Locks an open file for this writer; False when another has it."""
        os.lseek(fd, _FAR_PAST_THE_END, os.SEEK_SET)
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except OSError:  # its number depends on the C runtime
            return False
        return True

else:
    import fcntl

    def try_lock(fd: int) -> bool:
        """Locks an open file for this writer; False when another has it."""
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
