"""A Messages server that does exactly what a test says, piece by piece, and sees what its client does."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

WIRE = Path(__file__).parent / "wire"


@dataclass(frozen=True)
class Hold:
    """Send nothing more until the event is set; `reached` tells that the server has come this far."""

    until: asyncio.Event = field(default_factory=asyncio.Event)
    reached: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(frozen=True)
class Drop:
    """Break the connection."""


Part = bytes | Hold | Drop


@dataclass
class Received:
    """A request as it came."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass
class MessagesServer:
    """Answers every request with `status`, `headers` and `parts`; `left` is set when a client has gone."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: {"content-type": "text/event-stream; charset=utf-8"})
    parts: Sequence[Part] = ()
    begin: Hold | None = None
    received: list[Received] = field(default_factory=list)
    open: int = 0
    left: asyncio.Event = field(default_factory=asyncio.Event)
    url: str = ""

    def plays(self, name: str, *more: Part) -> "MessagesServer":
        """Answer with a stream from the folder `wire`."""
        self.parts = ((WIRE / f"{name}.sse").read_bytes(), *more)
        return self

    def refuses(self, status: int, body: str, **headers: str) -> "MessagesServer":
        """Answer with an error."""
        self.status, self.parts = status, (body.encode(),)
        self.headers = {"content-type": "application/json", **{k.replace("_", "-"): v for k, v in headers.items()}}
        return self

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.open += 1
        watch = None
        try:
            self.received.append(await read_request(reader))
            watch = asyncio.ensure_future(self.watch(reader))
            if self.begin is not None:
                await held(self.begin, watch)
            await self.answer(writer, watch)
        except (ConnectionError, asyncio.IncompleteReadError):
            self.left.set()
        finally:
            self.open -= 1
            if watch is not None:
                watch.cancel()
            writer.close()

    async def watch(self, reader: asyncio.StreamReader) -> None:
        """A client that closes its side is gone: it has sent its whole request."""
        with suppress(ConnectionError):
            await reader.read()
        self.left.set()

    async def answer(self, writer: asyncio.StreamWriter, watch: "asyncio.Future[None]") -> None:
        head = [f"HTTP/1.1 {self.status} X", *(f"{name}: {value}" for name, value in self.headers.items())]
        head.append("transfer-encoding: chunked")
        writer.write("\r\n".join([*head, "", ""]).encode())
        for part in self.parts:
            if isinstance(part, Drop):
                writer.transport.abort()
                return
            if isinstance(part, Hold):
                await held(part, watch)
            elif part:
                writer.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
                await writer.drain()
        writer.write(b"0\r\n\r\n")
        await writer.drain()


async def held(hold: Hold, watch: "asyncio.Future[None]") -> None:
    """Wait until the test lets go, or the client is gone."""
    hold.reached.set()
    until = asyncio.ensure_future(hold.until.wait())
    await asyncio.wait({until, watch}, return_when=asyncio.FIRST_COMPLETED)
    until.cancel()


async def read_request(reader: asyncio.StreamReader) -> Received:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:]) if name}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Received(head[0].split(" ")[1], headers, json.loads(body) if body else {})


@pytest.fixture
async def server() -> AsyncIterator[MessagesServer]:
    """A running server; say what it answers before asking."""
    messages = MessagesServer()
    async with await asyncio.start_server(messages.serve, "127.0.0.1", 0) as listening:
        messages.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
        yield messages
        listening.close()


@pytest.fixture
def hold() -> type[Hold]:
    """Parts of an answer that wait."""
    return Hold


@pytest.fixture
def drop() -> Drop:
    """The part of an answer that breaks the connection."""
    return Drop()


@pytest.fixture
def wire() -> Path:
    """The folder of recorded streams."""
    return WIRE
