"""Slash commands."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from pi_api import Command, UsageError, events
from pi_testkit import Hold, Turn

CASES = [
    ("/greet", ""),
    ("/greet you", "you"),
    ("/greet  you  there ", "you  there"),
    ("/greet\nsecond line", "second line"),
    ("/greet one\ntwo three", "one\ntwo three"),
    ("/greet\tx", "\tx".strip()),
]


def greeting(heard: list[str]) -> Command:
    async def run(arguments: str, context: Any) -> None:
        heard.append(arguments)
        context.say(f"hello {arguments}")
        context.say("bye")

    return Command("greet", "Greets.", run)


@pytest.mark.parametrize(("prompt", "arguments"), CASES, ids=[case[0] for case in CASES])
async def test_a_command_gets_its_arguments(prompt: str, arguments: str, world: Callable[..., Any]) -> None:
    heard: list[str] = []
    here = await world(commands=[greeting(heard)])
    await here.session.prompt(prompt)
    assert heard == [arguments]
    assert [(event.text, event.level) for event in here.of(events.Notice)] == [
        (f"hello {arguments}", "info"),
        ("bye", "info"),
    ]
    assert here.of(events.Input, events.AgentStart) == []


@pytest.mark.parametrize("prompt", ["/unknown thing", "/", "/ greet", "say /greet", "/greeting"])
async def test_anything_else_is_for_the_model(prompt: str, world: Callable[..., Any]) -> None:
    heard: list[str] = []
    here = await world("ok", commands=[greeting(heard)])
    await here.session.prompt(prompt)
    assert heard == [] and here.provider.requests[0].messages[0].content == prompt


async def test_a_command_runs_at_once_even_while_the_agent_works(world: Callable[..., Any]) -> None:
    heard: list[str] = []
    hold = Hold()
    here = await world(Turn(hold, "done"), commands=[greeting(heard)])
    running = asyncio.create_task(here.session.prompt("go"))
    await hold.reached.wait()
    await here.session.prompt("/greet now")
    assert heard == ["now"] and not running.done()
    hold.release.set()
    await running


FAILING = [
    (UsageError("give a name; there was none"), "give a name; there was none"),
    (KeyError("x"), "the command /fail failed: KeyError: 'x'"),
    (SystemExit(1), "the command /fail failed: SystemExit: 1"),
]


@pytest.mark.parametrize(("error", "text"), FAILING, ids=[type(error).__name__ for error, _ in FAILING])
async def test_a_failing_command_is_reported(error: BaseException, text: str, world: Callable[..., Any]) -> None:
    async def run(arguments: str, context: Any) -> None:
        context.say("before")
        raise error

    here = await world("still alive", commands=[Command("fail", "Fails.", run)])
    await here.session.prompt("/fail")
    assert sorted((event.level, event.text) for event in here.of(events.Notice)) == [
        ("error", text),
        ("info", "before"),
    ]
    await here.session.prompt("go")
    assert here.session.last_answer.text == "still alive"


async def test_a_command_may_prompt_the_model(world: Callable[..., Any]) -> None:
    async def run(arguments: str, context: Any) -> None:
        await context.session.prompt(f"review {arguments}")

    here = await world("reviewed", commands=[Command("review", "Reviews.", run)])
    await here.session.prompt("/review a.py")
    assert here.provider.requests[0].messages[0].content == "review a.py"
