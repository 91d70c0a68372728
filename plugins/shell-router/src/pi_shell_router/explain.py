"""`pi shell --explain`: what would happen to a command, without running it."""

from __future__ import annotations

import json
import sys
from typing import Any

from pi_shell.dump import as_json, dump

from pi_shell_router.front import REFUSED, Front
from pi_shell_router.routing import Route


def explain_all(front: Front, command: str | None, *, as_json: bool) -> int:
    """Explain one command, or the whole of the standard input; 2 when it would not run."""
    text = command if command is not None else sys.stdin.read()
    route = front.open().explain(text)
    print(json.dumps(explained(text, route)) if as_json else told(route))
    return 0 if route.tier is not None else REFUSED


def explained(command: str, route: Route) -> dict[str, Any]:
    """A route for programs: `tier` is null when the command would not run, `refusal` when that has no name."""
    refusal = {"id": route.refusal, "message": route.reason, "span": list(route.span) if route.span else None}
    return {
        "command": command,
        "tier": route.tier,
        "reason": route.reason,
        "refusal": refusal if route.refusal else None,
        "ast": None if route.tree is None else as_json(route.tree),
    }


def told(route: Route) -> str:
    """A route for people."""
    first = f"tier: {route.tier}" if route.tier else f"refused: {route.refusal}" if route.refusal else "runs nowhere"
    tree = () if route.tree is None else (dump(route.tree),)
    return "\n".join((first, route.reason, *tree))
