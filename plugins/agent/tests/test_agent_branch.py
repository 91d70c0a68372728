"""The context of a branch, built from entries."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import pytest
from pi_agent.branch import context_of, milliseconds
from pi_agent.conversation import CATCH_UP, Conversation
from pi_api import ThinkingLevel, Usage
from pi_api.messages import BashExecution, BranchSummary, CompactionSummary, CustomMessage, UserMessage
from pi_api.remembered import Remembered, remembered
from pi_kernel.tree import SessionTree
from pi_testkit import FAKE_MODEL, build_message


@dataclass(frozen=True)
class Line:
    """An entry without a file."""

    id: str
    type: str
    data: dict[str, Any] = field(default_factory=dict)
    timestamp: str = "2026-01-02T03:04:05.678Z"


def said(entry_id: str, text: str) -> Line:
    return Line(entry_id, "message", {"message": {"role": "user", "content": text, "timestamp": 7}})


def told(lines: Iterable[Line]) -> list[str]:
    context = context_of(list(lines))
    assert context.problems == []
    return [getattr(message, "summary", None) or str(getattr(message, "content", "")) for message in context.messages]


A, B, C, D = (said(name, name.upper()) for name in "abcd")
COMPACTED = Line("k", "compaction", {"summary": "SUM", "firstKeptEntryId": "b", "tokensBefore": 9})


def test_messages_of_every_kind_in_order() -> None:
    lines = [
        Line("1", "model_change", {"provider": "fake", "modelId": "fake-1"}),
        A,
        Line("2", "custom", {"customType": "state", "data": 1}),
        Line("3", "custom_message", {"customType": "note", "content": "N", "display": False, "details": {"x": 1}}),
        Line("4", "branch_summary", {"summary": "BR", "fromId": "z"}),
        Line("5", "label", {"targetId": "a", "label": "here"}),
        Line("6", "something_new", {"content": "ignored"}),
    ]
    stamp = milliseconds(A.timestamp)
    assert context_of(lines).messages == [
        UserMessage("A", 7),
        CustomMessage("note", "N", False, stamp, {"x": 1}),
        BranchSummary("BR", "z", stamp),
    ]


COMPACTIONS: dict[str, tuple[list[Line], list[str]]] = {
    "none": ([A, B], ["A", "B"]),
    "in the middle": ([A, B, C, COMPACTED, D], ["SUM", "B", "C", "D"]),
    "as the last entry": ([A, B, COMPACTED], ["SUM", "B"]),
    "keeping nothing that is there": (
        [A, B, Line("k", "compaction", {"summary": "SUM", "firstKeptEntryId": "gone"}), C], ["SUM", "C"],
    ),
    "twice: the last one counts": (
        [A, B, COMPACTED, C, Line("l", "compaction", {"summary": "SUM2", "firstKeptEntryId": "c"}), D],
        ["SUM2", "C", "D"],
    ),
    "keeping the user's own words": (
        [
            A, B, C,
            Line("k", "compaction", {"summary": "SUM", "firstKeptEntryId": "c",
                                     "retention": {"mode": "original-user", "userEntryId": "a"}}),
            D,
        ],
        ["A", "SUM", "D"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("lines", "expected"), COMPACTIONS.values(), ids=COMPACTIONS.keys())
def test_a_compaction_stands_for_what_came_before(lines: list[Line], expected: list[str]) -> None:
    assert told(lines) == expected


BROKEN = [
    Line("x", "message", {"message": {"role": "martian", "content": ""}}),
    Line("x", "message", {"message": "text"}),
    Line("x", "message", {}),
    Line("x", "message", {"message": {"role": "user"}}),
    Line("x", "message", {"message": {"role": "user", "content": [{"type": "hologram"}]}}),
    Line("x", "custom_message", {"customType": "note"}),
    Line("x", "compaction", {"summary": "s", "tokensBefore": "many"}),
    Line("x", "branch_summary", {}),
]


@pytest.mark.parametrize("line", BROKEN, ids=[f"{line.type} {line.data}" for line in BROKEN])
def test_what_cannot_be_read_is_left_out_and_named(line: Line) -> None:
    context = context_of([A, line])
    assert "x" in context.problems[0] and line.type in context.problems[0]
    assert UserMessage("A", 7) in context.messages or line.type == "compaction"


def test_what_was_in_use_is_the_last_that_was_said() -> None:
    answer = build_message(FAKE_MODEL, "x").to_json()
    change = Line("1", "model_change", {"provider": "p", "modelId": "m"})
    level = Line("2", "thinking_level_change", {"thinkingLevel": "high"})
    assert remembered([]) == Remembered(None, None)
    assert remembered([change, A]) == Remembered(("p", "m"), None)
    assert remembered([change, level, Line("3", "message", {"message": answer})]) == Remembered(
        ("fake", "fake-1"), "high"
    )


def test_a_time_that_is_none_counts_as_the_beginning() -> None:
    assert milliseconds("2026-01-02T03:04:05.678Z") == 1767323045678
    assert milliseconds("yesterday") == 0


@pytest.fixture
def tree() -> SessionTree:
    return SessionTree.in_memory("/somewhere")


def say(tree: SessionTree, text: str) -> str:
    return tree.append("message", {"message": {"role": "user", "content": text, "timestamp": 1}}).id


def contents(conversation: Conversation) -> list[str]:
    return [getattr(m, "content", None) or getattr(m, "summary", "") for m in conversation.messages]


def test_entries_of_others_are_noticed(tree: SessionTree) -> None:
    conversation = Conversation(tree)
    conversation.record(UserMessage("mine", 1))
    say(tree, "theirs")
    run = BashExecution("ls", "a", False, False, 2)
    tree.append("message", {"message": run.to_json()})
    assert conversation.messages == [UserMessage("mine", 1), UserMessage("theirs", 1), run]


@pytest.mark.parametrize("count", [CATCH_UP - 1, CATCH_UP, CATCH_UP + 1, 3 * CATCH_UP])
def test_any_number_of_entries_of_others(count: int, tree: SessionTree) -> None:
    conversation = Conversation(tree)
    conversation.record(UserMessage("mine", 1))
    for number in range(count):
        say(tree, str(number))
    assert contents(conversation) == ["mine", *map(str, range(count))]


def test_a_compaction_by_somebody_else_is_noticed(tree: SessionTree) -> None:
    conversation = Conversation(tree)
    conversation.record(UserMessage("old", 1))
    conversation.record(UserMessage("kept", 1))
    kept = tree.leaf_id
    conversation.record(UserMessage("last", 1))
    tree.append("compaction", {"summary": "SUM", "firstKeptEntryId": kept, "tokensBefore": 3})
    assert contents(conversation) == ["SUM", "kept", "last"]
    assert isinstance(conversation.messages[0], CompactionSummary)


def test_a_moved_leaf_is_noticed(tree: SessionTree) -> None:
    conversation = Conversation(tree)
    conversation.record(UserMessage("one", 1))
    first = tree.leaf_id
    conversation.record(UserMessage("two", 1))
    tree.branch(first)
    assert contents(conversation) == ["one"]
    conversation.record(UserMessage("three", 1))
    tree.branch(None)
    assert contents(conversation) == []


def test_a_dropped_answer_is_gone_from_the_context_and_not_from_the_tree(tree: SessionTree) -> None:
    conversation = Conversation(tree)
    failed = build_message(FAKE_MODEL, stop="error")
    conversation.record(UserMessage("one", 1))
    conversation.record(failed)
    conversation.drop(failed)
    assert conversation.messages == [UserMessage("one", 1)]
    assert len(context_of(tree.path()).messages) == 2


def test_usage_counts_every_branch_and_what_others_add(tree: SessionTree) -> None:
    used = Usage(input=1, output=2, total_tokens=3)
    conversation = Conversation(tree)
    conversation.record(UserMessage("one", 1))
    first = tree.leaf_id
    conversation.record(build_message(FAKE_MODEL, "a", usage=used))
    assert conversation.usage.total_tokens == 3
    tree.branch(first)
    conversation.record(build_message(FAKE_MODEL, "b", usage=used))
    assert conversation.usage.total_tokens == 6
    tree.append("compaction", {"summary": "s", "firstKeptEntryId": first, "usage": used.to_json()})
    assert conversation.messages and conversation.usage.total_tokens == 9
    assert Conversation(tree).usage.total_tokens == 9


def test_model_and_level_are_written_only_when_they_changed(tree: SessionTree) -> None:
    conversation = Conversation(tree)
    for _ in range(2):
        conversation.note_in_use(FAKE_MODEL, ThinkingLevel.LOW)
    assert [entry.type for entry in tree.entries()] == ["model_change", "thinking_level_change"]
    again = Conversation(tree)
    again.note_in_use(FAKE_MODEL, ThinkingLevel.LOW)
    again.note_in_use(FAKE_MODEL, ThinkingLevel.HIGH)
    assert [entry.type for entry in tree.entries()][2:] == ["thinking_level_change"]
