"""Starting: `--version` and `--help` beside bare Python and beside peers that are installed."""

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.frame import Contender, measure, table
from tests.installed import new_user, pi_command
from tests.peers.places import places

BARE = "python -c pass"


def contenders(argument: str, env: dict[str, str], folder: Path) -> list[Contender]:
    """Give bare Python, pi, and the peers that are there, each asked for `argument`."""
    pi = str(pi_command())
    found = [
        Contender(BARE, [sys.executable, "-c", "pass"], env, folder),
        Contender(f"pi {argument}", [pi, argument], env, folder),
        Contender(f"python -m pi_kernel {argument}", [sys.executable, "-m", "pi_kernel", argument], env, folder),
    ]
    for name in ("upstream-pi", "llm"):
        path = places()[name]
        if path.is_file():
            found.append(Contender(f"{name} {argument}", [str(path), argument], {**env, "PI_OFFLINE": "1"}, folder))
    return found


def tables(rounds: int) -> Iterator[str]:
    """Measure `--version`, then `--help`."""
    with tempfile.TemporaryDirectory(prefix="pi-bench-home-") as home:
        env = {**new_user(Path(home)), "PATH": os.environ["PATH"]}
        for argument in ("--version", "--help"):
            yield table(argument, measure(contenders(argument, env, Path(home)), rounds), BARE)
