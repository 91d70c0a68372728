"""Children of a process on macOS, from libproc (proc_listchildpids, in libSystem)."""

from __future__ import annotations

import ctypes
import functools

PID_SIZE = ctypes.sizeof(ctypes.c_int32)


@functools.cache
def _libproc() -> ctypes.CDLL:
    library = ctypes.CDLL("/usr/lib/libproc.dylib")
    library.proc_listchildpids.argtypes = [ctypes.c_int32, ctypes.c_void_p, ctypes.c_int]
    library.proc_listchildpids.restype = ctypes.c_int
    return library


def children_of(pid: int) -> tuple[int, ...]:
    """Pids of the direct children of `pid`; empty when it has none or is gone."""
    capacity = 64
    while True:
        buffer = (ctypes.c_int32 * capacity)()
        count = _libproc().proc_listchildpids(pid, buffer, capacity * PID_SIZE)
        if count <= 0:
            return ()
        if count < capacity:
            return tuple(child for child in buffer[:count] if child > 0)
        capacity *= 4
