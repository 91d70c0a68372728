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
        _libproc().proc_listchildpids(pid, buffer, capacity * PID_SIZE)
        # The buffer tells it all: what the call returns was bytes in some releases and entries in others.
        children = tuple(child for child in buffer if child > 0)
        if len(children) < capacity:
            return children
        capacity *= 4
