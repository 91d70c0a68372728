"""The headers of a request."""

from collections.abc import Mapping
from typing import Any

from pi_api.provider import Request

from pi_provider_anthropic.credentials import Credential

API_VERSION = "2023-06-01"
OAUTH_BETA = "oauth-2025-04-20"
INTERLEAVED_BETA = "interleaved-thinking-2025-05-14"


def headers_for(request: Request, payload: Mapping[str, Any], credential: Credential) -> dict[str, str]:
    """The headers: the model's and the request's own win over ours, the key over all."""
    betas = [OAUTH_BETA] if credential.oauth else []
    if payload.get("thinking", {}).get("type") == "enabled" and payload.get("tools"):
        betas.append(INTERLEAVED_BETA)
    headers = {
        "accept": "text/event-stream, application/json",
        "accept-encoding": "identity",
        "anthropic-version": API_VERSION,
        "content-type": "application/json",
        "user-agent": "pi",
        **({"anthropic-beta": ",".join(betas)} if betas else {}),
    }
    for given in (request.model.headers, request.headers):
        headers.update({name.lower(): value for name, value in given.items()})
    return {**headers, **credential.headers}
