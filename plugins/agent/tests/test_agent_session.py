"""The session: what it stores, how it is named and changed, what reopening and closing do."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pi_agent.session import SessionOver
from pi_api import Image, Text, ThinkingLevel, events
from pi_api.messages import AssistantMessage, CustomMessage, ToolResultMessage, UserMessage
from pi_api.model import Model
from pi_kernel import hookimpl
from pi_kernel.bus import Handled
from pi_kernel.tree import SessionTree
from pi_kernel.tree.errors import SessionError
from pi_testkit import FAKE_MODEL, Call, Fail, FakeProvider, Hold, Turn

PLAIN = Model("plain", "fake", "fake")


def entries(here: Any) -> list[str]:
    with SessionTree.open(here.session.tree.file, read_only=True) as tree:
        return [entry.type for entry in tree.entries()]


async def test_entries_are_stored_as_they_finish(world: Callable[..., Any]) -> None:
    hold = Hold()
    here = await world(Turn("so", Call("echo")), Turn(hold, "done"))
    running = asyncio.create_task(here.session.prompt("go"))
    await hold.reached.wait()
    assert entries(here) == ["model_change", "thinking_level_change", "message", "message", "message"]
    hold.release.set()
    await running
    assert [message.to_json()["role"] for message in here.reopened()] == [
        "user", "assistant", "toolResult", "assistant",
    ]  # fmt: skip


async def test_a_session_in_which_nothing_is_said_leaves_no_file(world: Callable[..., Any]) -> None:
    here = await world()
    await here.session.set_model(PLAIN)
    await here.session.set_thinking(ThinkingLevel.HIGH)
    await here.session.close()
    assert not here.session.tree.file.exists()


async def test_the_live_context_is_the_one_read_back(world: Callable[..., Any]) -> None:
    here = await world(Turn("so", Call("echo"), Call("refuse")), "done")
    picture = Image("aGk=", "image/png")
    await here.session.prompt("look", images=[picture])
    assert list(here.session.messages) == here.reopened()
    assert here.reopened()[0].content == (Text("look"), picture)


async def test_a_reopened_session_goes_on(world: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "kept.jsonl"
    first = await world(Turn("so", Call("echo")), "done", tree=SessionTree.create(file, str(tmp_path)))
    await first.session.prompt("one")
    await first.session.close()
    second = await world("and on", tree=SessionTree.open(file), reason="resume")
    assert second.session.last_answer.text == "done"
    await second.session.prompt("two")
    assert [type(message).__name__ for message in second.provider.requests[0].messages] == [
        "UserMessage", "AssistantMessage", "ToolResultMessage", "AssistantMessage", "UserMessage",
    ]  # fmt: skip
    assert entries(second).count("model_change") == 1
    assert second.of(events.SessionStart)[0].reason == "resume"


async def test_a_session_whose_process_died_between_call_and_result_goes_on(
    world: Callable[..., Any], tmp_path: Path
) -> None:
    file = tmp_path / "killed.jsonl"
    hold, at_work = asyncio.Event(), asyncio.Event()

    async def die(event: events.ToolGate) -> None:
        at_work.set()
        await hold.wait()

    script = Turn(Call("echo", id="call-x"))
    first = await world(script, tree=SessionTree.create(file, str(tmp_path)), handlers=[(events.ToolGate, die)])
    running = asyncio.create_task(first.session.prompt("go"))
    await at_work.wait()
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(file.read_bytes())
    second = await world("I see", tree=SessionTree.open(copy), reason="resume")
    await second.session.prompt("what happened?")
    result = second.provider.requests[0].messages[2]
    assert isinstance(result, ToolResultMessage) and result.tool_call_id == "call-x" and result.is_error
    await first.session.abort()
    await running


async def test_entries_that_cannot_be_read_are_reported(world: Callable[..., Any], tmp_path: Path) -> None:
    tree = SessionTree.create(tmp_path / "odd.jsonl", str(tmp_path))
    tree.append("message", {"message": {"role": "martian", "content": "x"}})
    here = await world("ok", tree=tree)
    assert "martian" in here.lines("Notice")[0]
    await here.session.prompt("go")
    assert here.session.last_answer.text == "ok"


async def test_a_changed_model_is_used_for_the_next_request_and_remembered(world: Callable[..., Any]) -> None:
    async def change(event: events.ToolEnd) -> None:
        await here.session.set_model(PLAIN)

    here = await world(Turn(Call("echo")), "done", thinking=ThinkingLevel.HIGH, handlers=[(events.ToolEnd, change)])
    await here.session.prompt("go")
    used = [(request.model.id, str(request.thinking)) for request in here.provider.requests]
    assert used == [("fake-1", "high"), ("plain", "off")]
    assert [(e.model.id, e.previous.id) for e in here.of(events.ModelSelected)] == [("plain", "fake-1")]
    assert [(e.level, e.previous) for e in here.of(events.ThinkingSelected)] == [("off", "high")]
    assert entries(here)[:2] == ["model_change", "thinking_level_change"]
    assert entries(here).count("model_change") == 2 and entries(here).count("thinking_level_change") == 2


async def test_a_level_the_model_lacks_is_clamped(world: Callable[..., Any]) -> None:
    here = await world(thinking=ThinkingLevel.ULTRA)
    assert here.session.thinking is ThinkingLevel.HIGH
    await here.session.set_thinking(ThinkingLevel.MAX)
    assert here.of(events.ThinkingSelected) == []


async def test_a_name(world: Callable[..., Any]) -> None:
    here = await world("ok")
    await here.session.set_name("my\nwork ")
    await here.session.prompt("go")
    assert here.session.tree.name == "my work"
    await here.session.set_name(None)
    assert [event.name for event in here.of(events.SessionNamed)] == ["my work", None]
    assert list(here.session.messages) == here.reopened()


async def test_a_plugins_state_is_stored_and_not_sent(world: Callable[..., Any]) -> None:
    here = await world("ok")
    here.session.append_entry("counter", {"n": 1})
    await here.session.prompt("go")
    assert len(here.provider.requests[0].messages) == 1
    assert here.session.tree.path()[0].data == {"customType": "counter", "data": {"n": 1}}


async def test_tools_follow_the_options_and_later_choices(world: Callable[..., Any]) -> None:
    here = await world("a", "b", tools=frozenset({"echo", "boom", "alone"}), without_tools=frozenset({"boom"}))
    await here.session.prompt("go")
    here.session.set_active_tools(["alone", "boom", "refuse", "missing"])
    await here.session.prompt("go")
    names = [[tool.name for tool in request.tools] for request in here.provider.requests]
    assert names == [["echo", "alone"], ["refuse", "alone"]]


async def test_a_tool_that_is_not_active_by_default_is_left_out(world: Callable[..., Any]) -> None:
    from pi_api import Tool, ToolResult

    async def run(params: dict[str, Any], context: Any) -> ToolResult:
        return ToolResult.text("")

    sleeper = Tool("sleeper", "Sleeps until asked.", {"type": "object"}, run, active=False)
    here = await world("a", more_tools=[sleeper])
    assert "sleeper" not in [tool.name for tool in here.session.tools()]
    here.session.set_active_tools(["sleeper"])
    assert [tool.name for tool in here.session.tools()] == ["sleeper"]


async def test_a_request_carries_what_the_session_was_made_with(world: Callable[..., Any]) -> None:
    here = await world(
        "ok", api_key="k", env={"PI_CACHE_RETENTION": "long"}, settings={"fake": {"baseUrl": "http://127.0.0.1"}}
    )
    await here.session.prompt("go")
    request = here.provider.requests[0]
    assert (request.api_key, request.cache_retention) == ("k", "long")
    assert request.session_id == here.session.tree.header.id
    assert request.options == {"baseUrl": "http://127.0.0.1"}
    assert request.system_prompt.startswith("You are pi")


async def test_a_system_prompt_may_be_changed_for_one_run(world: Callable[..., Any]) -> None:
    def shorten(event: events.SystemPrompt) -> Any:
        return replace(event, text="Be brief.") if len(here.of(events.SystemPrompt)) == 1 else None

    here = await world(Turn(Call("echo")), "a", "b", handlers=[(events.SystemPrompt, shorten)])
    await here.session.prompt("one")
    await here.session.prompt("two")
    prompts = [request.system_prompt for request in here.provider.requests]
    assert prompts[:2] == ["Be brief."] * 2 and prompts[2].startswith("You are pi")
    assert "echo" in here.of(events.SystemPrompt)[0].tools


async def test_the_prompt_service_builds_the_system_prompt(world: Callable[..., Any]) -> None:
    class Prompts:
        name = "prompts"

        @hookimpl
        def pi_services(self, register: Any) -> None:
            from pi_api import PROMPT, Service

            register(Service(PROMPT, lambda kernel: self))

        def build(self, inputs: Any) -> str:
            return f"{inputs.cwd.name} {len(inputs.tools)} {inputs.trusted} {inputs.flags['x']} {inputs.date[:2]}"

    here = await world("ok", plugins=[Prompts()], trusted=True, flags={"x": "y"}, tools=frozenset({"echo"}))
    await here.session.prompt("go")
    assert here.provider.requests[0].system_prompt == f"{here.session.cwd.name} 1 True y 20"


async def test_a_prompt_service_that_fails_does_not_stop_the_run(world: Callable[..., Any]) -> None:
    class Prompts:
        name = "prompts"

        @hookimpl
        def pi_services(self, register: Any) -> None:
            from pi_api import PROMPT, Service

            register(Service(PROMPT, lambda kernel: self))

        def build(self, inputs: Any) -> str:
            raise OSError("AGENTS.md is a directory")

    here = await world("ok", plugins=[Prompts()])
    await here.session.prompt("go")
    assert here.session.last_answer.text == "ok"
    assert here.provider.requests[0].system_prompt.startswith("You are pi")
    assert "AGENTS.md is a directory" in here.lines("Notice")[0]


async def test_the_input_may_be_transformed_or_handled(world: Callable[..., Any]) -> None:
    def listen(event: events.Input) -> Any:
        if event.text == "quiet":
            return Handled()
        return replace(event, text=event.text.upper())

    here = await world("ok", handlers=[(events.Input, listen)])
    await here.session.prompt("quiet")
    assert here.of(events.AgentStart) == [] and here.session.is_idle
    await here.session.prompt("loud")
    assert here.provider.requests[0].messages[0].content == "LOUD"


async def test_what_plugins_add_before_a_run_is_stored_and_sent(world: Callable[..., Any]) -> None:
    def remind(event: events.BeforeAgentStart) -> CustomMessage:
        return CustomMessage("reminder", f"about {event.prompt}", False, 1)

    here = await world("ok", handlers=[(events.BeforeAgentStart, remind)])
    await here.session.prompt("go")
    assert [message.content for message in here.provider.requests[0].messages] == ["go", "about go"]
    assert [type(message) for message in here.reopened()] == [UserMessage, CustomMessage, AssistantMessage]


async def test_the_context_of_a_request_may_be_replaced_and_the_session_keeps_its_own(
    world: Callable[..., Any],
) -> None:
    def only_last(event: events.BuildContext) -> Any:
        return replace(event, messages=event.messages[-1:])

    here = await world("a", "b", handlers=[(events.BuildContext, only_last)])
    await here.session.prompt("one")
    await here.session.prompt("two")
    assert [message.content for message in here.provider.requests[1].messages] == ["two"]
    assert len(here.reopened()) == 4


async def test_a_provider_that_is_not_installed_is_named(world: Callable[..., Any]) -> None:
    here = await world(model=Model("m", "absent", "x"))
    await here.session.prompt("go")
    answer = here.session.last_answer
    assert answer.stop_reason == "error" and "no provider 'absent'" in answer.error_message
    assert "fake" in answer.error_message


async def test_closing_aborts_tells_and_releases(world: Callable[..., Any]) -> None:
    hold = Hold()
    here = await world(Turn(hold))
    running = asyncio.create_task(here.session.prompt("go"))
    await hold.reached.wait()
    await here.session.close()
    await running
    assert here.lines("AgentEnd", "SessionShutdown")[-1] == "SessionShutdown"
    await here.session.close()
    assert len(here.of(events.SessionShutdown)) == 1
    with pytest.raises(SessionOver, match="open or start another"):
        await here.session.prompt("more")
    SessionTree.open(here.session.tree.file).close()


async def test_waiting_for_idle(world: Callable[..., Any]) -> None:
    hold = Hold()
    here = await world(Turn(hold, "ok"))
    await here.session.wait_idle()
    running = asyncio.create_task(here.session.prompt("go"))
    await hold.reached.wait()
    waiting = asyncio.create_task(here.session.wait_idle())
    await asyncio.sleep(0)
    assert not waiting.done() and not here.session.is_idle
    hold.release.set()
    await waiting
    assert (here.session.is_idle and running.done()) or await running is None


async def test_usage_is_added_up(world: Callable[..., Any]) -> None:
    here = await world(Turn(Call("echo")), Turn(Fail()))
    await here.session.prompt("go")
    assert here.session.usage.total_tokens == 30


class FullDisk(FakeProvider):
    """Fills the disk while it answers."""

    def stream(self, request: Any, **hooks: Any) -> Any:
        self.fill()
        return super().stream(request, **hooks)

    fill: Callable[[], None]


async def test_a_session_that_cannot_be_written_ends_the_run_with_a_clear_error(
    world: Callable[..., Any],
) -> None:
    provider = FullDisk(["never stored"])
    here = await world(provider=provider)
    provider.fill = here.session.tree.close
    with pytest.raises(SessionError, match="closed"):
        await here.session.prompt("go")
    assert here.session.is_idle
    assert here.log[-1] == "AgentEnd 1 messages"
    assert here.session.last_answer is None
    assert here.session.model is FAKE_MODEL
