"""Complete ordered logs of whole runs; the cases stand in runs.toml."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pi_api import ErrorKind, events
from pi_api.events import Retry
from pi_testkit import Call, Fail, Think, Turn

CASES = tomllib.loads(Path(__file__).with_name("runs.toml").read_text("utf-8"))["run"]


def turn_of(steps: list[Any]) -> Turn:
    made: list[Any] = []
    stop: Any = None
    for step in steps:
        match step:
            case str():
                made.append(step)
            case {"think": text}:
                made.append(Think(text))
            case {"call": tool}:
                made.append(Call(tool, step.get("with", {})))
            case {"fail": kind}:
                made.append(Fail(ErrorKind(kind)))
            case {"stop": reason}:
                stop = reason
    return Turn(*made, stop=stop)


def retrying(times: int) -> list[Any]:
    def again(event: events.RunFailed) -> Retry | None:
        return Retry(0.0, times) if event.attempt <= times else None

    return [(events.RunFailed, again)]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
async def test_the_complete_log_of_a_run(case: dict[str, Any], world: Callable[..., Any]) -> None:
    here = await world(*map(turn_of, case["turns"]), handlers=retrying(case.get("retries", 0)))
    await here.session.prompt(case["prompt"])
    seen = [line.replace("\n", "|") for line in here.log if line.split()[0] not in case.get("hide", ())]
    assert seen == case["log"].strip().splitlines()
    assert here.host.failures == []
    assert here.provider.script == [], "the whole script was played"
    assert here.session.is_idle
