"""Why a model request failed, in classes that retry, compaction and fail-over can act on."""

from dataclasses import dataclass
from enum import StrEnum


class ErrorKind(StrEnum):
    """The class of a provider failure; its text is what sessions store as `errorKind`."""

    OVERLOADED = "overloaded"
    RATE_LIMIT = "rate_limit"
    SERVER_ERROR = "server_error"
    NETWORK = "network"
    STREAM_STALL = "stream_stall"
    MALFORMED = "malformed"
    CONTEXT_OVERFLOW = "context_overflow"
    AUTH = "auth"
    BILLING = "billing_or_quota"
    INVALID_REQUEST = "invalid_request"
    ABORTED = "aborted"
    UNKNOWN = "unknown"

    @property
    def retryable(self) -> bool:
        """The same request may succeed later."""
        return self in _RETRYABLE

    @property
    def should_compact(self) -> bool:
        """A shorter context may succeed."""
        return self is ErrorKind.CONTEXT_OVERFLOW

    @property
    def should_rotate(self) -> bool:
        """Another credential may succeed."""
        return self is ErrorKind.AUTH

    @property
    def should_fall_back(self) -> bool:
        """Another provider may succeed."""
        return self in (ErrorKind.BILLING, ErrorKind.AUTH)


_RETRYABLE = frozenset(
    {
        ErrorKind.OVERLOADED,
        ErrorKind.RATE_LIMIT,
        ErrorKind.SERVER_ERROR,
        ErrorKind.NETWORK,
        ErrorKind.STREAM_STALL,
        ErrorKind.MALFORMED,
    }
)


@dataclass(frozen=True, slots=True)
class ProviderFailure:
    """One failed request: its class, a text for people, the HTTP status and the wait the server asked for (seconds)."""

    kind: ErrorKind
    message: str
    status: int | None = None
    retry_after: float | None = None


class PiError(Exception):
    """Base of errors whose text is meant for the user: what happened, to what, and what to do."""


class UsageError(PiError):
    """The command line asks for something that cannot be done as asked; the process exits with 2."""


class Leave(Exception):
    """The command line is answered: print `text` and exit with `status`. Not a failure."""

    def __init__(self, text: str, status: int = 0) -> None:
        super().__init__(text)
        self.text = text
        self.status = status


class BusyError(PiError):
    """A prompt came while the session runs another and did not say how it is to be delivered."""
