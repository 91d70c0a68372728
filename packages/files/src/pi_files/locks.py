"""One writer at a time for each file, in the order of asking."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import PurePath
from weakref import WeakKeyDictionary, WeakValueDictionary

_by_loop: "WeakKeyDictionary[asyncio.AbstractEventLoop, WeakValueDictionary[tuple[str, PurePath], asyncio.Lock]]"
_by_loop = WeakKeyDictionary()


@asynccontextmanager
async def file_lock(real_path: PurePath, system: str = "local") -> AsyncIterator[None]:
    """Hold the lock of a file around reading, changing and writing it.

    `real_path` has its links resolved, so two spellings of a file share a lock. It covers every session of this
    process; `system` tells apart the machines that paths may belong to.
    """
    locks = _by_loop.setdefault(asyncio.get_running_loop(), WeakValueDictionary())
    lock = locks.setdefault((system, real_path), asyncio.Lock())
    async with lock:
        yield
