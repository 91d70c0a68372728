"""What holds for every batch of tool calls, whatever they do and however long they take."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pi_agent.loop import run_loop
from pi_agent.state import LoopConfig, RunState, Surface
from pi_api import Tool, ToolError, ToolResult, events
from pi_api.messages import AssistantMessage, Message, ToolResultMessage
from pi_kernel.bus import Block, Bus
from pi_testkit import FAKE_MODEL, Call, FakeProvider, FakeToolContext, Turn

FATES = ("fine", "refuse", "raise", "unknown", "invalid", "blocked")
EXECUTED = ("fine", "refuse", "raise")


@dataclass(frozen=True)
class Planned:
    """One call: what becomes of it, and how many steps of the event loop it takes."""

    fate: str
    steps: int
    terminate: bool


calls = st.lists(st.builds(Planned, st.sampled_from(FATES), st.integers(0, 6), st.booleans()), min_size=1, max_size=6)


@dataclass
class Outcome:
    """What a batch left behind."""

    log: list[tuple[str, str]]
    messages: list[Message]
    running: int
    requests: int

    def order(self, kind: str) -> list[str]:
        return [call_id for name, call_id in self.log if name == kind]


async def played(plan: list[Planned], sequential: set[int]) -> Outcome:
    """Run one batch by the bare loop: no session, no file."""
    outcome = Outcome([], [], 0, 0)
    alive = 0

    async def run(params: dict[str, Any], context: Any) -> ToolResult:
        nonlocal alive
        alive += 1
        outcome.running = max(outcome.running, alive)
        outcome.log.append(("run", context.call_id))
        planned = plan[params["at"]]
        for _ in range(planned.steps):
            await asyncio.sleep(0)
        alive -= 1
        if planned.fate == "refuse":
            raise ToolError("not this one, take another")
        if planned.fate == "raise":
            raise ValueError("broken")
        return ToolResult.text(str(params["at"]), terminate=planned.terminate)

    def gate(event: events.ToolGate) -> Block | None:
        outcome.log.append(("gate", event.call_id))
        return Block("no") if plan[event.input["at"]].fate == "blocked" else None

    parallel = Tool("work", "Works on something.", {"at": {"type": "integer"}}, run)
    tools = {"work": parallel, "alone": replace(parallel, name="alone", execution="sequential")}
    bus = Bus()
    for kind in (events.ToolStart, events.ToolEnd):
        bus.on(kind, lambda event: outcome.log.append((type(event).__name__, event.call_id)))
    bus.on(events.ToolGate, gate)
    made = [call_of(at, planned, at in sequential) for at, planned in enumerate(plan)]
    provider = FakeProvider([Turn(*made), "over"])
    config = LoopConfig(
        bus,
        lambda: Surface(provider, FAKE_MODEL, tools),
        lambda: outcome.messages,
        outcome.messages.append,  # type: ignore[arg-type]
        lambda call, batch: FakeToolContext(None, call_id=call.id),  # type: ignore[arg-type]
        lambda: 0,
    )
    assert await run_loop(config, RunState()) is None
    assert bus.failures == []
    outcome.requests = len(provider.requests)
    return outcome


def call_of(at: int, planned: Planned, alone: bool) -> Call:
    name = "nothing" if planned.fate == "unknown" else "alone" if alone else "work"
    return Call(name, {"at": "x" if planned.fate == "invalid" else at}, id=f"c{at}")


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(plan=calls, sequential=st.sets(st.integers(0, 5)))
def test_the_order_of_things_in_a_batch(plan: list[Planned], sequential: set[int]) -> None:
    outcome = asyncio.run(played(plan, sequential))
    ids = [f"c{at}" for at in range(len(plan))]
    executed = [f"c{at}" for at, planned in enumerate(plan) if planned.fate in EXECUTED]
    gated = [f"c{at}" for at, planned in enumerate(plan) if planned.fate in (*EXECUTED, "blocked")]
    results = [message for message in outcome.messages if isinstance(message, ToolResultMessage)]

    assert outcome.order("ToolStart") == ids, "calls are announced in the model's order"
    assert outcome.order("gate") == gated, "what is unknown or invalid is never asked for"
    assert [result.tool_call_id for result in results] == ids, "results are stored in the model's order"
    assert sorted(outcome.order("ToolEnd")) == ids, "every call ends once"
    assert sorted(outcome.order("run")) == sorted(executed), "only what was allowed is run, once"
    assert [result.is_error for result in results] == [planned.fate != "fine" for planned in plan]

    one_by_one = any(at in sequential and planned.fate != "unknown" for at, planned in enumerate(plan))
    if one_by_one:
        assert outcome.running <= 1
        assert outcome.order("ToolEnd") == ids
    elif executed:
        lasting = [plan[int(c[1:])].steps > 0 for c in executed]
        assert outcome.running == max(sum(lasting[:at]) + 1 for at in range(len(lasting))), "they run together"
        first_run = next(at for at, (name, _) in enumerate(outcome.log) if name == "run")
        assert {name for name, _ in outcome.log[first_run:]} <= {"run", "ToolEnd"}, "all is prepared before any runs"
        done = [c for c in outcome.order("ToolEnd") if c in executed]
        assert done == sorted(executed, key=lambda c: (plan[int(c[1:])].steps, int(c[1:]))), "ends as they finish"

    ends_the_run = all(planned.fate == "fine" and planned.terminate for planned in plan)
    assert outcome.requests == (1 if ends_the_run else 2)
    last = outcome.messages[-1]
    assert isinstance(last, ToolResultMessage if ends_the_run else AssistantMessage)


async def test_results_are_stored_as_soon_as_their_turn_has_come(world: Callable[..., Any]) -> None:
    """A result does not wait for slower calls behind it: a killed process has lost as little as possible."""
    release, stored = asyncio.Event(), asyncio.Event()

    async def slow(params: dict[str, Any], context: Any) -> ToolResult:
        await release.wait()
        return ToolResult.text("slow")

    def seen(event: events.ToolEnd) -> None:
        if event.call_id == "call-2":
            stored.set()

    tools = [Tool("slow", "Takes its time.", {"type": "object"}, slow)]
    script = Turn(Call("echo"), Call("echo"), Call("slow"), Call("echo"))
    here = await world(script, "ok", more_tools=tools, handlers=[(events.ToolEnd, seen)])
    running = asyncio.create_task(here.session.prompt("go"))
    while len([m for m in here.session.messages if isinstance(m, ToolResultMessage)]) < 2 or not stored.is_set():
        await asyncio.sleep(0)
    assert [m.tool_call_id for m in here.reopened() if isinstance(m, ToolResultMessage)] == ["call-1", "call-2"]
    release.set()
    await running
    assert here.lines("ToolEnd")[-1] == "ToolEnd call-3: slow"
