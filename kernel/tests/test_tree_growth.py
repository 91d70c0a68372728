"""An append costs the same at any length, and opening reads each byte once; counted, not timed."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pi_kernel.tree import SessionTree, entry, index

LENGTHS = (1_000, 10_000, 100_000)
MESSAGE = {"message": {"role": "user", "content": [{"type": "text", "text": 'Say "{}" and \\ and\n'}], "timestamp": 1}}


class Counts(dict[str, int]):
    """How often things happened."""

    def counting(self, name: str, function: Any, amount: Any = lambda result: 1) -> Any:
        def counted(*arguments: Any, **options: Any) -> Any:
            result = function(*arguments, **options)
            self[name] = self.get(name, 0) + amount(result)
            return result

        return counted


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Counts:
    counts = Counts()
    for module in (entry, index):
        monkeypatch.setattr(module, "decode", counts.counting("lines parsed", entry.decode))
    monkeypatch.setattr(os, "write", counts.counting("bytes written", os.write, lambda written: written))
    monkeypatch.setattr(os, "read", counts.counting("bytes read", os.read, len))
    for call in ("lseek", "fstat", "stat"):
        monkeypatch.setattr(os, call, counts.counting("other calls", getattr(os, call)))
    return counts


@pytest.fixture(scope="module")
def long_sessions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[int, Path]]:
    files = {length: tmp_path_factory.mktemp("long") / f"{length}.jsonl" for length in LENGTHS}
    start, payload = entry.Header.new("/project").line, entry.encode(MESSAGE)[1:]
    for length, file in files.items():
        with file.open("wb") as lines:
            lines.write(start + b"\n")
            for count in range(length):
                parent = b'"%08x"' % (count - 1) if count else b"null"
                base = b'{"type":"message","id":"%08x","parentId":%s,"timestamp":"2025-01-01T00:00:00.000Z",'
                lines.write(base % (count, parent) + payload + b"\n")
    yield files
    for file in files.values():
        file.unlink()


def test_an_append_does_not_get_dearer(long_sessions: dict[int, Path], counts: Counts) -> None:
    costs = []
    for length, file in long_sessions.items():
        with SessionTree.open(file) as tree:
            assert len(tree) == length
            counts.clear()
            for _ in range(10):
                tree.append("message", MESSAGE)
            costs.append(dict(counts))
    assert costs[0]["bytes written"] > 0
    assert "lines parsed" not in costs[0]
    assert "bytes read" not in costs[0]
    assert costs[0] == costs[1] == costs[2]


def test_opening_parses_no_payload(long_sessions: dict[int, Path], counts: Counts) -> None:
    parsed = []
    for file in long_sessions.values():
        counts.clear()
        with SessionTree.open(file, read_only=True) as tree:
            parsed.append(counts["lines parsed"])
            assert len(tree.path()) == len(tree)
            assert counts["lines parsed"] == parsed[-1]
            assert tree.get(tree.leaf_id or "").data == MESSAGE
            assert counts["lines parsed"] == parsed[-1] + 1
    assert parsed == [1, 1, 1]
