"""`pi shell`: the shell contract without a model."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pi_kernel import Kernel

USAGE = 2
PLUGINS = frozenset({"settings", "trust", "shell-router", "shell-engine", "shell-posix", "shell-powershell"})


def parser() -> argparse.ArgumentParser:
    """The options of `pi shell`."""
    made = argparse.ArgumentParser(prog="pi shell", description="Run commands as the bash tool does.")
    made.add_argument("-c", dest="command", metavar="COMMAND", help="run one command; its status is the exit status")
    made.add_argument("--tier", metavar="TIER", help="auto, contract, posix, or one tier by name (engine)")
    made.add_argument("--timeout", type=float, metavar="SECONDS", help="kill a command after this time")
    made.add_argument("--explain", action="store_true", help="say which tier runs a command and why; run nothing")
    made.add_argument("--json", action="store_true", help="with --explain: as JSON, with the syntax tree")
    made.add_argument("--jsonl", action="store_true", help="one JSON request a line, one JSON answer a line")
    return made


def main(kernel: Kernel, arguments: Sequence[str]) -> int:
    """Run `pi shell` and return its exit status."""
    options = parser().parse_args(arguments)
    from pi_shell_router.front import NoSuchTier, open_front

    kernel.load(only=PLUGINS)
    try:
        front = open_front(kernel, options.tier, timeout=options.timeout)
    except NoSuchTier as error:
        print(f"pi shell: {error}", file=sys.stderr)
        return USAGE
    if options.explain:
        from pi_shell_router.explain import explain_all

        return explain_all(front, options.command, as_json=options.json)
    if options.jsonl:
        from pi_shell_router.jsonl import serve

        return serve(front)
    if options.command is not None:
        return front.once(options.command)
    return front.interact()
