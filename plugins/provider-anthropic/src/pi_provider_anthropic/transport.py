"""One HTTP request and the bytes of its answer. httpx is imported with this module, that is, on the first request."""

import asyncio
import json
import re
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

import httpx
from pi_api.errors import ErrorKind

from pi_provider_anthropic.failures import failed
from pi_provider_anthropic.surrogates import whole
from pi_provider_anthropic.watchdog import Phase, Watchdog

ERROR_BODY_SECONDS = 15.0
ERROR_BODY_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Answer:
    """A response whose body is still to come; header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    _response: httpx.Response
    _watchdog: Watchdog

    async def chunks(self) -> AsyncGenerator[bytes, None]:
        """The body as it comes; a silence too long for the watchdog, or a broken connection, raises a failure."""
        pieces = self._response.aiter_bytes()
        while True:
            try:
                async with asyncio.timeout_at(self._watchdog.deadline):
                    piece = await anext(pieces)
            except StopAsyncIteration:
                return
            except TimeoutError as error:
                raise self._watchdog.stalled() from error
            except httpx.DecodingError as error:
                raise failed(ErrorKind.MALFORMED, f"The answer cannot be decoded: {error}.") from error
            except (httpx.HTTPError, httpx.StreamError, OSError) as error:
                raise failed(
                    ErrorKind.NETWORK, f"The connection broke before the answer was complete ({said(error)})."
                ) from error
            yield piece

    async def text(self) -> str:
        """The beginning of the body of an error."""
        body = b""
        try:
            async with asyncio.timeout(ERROR_BODY_SECONDS):
                async for piece in self._response.aiter_bytes():
                    body += piece
                    if len(body) >= ERROR_BODY_BYTES:
                        break
        except (httpx.HTTPError, httpx.StreamError, OSError):
            return body.decode("utf-8", "replace")
        return body[:ERROR_BODY_BYTES].decode("utf-8", "replace")


@asynccontextmanager
async def post(url: str, headers: Mapping[str, str], payload: Any, watchdog: Watchdog) -> AsyncIterator[Answer]:
    """Send the payload and give the answer; the connection is closed on the way out, however that is left."""
    try:
        client = httpx.AsyncClient(verify=trust_for(url), timeout=None, follow_redirects=False)
        request = client.build_request("POST", url, headers=dict(headers), content=encoded(payload))
    except (httpx.InvalidURL, ValueError, TypeError) as error:
        raise failed(ErrorKind.INVALID_REQUEST, f"The request to {shown(url)} cannot be made: {error}.") from error
    async with client:
        try:
            async with asyncio.timeout_at(watchdog.deadline):
                response = await client.send(request, stream=True)
        except TimeoutError as error:
            raise watchdog.stalled() from error
        except httpx.UnsupportedProtocol as error:
            raise failed(ErrorKind.INVALID_REQUEST, f"The request to {shown(url)} cannot be made: {error}.") from error
        except (httpx.HTTPError, OSError) as error:
            raise failed(ErrorKind.NETWORK, f"No connection to {shown(url)} ({said(error)}).") from error
        watchdog.alive(Phase.FIRST)
        lowered = {name.lower(): value for name, value in response.headers.items()}
        yield Answer(response.status_code, lowered, response, watchdog)


def encoded(payload: Any) -> bytes:
    """The payload as JSON in UTF-8, which has no room for halves of characters."""
    try:
        return json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(whole(payload), ensure_ascii=False, separators=(",", ":")).encode()


def trust_for(url: str) -> ssl.SSLContext:
    """Whom to trust on the way to an address; nobody for a plain one on this machine, where no TLS is spoken."""
    if re.match(r"http://(localhost|127\.|\[::1\])", url):
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return certificates()


@cache
def certificates() -> ssl.SSLContext:
    """The trusted certificates, read once a process."""
    return httpx.create_ssl_context()


def shown(url: str) -> str:
    """A URL without the name and password it may hold."""
    return re.sub(r"//[^/@]*@", "//", url)


def said(error: BaseException) -> str:
    """An error by its type, with its text when it has one."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
