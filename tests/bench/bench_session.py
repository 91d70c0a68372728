"""The session tree: what one append and one opening cost as the file grows."""

import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median

from pi_kernel.tree import SessionTree

LENGTHS = (1_000, 10_000, 100_000)
TEXT = "All work and no play makes a long session. " * 15
BATCH = 200


def tables(rounds: int) -> Iterator[str]:
    """Measure appends at the end of ever longer files, and openings of them, by CPU time."""
    lines = ["### session tree", "", "| entries | append µs | × | open ms | × per entry |", "|--:|--:|--:|--:|--:|"]
    first: tuple[float, float] | None = None
    with tempfile.TemporaryDirectory(prefix="pi-bench-") as folder:
        for length in LENGTHS:
            path = Path(folder, f"{length}.jsonl")
            append = _filled(path, length) * 1e6
            opened = median(_cpu(partial(_open, path)) for _ in range(rounds)) * 1e3
            first = first or (append, opened / length)
            growth = f"{append / first[0]:.2f} | {opened:.1f} | {opened / length / first[1]:.2f}"
            lines.append(f"| {length:,} | {append:.1f} | {growth} |")
    yield "\n".join(lines) + "\n"


def _filled(path: Path, length: int) -> float:
    """Fill a file; seconds of CPU that one append took at the end of it."""
    with SessionTree.create(path, str(path.parent)) as tree:
        for _ in range(length - BATCH):
            _append(tree)
        return _cpu(partial(_append_many, tree)) / BATCH


def _open(path: Path) -> None:
    SessionTree.open(path).close()


def _append_many(tree: SessionTree) -> None:
    for _ in range(BATCH):
        _append(tree)


def _append(tree: SessionTree) -> None:
    tree.append("message", {"message": {"role": "user", "content": TEXT, "timestamp": 1}})


def _cpu(action: Callable[[], object]) -> float:
    before = time.process_time()
    action()
    return time.process_time() - before
