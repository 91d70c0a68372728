"""Random programs and random deaths; `python -m pi_shell_engine.fuzz` does the same for longer."""

import sys
from pathlib import Path
from random import Random

from pi_shell_engine.fuzz.kills import kill_at_random
from pi_shell_engine.fuzz.wedges import run_programs


async def test_random_programs_never_wedge_a_session(tmp_path: Path) -> None:
    assert await run_programs(150, Random(7), tmp_path, sys.executable) == []


async def test_killing_an_engine_at_any_moment_loses_nothing_and_leaves_nothing(tmp_path: Path) -> None:
    verdict = await kill_at_random(20, Random(11), tmp_path, sys.executable)
    assert verdict.clean, verdict
