"""Whatever is done to a session, it equals a simple model of it, also after reopening and failed writes."""

import errno
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from pi_kernel.tree import SessionTree
from pi_kernel.tree.errors import WriteFailed

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
TYPES = st.sampled_from(["message", "model_change", "custom", "compaction", "own-type"])
GARBAGE = st.sampled_from([b'{"type":"message","id":"x","parentId":null,"timestamp":"t","message":{', b"\xff", b"{}}"])


os_write = os.write


class SessionModel(RuleBasedStateMachine):
    """The model: entries as (id, parent, type, payload), a leaf, labels and a name."""

    @initialize()
    def start(self) -> None:
        self.directory = Path(tempfile.mkdtemp())
        self.file = self.directory / "session.jsonl"
        self.tree = SessionTree.create(self.file, "/project")
        self.entries: list[tuple[str, str | None, str, Any]] = []
        self.leaf: str | None = None
        self.labels: dict[str, str] = {}
        self.name: str | None = None

    def teardown(self) -> None:
        self.tree.close()
        shutil.rmtree(self.directory)

    def pick(self, data: st.DataObject) -> str:
        return data.draw(st.sampled_from([entry_id for entry_id, *_ in self.entries]))

    @rule(kind=TYPES, payload=st.dictionaries(st.sampled_from(["message", "data", "label", "name"]), JSON))
    def append(self, kind: str, payload: dict[str, Any]) -> None:
        entry = self.tree.append(kind, payload)
        self.entries.append((entry.id, self.leaf, kind, payload))
        self.leaf = entry.id

    @precondition(lambda self: self.entries)
    @rule(data=st.data())
    def branch(self, data: st.DataObject) -> None:
        target = data.draw(st.none() | st.just(self.pick(data)))
        moved = target != self.leaf
        self.tree.branch(target)
        if moved:
            marker = self.tree.entries()[-1]
            self.entries.append((marker.id, target, "custom", {"customType": "pi.leaf"}))
        self.leaf = target

    @precondition(lambda self: self.entries)
    @rule(data=st.data(), text=st.none() | st.text(min_size=1))
    def label(self, data: st.DataObject, text: str | None) -> None:
        target = self.pick(data)
        entry = self.tree.label(target, text)
        payload = {"targetId": target} | ({} if text is None else {"label": text})
        self.entries.append((entry.id, self.leaf, "label", payload))
        self.labels.pop(target, None)
        if text is not None:
            self.labels[target] = text

    @rule(name=st.text())
    def rename(self, name: str) -> None:
        entry = self.tree.rename(name)
        shown = " ".join(name.split())
        self.entries.append((entry.id, self.leaf, "session_info", {"name": shown}))
        self.leaf, self.name = entry.id, shown or None

    @precondition(lambda self: self.entries)
    @rule(torn=st.none() | GARBAGE)
    def reopen(self, torn: bytes | None) -> None:
        self.tree.close()
        if torn is not None:
            with self.file.open("ab") as file:
                file.write(torn)
        self.tree = SessionTree.open(self.file)

    @precondition(lambda self: self.entries)
    @rule(allowed=st.integers(0, 60))
    def fail(self, allowed: int) -> None:
        left = [allowed]

        def write(fd: int, data: bytes) -> int:
            if not left:
                raise OSError(errno.ENOSPC, "No space left on device")
            return os_write(fd, data[: left.pop()])

        with pytest.MonkeyPatch.context() as full, pytest.raises(WriteFailed):
            full.setattr(os, "write", write)
            self.tree.append("message", {"message": "x" * 70})
        self.tree.close()
        self.tree = SessionTree.open(self.file)

    @precondition(lambda self: self.entries)
    @rule(data=st.data())
    def fork(self, data: st.DataObject) -> None:
        target = self.pick(data)
        with self.tree.fork_to(self.directory / "fork.jsonl", target) as fork:
            path = self.path(target)
            assert [entry.id for entry in fork.path(target)] == path
            for entry_id in path:
                assert fork.labels.get(entry_id) == self.labels.get(entry_id)
        (self.directory / "fork.jsonl").unlink()

    @invariant()
    def the_tree_equals_the_model(self) -> None:
        tree = self.tree
        assert [(e.id, e.parent_id, e.type, e.data) for e in tree.entries()] == self.entries
        assert (tree.leaf_id, tree.labels, tree.name) == (self.leaf, self.labels, self.name)
        assert [entry.id for entry in tree.path()] == self.path(self.leaf)
        for parent in (None, self.leaf):
            expected = [entry_id for entry_id, its_parent, *_ in self.entries if its_parent == parent]
            assert [entry.id for entry in tree.children(parent)] == expected

    def path(self, leaf: str | None) -> list[str]:
        parents = {entry_id: parent for entry_id, parent, *_ in self.entries}
        upwards = []
        while leaf is not None:
            upwards.append(leaf)
            leaf = parents[leaf]
        return upwards[::-1]


SessionModel.TestCase.settings = settings(max_examples=40, stateful_step_count=20, deadline=None)
TestSessionModel = SessionModel.TestCase
