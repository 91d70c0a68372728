"""Where the peers lie: programs that nobody here wrote, installed once into a cache outside the tree.

`python -m tests.peers` installs them; a test asks for one with `peer` and skips with a reason when it is absent.
"""

import hashlib
import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
LISTS = ("requirements.txt", "package.json")
UPSTREAM_VARIABLE = "PI_TEST_UPSTREAM"


def cache() -> Path:
    """Give the folder of this list of peers; another list, or another Python, gets another folder."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    lists = "".join((HERE / name).read_text(encoding="utf-8") for name in LISTS)
    digest = hashlib.sha256(f"{sys.version}\n{lists}".encode()).hexdigest()[:12]
    return Path(base, "pi-test-peers", digest)


def node_modules() -> Path:
    """Give the folder of the peers from npm: `PI_TEST_UPSTREAM` names another one than the cache's."""
    return Path(os.environ.get(UPSTREAM_VARIABLE) or cache() / "node_modules")


def places() -> dict[str, Path]:
    """Give where each peer's program is, or would be: `aimock`, `llm`, `llmock` and `upstream-pi`."""
    scripts = "Scripts" if os.name == "nt" else "bin"
    return {
        "aimock": node_modules() / ".bin" / "aimock",
        "llm": cache() / "python" / scripts / "llm",
        "llmock": cache() / "python" / scripts / "llmock",
        # Not through .bin: two peers call themselves `pi`.
        "upstream-pi": node_modules() / "@mariozechner" / "pi-coding-agent" / "dist" / "cli.js",
    }


def peer(name: str) -> Path:
    """Give a peer's program, or skip the test with a reason that names it."""
    import pytest  # here, so that a bare Python can install the peers

    found = places()[name]
    if not found.is_file():
        pytest.skip(f"{name} is not installed; `python -m tests.peers` installs it")
    return found
