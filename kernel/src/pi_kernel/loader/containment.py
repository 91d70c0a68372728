"""Calling foreign code with a deadline.

A plugin that never returns cannot be interrupted from its own thread, so foreign code runs on a worker thread; when it
overstays, the thread is abandoned (it is a daemon and ends with the process) and the next call gets a new one.
"""

from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")

_Request = tuple[Callable[..., Any], tuple[Any, ...], "SimpleQueue[_Reply]"]
_Reply = tuple[Any, BaseException | None]


class Hung(Exception):
    """Foreign code did not return in time; `seconds` is how long it was given."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"did not return within {seconds:g} s")
        self.seconds = seconds


class Warden:
    """Runs one call at a time on a worker thread; raises what the call raised, or `Hung` after `seconds`."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._requests: SimpleQueue[_Request | None] | None = None

    def call(self, function: Callable[..., T], *arguments: Any) -> T:
        if self._requests is None:
            self._requests = SimpleQueue()
            Thread(target=_serve, args=(self._requests,), name="pi-plugins", daemon=True).start()
        reply: SimpleQueue[_Reply] = SimpleQueue()
        self._requests.put((function, arguments, reply))
        try:
            value, error = reply.get(timeout=self.seconds)
        except Empty:
            self._requests.put(None)
            self._requests = None
            raise Hung(self.seconds) from None
        if error is not None:
            raise error
        result: T = value
        return result

    def close(self) -> None:
        """Let the worker thread end."""
        if self._requests is not None:
            self._requests.put(None)
            self._requests = None


def _serve(requests: "SimpleQueue[_Request | None]") -> None:
    while (request := requests.get()) is not None:
        function, arguments, reply = request
        try:
            reply.put((function(*arguments), None))
        except BaseException as error:
            reply.put((None, error))
