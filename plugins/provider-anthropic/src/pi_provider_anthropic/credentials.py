"""Which key a request is sent with."""

from collections.abc import Mapping
from dataclasses import dataclass, field

OAUTH_MARK = "sk-ant-oat"
_BEARERS = ("ANTHROPIC_OAUTH_TOKEN", "ANTHROPIC_AUTH_TOKEN")
KEY_VARIABLES = (*_BEARERS, "ANTHROPIC_API_KEY")
SHORTEST_SECRET = 8
MISSING = (
    "There is no key for Anthropic: set ANTHROPIC_API_KEY (or ANTHROPIC_OAUTH_TOKEN, ANTHROPIC_AUTH_TOKEN), "
    "or give one with --api-key."
)


@dataclass(frozen=True, slots=True)
class Credential:
    """A key and how it is sent; the key itself is in no `repr`."""

    secret: str = field(repr=False)
    bearer: bool = False
    oauth: bool = False

    @property
    def headers(self) -> dict[str, str]:
        """The headers that carry it."""
        return {"authorization": f"Bearer {self.secret}"} if self.bearer else {"x-api-key": self.secret}

    def redact(self, text: str) -> str:
        """The text without the key, should a server have repeated it; what is too short to be a key stays."""
        return text.replace(self.secret, "[key]") if len(self.secret) >= SHORTEST_SECRET else text


def find_credential(env: Mapping[str, str], api_key: str | None = None) -> Credential | None:
    """The key given, or the first the environment has: OAuth token, gateway token, API key."""
    if api_key and api_key.strip():
        return _told_apart(api_key.strip())
    for name in _BEARERS:
        if token := env.get(name, "").strip():
            return Credential(token, bearer=True, oauth=name == _BEARERS[0] or token.startswith(OAUTH_MARK))
    key = env.get("ANTHROPIC_API_KEY", "").strip()
    return _told_apart(key) if key else None


def _told_apart(key: str) -> Credential:
    oauth = key.startswith(OAUTH_MARK)
    return Credential(key, bearer=oauth, oauth=oauth)
