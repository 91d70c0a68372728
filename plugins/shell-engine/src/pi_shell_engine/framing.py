"""The host's reading of the engine's two pipes: pure, one object a request."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pi_shell_engine.failures import ProtocolViolation
from pi_shell_engine.wire import barrier

LONGEST = 1 << 28
"""Bytes of an answer; the environment it may carry is far smaller on every system."""


@dataclass(frozen=True, slots=True)
class Answer:
    """How a command ended, as the engine tells it. `refusal` is an identifier and a message."""

    status: int
    cwd: str
    env: Mapping[str, str | None]
    refusal: tuple[str, str] | None
    stderr: bytes


class OutputReader:
    """Passes output on up to the barrier; holds back only what may be the barrier's beginning."""

    __slots__ = ("_barrier", "_held", "ended", "late")

    def __init__(self, request_id: str) -> None:
        self._barrier = barrier(request_id)
        self._held = b""
        self.ended = False
        self.late = 0
        """Bytes that came behind the barrier."""

    def feed(self, data: bytes) -> bytes:
        """The output among the bytes that have arrived and not been given yet."""
        if self.ended:
            self.late += len(data)
            return b""
        data = self._held + data
        at = data.find(self._barrier)
        if at >= 0:
            self.ended = True
            self._held = b""
            self.late = len(data) - at - len(self._barrier)
            return data[:at]
        keep = self._possible_beginning(data)
        self._held = data[len(data) - keep :]
        return data[: len(data) - keep]

    def rest(self) -> bytes:
        """What was held back, when no barrier will come any more."""
        held, self._held = self._held, b""
        return held

    def _possible_beginning(self, data: bytes) -> int:
        start = data.rfind(self._barrier[:1], -len(self._barrier) + 1)
        while start >= 0:
            if self._barrier.startswith(data[start:]):
                return len(data) - start
            start = data.rfind(self._barrier[:1], -len(self._barrier) + 1, start)
        return 0


class ControlReader:
    """Collects the control line of one request."""

    __slots__ = ("_id", "answer", "held")

    def __init__(self, request_id: str) -> None:
        self._id = request_id
        self.held = bytearray()
        self.answer: Answer | None = None

    def feed(self, data: bytes) -> None:
        """More bytes of the control pipe. Raises `ProtocolViolation`."""
        start = len(self.held)
        self.held += data
        if self.answer is not None:
            raise ProtocolViolation("the shell engine answered one command twice")
        end = self.held.find(b"\n", start)
        if end < 0:
            if len(self.held) > LONGEST:
                raise ProtocolViolation("the shell engine's answer does not end")
            return
        self.answer = self._parsed(bytes(self.held[:end]))
        rest = self.held[end + 1 :]
        if rest:
            raise ProtocolViolation("the shell engine sent more than one answer to a command")

    def _parsed(self, line: bytes) -> Answer:
        try:
            fields = json.loads(line)
            found = fields["id"]
            answer = Answer(
                status=_of(int, fields["status"]),
                cwd=_of(str, fields["cwd"]),
                env=_environment(fields["env"]),
                refusal=_refusal(fields["refusal"]),
                stderr=base64.b64decode(_of(str, fields.get("stderr", "")), validate=True),
            )
        except (ValueError, KeyError, TypeError, AttributeError, binascii.Error) as error:
            shown = line[:200].decode("utf-8", "replace")
            raise ProtocolViolation(f"the shell engine sent something that is no answer: {shown}") from error
        if found != self._id:
            raise ProtocolViolation(f"the shell engine answered command {found}, but {self._id} was asked")
        return answer


def _of(kind: type, value: Any) -> Any:
    if type(value) is not kind:
        raise TypeError(f"{value!r} is no {kind.__name__}")
    return value


def _environment(value: Any) -> dict[str, str | None]:
    return {_of(str, name): None if text is None else _of(str, text) for name, text in value.items()}


def _refusal(value: Any) -> tuple[str, str] | None:
    return None if value is None else (_of(str, value["id"]), _of(str, value["message"]))
