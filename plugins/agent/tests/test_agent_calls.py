"""One tool call: prepared, checked, gated, changed by plugins, run."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from pi_api import Text, Tool, ToolResult, events
from pi_api.messages import Image, ToolResultMessage
from pi_kernel.bus import Block
from pi_testkit import Call, Turn

ANYTHING = {"type": "object"}


def results(here: Any) -> list[ToolResultMessage]:
    return [message for message in here.reopened() if isinstance(message, ToolResultMessage)]


def recording(name: str, parameters: Any = ANYTHING, **fields: Any) -> tuple[Tool, list[dict[str, Any]]]:
    """A tool that answers `ok` and keeps its inputs."""
    inputs: list[dict[str, Any]] = []

    async def run(params: dict[str, Any], context: Any) -> ToolResult:
        inputs.append(params)
        return ToolResult.text("ok")

    return Tool(name, "Keeps its inputs.", parameters, run, **fields), inputs


async def test_defaults_are_filled_in(world: Callable[..., Any]) -> None:
    tool, inputs = recording("t", {"n": {"type": "integer"}, "unit": {"type": "string", "default": "m"}})
    here = await world(Turn(Call("t", {"n": 1})), "ok", more_tools=[tool])
    await here.session.prompt("go")
    assert inputs == [{"n": 1, "unit": "m"}]


async def test_the_stored_call_keeps_the_models_own_arguments(world: Callable[..., Any]) -> None:
    def spoil(event: events.ToolGate) -> None:
        event.input["deep"]["list"].append("from the gate")

    tool, inputs = recording("t", {"deep": ANYTHING, "more": {"type": "integer", "default": 7}})
    arguments = {"deep": {"list": []}}
    here = await world(Turn(Call("t", arguments)), "ok", more_tools=[tool], handlers=[(events.ToolGate, spoil)])
    await here.session.prompt("go")
    assert inputs == [{"deep": {"list": ["from the gate"]}, "more": 7}]
    assert here.reopened()[1].tool_calls[0].arguments == {"deep": {"list": []}}


async def test_prepare_comes_before_the_check(world: Callable[..., Any]) -> None:
    def old_form(arguments: dict[str, Any]) -> dict[str, Any]:
        return {"n": int(arguments["number"])}

    tool, inputs = recording("t", {"n": {"type": "integer"}}, prepare=old_form)
    here = await world(Turn(Call("t", {"number": "4"}), Call("t", {})), "ok", more_tools=[tool])
    await here.session.prompt("go")
    assert inputs == [{"n": 4}]
    assert [result.is_error for result in results(here)] == [False, True]
    assert "The tool 't' failed: KeyError" in results(here)[1].content[0].text  # type: ignore[union-attr]


async def test_a_gate_may_change_the_input_and_the_change_is_checked(world: Callable[..., Any]) -> None:
    def change(event: events.ToolGate) -> None:
        event.input["n"] = 2 if event.call_id == "call-1" else "two"

    tool, inputs = recording("t", {"n": {"type": "integer"}})
    script = Turn(Call("t", {"n": 1}), Call("t", {"n": 1}))
    here = await world(script, "ok", more_tools=[tool], handlers=[(events.ToolGate, change)])
    await here.session.prompt("go")
    assert inputs == [{"n": 2}]
    text = results(here)[1].content[0].text  # type: ignore[union-attr]
    assert text.startswith("A plugin changed this call and made it invalid.") and "'t'" in text and '"two"' in text


async def test_a_blocked_call_is_not_run_and_says_why(world: Callable[..., Any]) -> None:
    tool, inputs = recording("t")
    block = Block("the user said no; ask for something else")
    here = await world(Turn(Call("t")), "ok", more_tools=[tool], handlers=[(events.ToolGate, lambda event: block)])
    await here.session.prompt("go")
    assert inputs == []
    assert "the user said no; ask for something else" in results(here)[0].content[0].text  # type: ignore[union-attr]
    assert here.lines("ToolResultReady") == []


async def test_a_gate_that_raises_blocks(world: Callable[..., Any]) -> None:
    def broken(event: events.ToolGate) -> None:
        raise RuntimeError("lost my list")

    tool, inputs = recording("t")
    here = await world(Turn(Call("t")), "ok", more_tools=[tool], handlers=[(events.ToolGate, broken)])
    await here.session.prompt("go")
    assert inputs == []
    assert "lost my list" in results(here)[0].content[0].text  # type: ignore[union-attr]


async def test_a_plugin_may_replace_a_result(world: Callable[..., Any]) -> None:
    def shorten(event: events.ToolResultReady) -> Any:
        return replace(event, result=ToolResult.text("shorter", details={"kept": True}, is_error=True))

    here = await world(Turn(Call("echo")), "ok", handlers=[(events.ToolResultReady, shorten)])
    await here.session.prompt("go")
    stored = results(here)[0]
    assert (stored.content, stored.details) == ((Text("shorter"),), {"kept": True})
    assert (stored.is_error, stored.error_kind) == (True, "tool_failure")
    assert here.lines("ToolEnd") == ["ToolEnd call-1 [error]: shorter"]


async def test_partial_results_are_shown_while_the_tool_runs_and_not_after(world: Callable[..., Any]) -> None:
    kept: list[Any] = []

    async def run(params: dict[str, Any], context: Any) -> ToolResult:
        kept.append(context)
        await context.update(ToolResult.text("half"))
        return ToolResult.text("whole")

    here = await world(Turn(Call("t")), "ok", more_tools=[Tool("t", "Shows.", ANYTHING, run)])
    await here.session.prompt("go")
    await kept[0].update(ToolResult.text("too late"))
    updates = here.of(events.ToolUpdate)
    assert [(update.call_id, update.partial.plain) for update in updates] == [("call-1", "half")]
    assert (kept[0].call_id, kept[0].cwd, kept[0].session) == ("call-1", here.session.cwd, here.session)


async def test_tools_of_a_session_share_state_by_class(world: Callable[..., Any]) -> None:
    class Seen(set[str]):
        pass

    async def run(params: dict[str, Any], context: Any) -> ToolResult:
        context.state(Seen).add(context.call_id)
        return ToolResult.text("ok")

    here = await world(Turn(Call("t"), Call("t")), "ok", more_tools=[Tool("t", "Counts.", ANYTHING, run)])
    await here.session.prompt("go")
    assert here.session.state(Seen) == {"call-1", "call-2"}


SLOPPY = [
    ("a string as content", ToolResult("plain"), "plain", False),  # type: ignore[arg-type]
    ("a list of blocks", ToolResult([Text("in a list")]), "in a list", False),  # type: ignore[arg-type]
    ("something among the blocks", ToolResult((Text("kept"), 3)), "kept", False),  # type: ignore[arg-type]
    ("no content at all", ToolResult(None), "", False),  # type: ignore[arg-type]
    ("no result", "just text", "The tool 't' answered with str instead of a ToolResult.", True),
]


@pytest.mark.parametrize(("given", "text", "wrong"), [case[1:] for case in SLOPPY], ids=[case[0] for case in SLOPPY])
async def test_a_sloppy_result_is_put_right(given: Any, text: str, wrong: bool, world: Callable[..., Any]) -> None:
    async def run(params: dict[str, Any], context: Any) -> Any:
        return given

    here = await world(Turn(Call("t")), "ok", more_tools=[Tool("t", "Is sloppy.", ANYTHING, run)])
    await here.session.prompt("go")
    stored = results(here)[0]
    assert "".join(block.text for block in stored.content if isinstance(block, Text)) == text
    assert stored.is_error is wrong


async def test_details_that_are_no_json_are_left_out_and_reported(world: Callable[..., Any]) -> None:
    async def run(params: dict[str, Any], context: Any) -> ToolResult:
        return ToolResult((Text("ok"), Image("aGk=", "image/png")), details={"at": object()})

    here = await world(Turn(Call("t")), "done", more_tools=[Tool("t", "Is sloppy.", ANYTHING, run)])
    await here.session.prompt("go")
    assert results(here)[0].details is None
    assert results(here)[0].content == (Text("ok"), Image("aGk=", "image/png"))
    assert here.session.last_answer.text == "done"
    assert "are no JSON and were left out" in here.lines("Notice")[0]


async def test_an_overlong_exception_text_is_cut(world: Callable[..., Any]) -> None:
    async def run(params: dict[str, Any], context: Any) -> ToolResult:
        raise ValueError("x" * 100_000)

    here = await world(Turn(Call("t")), "done", more_tools=[Tool("t", "Is loud.", ANYTHING, run)])
    await here.session.prompt("go")
    assert len(results(here)[0].content[0].text) == 4000  # type: ignore[union-attr]


async def test_an_unknown_tool_gets_a_hint(world: Callable[..., Any]) -> None:
    here = await world(Turn(Call("ecko")), "done")
    await here.session.prompt("go")
    assert "Did you mean 'echo'?" in results(here)[0].content[0].text  # type: ignore[union-attr]
