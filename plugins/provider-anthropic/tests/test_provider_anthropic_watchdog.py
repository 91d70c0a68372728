"""When silence has lasted too long, by a clock that the test moves."""

from collections.abc import AsyncGenerator

import pytest
from pi_api.errors import ErrorKind
from pi_provider_anthropic.assembly import Assembly
from pi_provider_anthropic.conditions import conditions_from
from pi_provider_anthropic.reading import read
from pi_provider_anthropic.watchdog import Limits, Phase, Watchdog

BLOCKS = {
    "text": {"type": "text", "text": ""},
    "thinking": {"type": "thinking", "thinking": "", "signature": ""},
    "withheld": {"type": "redacted_thinking", "data": "b3A"},
    "tool": {"type": "tool_use", "id": "a", "name": "ls", "input": {}},
}


class FakeClock:
    """A clock that stands still until it is moved."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_the_limits_are_those_of_the_specification() -> None:
    assert [Limits().of(phase) for phase in Phase] == [120, 120, 180, 600]
    assert conditions_from({}).limits == Limits()


def test_the_settings_are_milliseconds() -> None:
    stall = {"connectMs": 1, "firstDeltaMs": 20, "activeIdleMs": 300, "quietIdleMs": 4000}
    assert conditions_from({"stall": stall}).limits == Limits(0.001, 0.02, 0.3, 4.0)


def test_the_deadline_moves_with_what_comes_and_only_with_that() -> None:
    clock = FakeClock()
    watchdog = Watchdog(Limits(connect=1, first=2, active=3, quiet=4), clock)
    assert watchdog.deadline == 1001
    clock.now += 0.5
    assert watchdog.deadline == 1001
    watchdog.alive(Phase.FIRST)
    assert watchdog.deadline == 1002.5
    watchdog.alive(Phase.QUIET)
    clock.now += 3
    watchdog.alive(Phase.ACTIVE)
    assert watchdog.deadline == 1006.5


async def test_signs_of_life_without_content_do_not_move_the_deadline() -> None:
    clock, assembly = FakeClock(), Assembly()
    watchdog = Watchdog(Limits(), clock)
    begun = '{"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}'
    deadlines = []

    async def body() -> AsyncGenerator[bytes, None]:
        yield f"data: {begun}\n\n".encode()
        for event in ('{"type": "ping"}', '{"type": "message_start", "message": {}}', '{"type": "unheard_of"}'):
            clock.now += 10
            yield f": still here\n\ndata: {event}\n\n".encode()
            deadlines.append(watchdog.deadline)

    async for _ in read(body(), assembly, watchdog):
        pass
    assert deadlines == [1180.0, 1180.0, 1180.0]


@pytest.mark.parametrize("phase", Phase)
def test_a_stall_says_in_which_phase_and_after_how_long(phase: Phase) -> None:
    watchdog = Watchdog(Limits(1.5, 2.5, 3.5, 4.5), FakeClock())
    watchdog.alive(phase)
    failure = watchdog.stalled().failure
    assert failure.kind is ErrorKind.STREAM_STALL
    assert failure.message.startswith("stream stalled: ")
    assert phase.value in failure.message
    assert f"{Limits(1.5, 2.5, 3.5, 4.5).of(phase):g} seconds" in failure.message


@pytest.mark.parametrize(
    ("block", "open_phase", "closed_phase"),
    [
        ("text", Phase.ACTIVE, Phase.ACTIVE),
        ("thinking", Phase.QUIET, Phase.QUIET),
        ("withheld", Phase.QUIET, Phase.QUIET),
        ("tool", Phase.ACTIVE, Phase.ACTIVE),
    ],
)
def test_the_phase_follows_the_kind_of_block(block: str, open_phase: Phase, closed_phase: Phase) -> None:
    assembly = Assembly()
    assert assembly.phase is Phase.FIRST
    list(assembly.take({"type": "content_block_start", "index": 0, "content_block": BLOCKS[block]}))
    assert assembly.phase is open_phase
    list(assembly.take({"type": "content_block_stop", "index": 0}))
    assert assembly.phase is closed_phase
