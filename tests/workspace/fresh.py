"""Refuse to test old code: `python -I tests/workspace/fresh.py` compares the installed members with the tree.

It runs inside a member's environment, which holds that member and what it declares, so it uses nothing else.
"""

import sys
from functools import cache
from importlib.metadata import Distribution, distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@cache
def source_of(name: str) -> Path | None:
    """Find the `src` folder that holds the import package `name`, or nothing when it is not a member's."""
    if not name.isidentifier():
        return None
    for pattern in ("kernel", "packages/*", "plugins/*", "skills", "themes"):
        for found in ROOT.glob(f"{pattern}/src/{name}"):
            return found.parent
    return None


def stale_files(distribution: Distribution) -> list[str]:
    """List the installed modules and data files of a member that differ from the tree, or have no counterpart there."""
    stale: list[str] = []
    for file in distribution.files or []:
        source = source_of(file.parts[0])
        if source is None or file.suffix == ".pyc":
            continue
        counterpart = source / file
        if not counterpart.is_file() or counterpart.read_bytes() != file.read_binary():
            stale.append(str(file))
    return stale


def main() -> int:
    """Report every stale member; 1 when there is one."""
    stale = {d.metadata["Name"]: found for d in distributions() if (found := stale_files(d))}
    for name, files in stale.items():
        print(f"{name}: the installed wheel is not what the tree holds ({', '.join(files[:3])}).", file=sys.stderr)
    if stale:
        print("Run `tox -e wheels` first, or name it before the environment: `tox -e wheels,NAME`.", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    raise SystemExit(main())
