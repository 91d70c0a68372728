"""Threads for the stages of pipelines; an idle one is used again, since starting one costs more than most stages."""

from __future__ import annotations

import _thread
from queue import SimpleQueue
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_idle: list[SimpleQueue[Job]] = []


class Job:
    """Some work in a thread; `wait` gives its result or raises what it raised."""

    __slots__ = ("_done", "_error", "_result", "_work")

    def __init__(self, work: Callable[[], int]) -> None:
        self._work = work
        self._result = 0
        self._error: BaseException | None = None
        self._done = _thread.allocate_lock()
        self._done.acquire()

    def run(self) -> None:
        """Does the work, in the thread."""
        try:
            self._result = self._work()
        except BaseException as error:
            self._error = error
        finally:
            self._done.release()

    def wait(self) -> int:
        """The result, once it is there."""
        with self._done:
            if self._error is not None:
                raise self._error
            return self._result


def call_in_thread(work: Callable[[], int]) -> Job:
    """Starts `work` in a thread of its own."""
    job = Job(work)
    try:
        inbox = _idle.pop()
    except IndexError:
        inbox = SimpleQueue()
        _thread.start_new_thread(_serve, (inbox,))
    inbox.put(job)
    return job


def _serve(inbox: SimpleQueue[Job]) -> None:
    while True:
        job = inbox.get()
        job.run()
        del job
        _idle.append(inbox)
