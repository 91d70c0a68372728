"""From what went wrong to its class: HTTP status and the body's error type first, the text as a last resort.

Types and statuses: Anthropic's API reference, "Errors". Texts: as gateways and the API itself are known to write them.
"""

import json
import re
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime
from typing import Any

from pi_api.errors import ErrorKind, ProviderFailure

_BY_TYPE = {
    "authentication_error": ErrorKind.AUTH,
    "permission_error": ErrorKind.AUTH,
    "billing_error": ErrorKind.BILLING,
    "not_found_error": ErrorKind.INVALID_REQUEST,
    "request_too_large": ErrorKind.CONTEXT_OVERFLOW,
    "rate_limit_error": ErrorKind.RATE_LIMIT,
    "overloaded_error": ErrorKind.OVERLOADED,
    "timeout_error": ErrorKind.SERVER_ERROR,
}
_BY_VAGUE_TYPE = {"invalid_request_error": ErrorKind.INVALID_REQUEST, "api_error": ErrorKind.SERVER_ERROR}
_BY_STATUS = {
    401: ErrorKind.AUTH,
    402: ErrorKind.BILLING,
    403: ErrorKind.AUTH,
    408: ErrorKind.SERVER_ERROR,
    409: ErrorKind.SERVER_ERROR,
    413: ErrorKind.CONTEXT_OVERFLOW,
    429: ErrorKind.RATE_LIMIT,
    529: ErrorKind.OVERLOADED,
}
_OVERFLOW = re.compile(
    r"prompt (?:is )?too long|request_too_large|input is too long|exceed\w* the (?:available )?context|"
    r"maximum context length|context[_ ](?:length|window)[_ ]?exceed|exceed_context_size|too many input tokens|"
    r"input length and `max_tokens` exceed context limit",
    re.IGNORECASE,
)
_BILLING = re.compile(
    r"credit balance|billing|usage limits?\b|spend(?:ing)? limit|insufficient (?:quota|funds|credits?)|quota exceeded|"
    r"insufficient_quota|payment required",
    re.IGNORECASE,
)
_TEXTS = (
    (ErrorKind.OVERLOADED, re.compile(r"overloaded|at capacity|high demand|529", re.IGNORECASE)),
    (ErrorKind.RATE_LIMIT, re.compile(r"rate.?limit|too many requests|\b429\b", re.IGNORECASE)),
    (ErrorKind.AUTH, re.compile(r"invalid (?:x-)?api.?key|unauthorized|authentication|forbidden", re.IGNORECASE)),
    (ErrorKind.NETWORK, re.compile(r"connection (?:closed|reset|lost|refused|error)", re.IGNORECASE)),
    (ErrorKind.SERVER_ERROR, re.compile(r"internal (?:server )?error|unavailable|bad gateway|timed? ?out", re.I)),
)
_REMEDIES = {
    ErrorKind.AUTH: "Check ANTHROPIC_API_KEY, ANTHROPIC_OAUTH_TOKEN or --api-key.",
    ErrorKind.BILLING: "Check the account's credit and limits, or choose another model.",
    ErrorKind.CONTEXT_OVERFLOW: "Shorten the conversation.",
}
MAX_TEXT = 2_000


class RequestFailedError(Exception):
    """Ends a request inside this package; the provider turns it into the stream's `Failed`."""

    def __init__(self, failure: ProviderFailure) -> None:
        super().__init__(failure.message)
        self.failure = failure


def failed(kind: ErrorKind, text: str, **fields: Any) -> RequestFailedError:
    """An error of a class, with what to do about it."""
    ended = text if text.endswith((".", "!", "?", ")")) else text + "."
    return RequestFailedError(ProviderFailure(kind, f"{ended} {_REMEDIES.get(kind, '')}".strip(), **fields))


def response_failure(status: int, headers: Mapping[str, str], body: str, now: float) -> RequestFailedError:
    """An answer that is no 200. `headers` have lower-case names; `now` is seconds since 1970."""
    kind_name, message = error_of(body)
    text = (
        f"Anthropic answered with HTTP {status}{f' ({kind_name})' if kind_name else ''}: {message or 'no reason given'}"
    )
    kind = classify(status, kind_name, message)
    return failed(kind, text, status=status, retry_after=retry_after(headers, now))


def event_failure(data: str) -> RequestFailedError:
    """An `error` event inside a stream."""
    kind_name, message = error_of(data)
    text = f"Anthropic broke off the answer{f' ({kind_name})' if kind_name else ''}: {message or 'no reason given'}"
    return failed(classify(None, kind_name, message), text)


def classify(status: int | None, kind_name: str, message: str) -> ErrorKind:
    """The class of an error: a telling type, then the status, then a vague type; a text may say more."""
    kind = _BY_TYPE.get(kind_name) or _BY_STATUS.get(status or 0) or _BY_VAGUE_TYPE.get(kind_name) or _by_range(status)
    if kind in (ErrorKind.AUTH, ErrorKind.BILLING, ErrorKind.OVERLOADED, ErrorKind.CONTEXT_OVERFLOW):
        return kind
    text = f"{kind_name} {message}"
    if kind is not ErrorKind.RATE_LIMIT and _OVERFLOW.search(text):
        return ErrorKind.CONTEXT_OVERFLOW
    if _BILLING.search(text) and "per minute" not in text:
        return ErrorKind.BILLING
    if kind in (None, ErrorKind.SERVER_ERROR):
        return next((found for found, pattern in _TEXTS if pattern.search(text)), kind or ErrorKind.UNKNOWN)
    return kind


def _by_range(status: int | None) -> ErrorKind | None:
    if status is None or status < 400:
        return None
    return ErrorKind.SERVER_ERROR if status >= 500 else ErrorKind.INVALID_REQUEST


def error_of(body: str) -> tuple[str, str]:
    """The type and message of an error body in any of the shapes servers use; the body itself when it has none."""
    try:
        data = json.loads(body)
    except ValueError:
        return "", shortened(re.sub(r"<[^>]*>", " ", body))
    error = data.get("error", data) if isinstance(data, dict) else data
    if isinstance(error, dict):
        name, message = error.get("type"), error.get("message")
        return (name if isinstance(name, str) else ""), shortened(message if isinstance(message, str) else body)
    return "", shortened(error if isinstance(error, str) else body)


def shortened(text: str) -> str:
    """One line of bounded length."""
    line = " ".join(text.split())
    return line if len(line) <= MAX_TEXT else line[:MAX_TEXT] + " …"


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """The wait that a server asks for, in seconds: `retry-after-ms`, or `retry-after` in seconds or as a date."""
    readers: tuple[tuple[str, Callable[[str], float]], ...] = (
        ("retry-after-ms", lambda value: float(value) / 1000),
        ("retry-after", float),
        ("retry-after", lambda value: parsedate_to_datetime(value).timestamp() - now),
    )
    for name, read in readers:
        try:
            seconds = read(headers[name])
        except (KeyError, ValueError, TypeError):
            continue
        if seconds == seconds and abs(seconds) != float("inf"):
            return max(0.0, seconds)
    return None
