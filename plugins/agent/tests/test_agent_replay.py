"""Replaying a conversation to another model: each rule by example, and what holds for every conversation."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pi_agent.convert import Projection, provider_messages
from pi_api.messages import (
    AssistantMessage,
    BashExecution,
    BranchSummary,
    CompactionSummary,
    CustomMessage,
    Image,
    Message,
    Text,
    Thinking,
    ToolCall,
    ToolResultMessage,
    UserMessage,
)
from pi_api.model import Model
from pi_testkit import FAKE_MODEL, build_message

OTHER = Model("other-1", "elsewhere", "other-api")
BLIND = replace(FAKE_MODEL, input=("text",))


def user(text: str = "hi") -> UserMessage:
    return UserMessage(text, 1)


def call(call_id: str = "c1", **fields: Any) -> ToolCall:
    return ToolCall(call_id, "read", {"path": "a"}, **fields)


def result(call_id: str = "c1", text: str = "content") -> ToolResultMessage:
    return ToolResultMessage(call_id, "read", (Text(text),), False, 2)


def answer(*content: Any, model: Model = FAKE_MODEL, **fields: Any) -> AssistantMessage:
    return build_message(model, *content, **fields)


def test_an_ordinary_conversation_goes_through_unchanged() -> None:
    messages = [
        user(),
        answer(Thinking("hm", "sig"), Text("let me", "tsig"), call(thought_signature="csig")),
        result(),
        answer("done"),
    ]
    sent = provider_messages(messages, FAKE_MODEL)
    assert all(after is before for after, before in zip(sent, messages, strict=True))


@pytest.mark.parametrize("stop", ["error", "aborted"])
def test_failed_answers_are_left_out_with_their_results(stop: str) -> None:
    messages = [user(), answer(call(), stop=stop), result(), user("again"), answer("ok")]
    assert provider_messages(messages, FAKE_MODEL) == [messages[0], messages[3], messages[4]]


def test_a_call_without_a_result_gets_one() -> None:
    messages = [user(), answer(call("c1"), call("c2")), result("c2"), user("and?")]
    sent = provider_messages(messages, FAKE_MODEL)
    assert [getattr(m, "tool_call_id", "") for m in sent] == ["", "", "c1", "c2", ""]
    made_up = sent[2]
    assert isinstance(made_up, ToolResultMessage)
    assert made_up.is_error and made_up.tool_name == "read"
    assert "unknown" in made_up.content[0].text  # type: ignore[union-attr]


def test_results_stand_in_the_order_of_the_calls() -> None:
    messages = [user(), answer(call("c1"), call("c2")), result("c2"), result("c1")]
    assert [getattr(m, "tool_call_id", "") for m in provider_messages(messages, FAKE_MODEL)[2:]] == ["c1", "c2"]


def test_a_result_without_a_call_is_left_out() -> None:
    messages = [user(), result("lost"), answer(call()), result(), result("c1", "twice"), result("other")]
    assert provider_messages(messages, FAKE_MODEL) == [messages[0], messages[2], messages[3]]


def test_reasoning_of_another_model_becomes_text() -> None:
    content = (Thinking("I think", "sig"), Thinking("secret", "blob", redacted=True), Thinking("  "), Text("so"))
    (sent,) = provider_messages([answer(*content)], OTHER)
    assert sent.content == (Text("I think"), Text("so"))


def test_reasoning_of_the_same_model_is_kept_as_it_is() -> None:
    content = (Thinking("I think", "sig"), Thinking("", "blob", redacted=True), Text("so"))
    (sent,) = provider_messages([answer(*content)], FAKE_MODEL)
    assert sent.content == content


@pytest.mark.parametrize("change", ["provider", "api", "id"])
def test_signatures_go_back_only_to_the_model_that_gave_them(change: str) -> None:
    messages = [answer(Text("so", "tsig"), call(thought_signature="csig")), result()]
    sent = provider_messages(messages, replace(FAKE_MODEL, **{change: "changed"}))
    assert sent[0].content == (Text("so"), call())


def test_an_answer_that_says_nothing_is_left_out() -> None:
    messages = [user(), answer(), answer(Text("")), answer(Thinking("x", redacted=True), model=OTHER)]
    assert provider_messages(messages, FAKE_MODEL) == [messages[0]]


def test_images_are_replaced_by_a_note_for_a_model_without_eyes() -> None:
    picture = Image("aGk=", "image/png")
    messages: list[Message] = [
        UserMessage((Text("look"), picture), 1),
        answer(call()),
        replace(result(), content=(picture,)),
    ]
    assert provider_messages(messages, FAKE_MODEL) == messages
    sent = provider_messages(messages, BLIND)
    assert sent[0].content[1].text.startswith("[an image of type image/png was left out")  # type: ignore[union-attr]
    assert isinstance(sent[2].content[0], Text)


def test_lone_surrogates_are_taken_out_everywhere() -> None:
    bad = "a\ud800b\udfffc"
    messages = [
        UserMessage(bad, 1),
        UserMessage((Text(bad),), 1),
        answer(Text(bad), Thinking(bad, "s"), ToolCall("c1", "read", {bad: [bad, {"deep": bad}], "n": 1})),
        result("c1", bad),
        CustomMessage("note", bad, True, 1),
        BashExecution(bad, bad, False, False, 1),
    ]
    sent = json.dumps([message.to_json() for message in provider_messages(messages, FAKE_MODEL)])
    assert "\\ud800" not in sent and "\\udfff" not in sent
    assert sent.count("abc") == 11


def test_whole_characters_outside_the_basic_plane_are_kept() -> None:
    message = UserMessage("grin \U0001f600", 1)
    assert provider_messages([message], FAKE_MODEL)[0] is message


def test_call_ids_of_another_model_are_made_to_fit_and_stay_apart() -> None:
    ids = ["call|1", "call/1", "x" * 80, "x" * 70, "good-1"]
    messages = [answer(*map(call, ids), model=OTHER), *map(result, ids), user("next")]
    sent = provider_messages(messages, FAKE_MODEL)
    given = [one.id for one in sent[0].tool_calls]  # type: ignore[union-attr]
    assert given == ["call_1", "call_1_2", "x" * 64, "x" * 62 + "_2", "good-1"]
    assert [getattr(one, "tool_call_id", "") for one in sent[1:-1]] == given


def test_a_renamed_call_does_not_rename_a_later_one_of_the_same_id() -> None:
    foreign, own = answer(call("c|1"), model=OTHER), answer(call("c|1"))
    sent = provider_messages([foreign, result("c|1"), own, result("c|1")], FAKE_MODEL)
    assert [getattr(one, "tool_call_id", "") for one in sent] == ["", "c_1", "", "c|1"]


def test_call_ids_of_the_same_model_are_left_alone() -> None:
    messages = [answer(call("call|1")), result("call|1")]
    assert provider_messages(messages, FAKE_MODEL) == messages


TOLD: dict[str, tuple[Message, str]] = {
    "custom": (CustomMessage("note", "remember", False, 5), "remember"),
    "compaction": (
        CompactionSummary("we did X", 900, 5),
        (
            "The beginning of this conversation was replaced by this summary to save space:\n\n"
            "<summary>\nwe did X\n</summary>"
        ),
    ),
    "branch": (
        BranchSummary("we tried Y", "id", 5),
        (
            "Another line of this conversation was tried and then left. What happened on it:\n\n"
            "<summary>\nwe tried Y\n</summary>"
        ),
    ),
    "bash": (
        BashExecution("ls", "a\nb", False, False, 5, exit_code=0),
        "The user ran this command:\n\n```sh\nls\n```\n\nIts output:\n\n```\na\nb\n```",
    ),
    "bash that failed": (
        BashExecution("false", "", False, False, 5, exit_code=1),
        "The user ran this command:\n\n```sh\nfalse\n```\n\nIts output:\n\n```\n(none)\n```\n\nExit code: 1",
    ),
    "bash with fences": (
        BashExecution("cat x", "````\n```", False, False, 5, exit_code=0),
        "The user ran this command:\n\n`````sh\ncat x\n`````\n\nIts output:\n\n`````\n````\n```\n`````",
    ),
    "bash stopped and cut": (
        BashExecution("yes", "y", True, True, 5, full_output_path="/tmp/y"),
        (
            "The user ran this command:\n\n```sh\nyes\n```\n\nIts output:\n\n```\ny\n```\n\n"
            "The user stopped it before it ended.\n\nThe output is shortened; all of it is in /tmp/y."
        ),
    ),
    "a summary with braces": (
        CompactionSummary("{not a field}", 1, 5),
        (
            "The beginning of this conversation was replaced by this summary to save space:\n\n"
            "<summary>\n{not a field}\n</summary>"
        ),
    ),
}


@pytest.mark.parametrize(("message", "text"), TOLD.values(), ids=TOLD.keys())
def test_what_providers_do_not_know_is_told_as_the_user(message: Message, text: str) -> None:
    assert provider_messages([message], FAKE_MODEL) == [UserMessage(text, 5)]


def test_a_hidden_command_is_not_told() -> None:
    hidden = BashExecution("secret", "x", False, False, 5, exclude_from_context=True)
    assert provider_messages([hidden], FAKE_MODEL) == []


texts = st.text(st.sampled_from("a \ud800\U0001f600"), max_size=4)
ids = st.sampled_from(["c1", "c2", "c|3", ""])
blocks = (
    st.builds(Text, texts)
    | st.builds(Thinking, texts, st.none() | st.just("sig"), st.none() | st.just(True))
    | st.builds(ToolCall, ids, st.just("read"), st.dictionaries(texts, texts, max_size=1))
)
stops = st.sampled_from(["stop", "toolUse", "length", "error", "aborted"])
models = st.sampled_from([FAKE_MODEL, OTHER])


def _answers(content: list[Any], stop: str, model: Model) -> AssistantMessage:
    unique = {block.id if isinstance(block, ToolCall) else at: block for at, block in enumerate(content)}
    return build_message(model, *unique.values(), stop=stop)


conversations = st.lists(
    st.builds(user, texts)
    | st.builds(_answers, st.lists(blocks, max_size=4), stops, models)
    | st.builds(result, ids, texts)
    | st.builds(CustomMessage, st.just("x"), texts, st.booleans(), st.just(1)),
    max_size=8,
)


@settings(max_examples=500, deadline=None)
@given(conversations, models)
def test_every_replay_is_valid(messages: Sequence[Message], model: Model) -> None:
    sent = provider_messages(messages, model)
    due: list[str] = []
    for message in sent:
        if isinstance(message, ToolResultMessage):
            assert due and due.pop(0) == message.tool_call_id, "a result answers the next open call"
            continue
        assert due == [], "every call is answered at once"
        if isinstance(message, AssistantMessage):
            assert message.content and message.stop_reason not in ("error", "aborted")
            due = [one.id for one in message.tool_calls]
    assert due == []
    json.dumps([message.to_json() for message in sent], ensure_ascii=False).encode("utf-8")
    assert provider_messages(sent, model) == sent, "replaying twice changes nothing more"


@settings(max_examples=200, deadline=None)
@given(conversations, st.lists(st.integers(0, 8), max_size=4), st.lists(models, min_size=5, max_size=5))
def test_what_was_sent_before_does_not_matter(messages: list[Message], cuts: list[int], chosen: list[Model]) -> None:
    """Any sequence of requests over prefixes and other branches, to any models, equals one from nothing."""
    projection = Projection()
    for cut, model in zip([*cuts, len(messages)], chosen, strict=False):
        part = [*messages[:cut], *messages[cut + 2 :]]
        assert projection.of(part, model) == provider_messages(part, model)
    assert projection.of(messages, FAKE_MODEL) == provider_messages(messages, FAKE_MODEL)
