"""Marks as numbers: which tree a process with some mark belongs to."""

from __future__ import annotations

import sys

import pytest

if sys.platform != "linux":
    pytest.skip("marks are Linux's", allow_module_level=True)

import resource
import subprocess
from collections.abc import Callable

from pi_process.posix import marks


def test_marks_of_one_host_differ_and_cover_only_themselves() -> None:
    first, second = marks.new_mark(None), marks.new_mark(-1)
    assert marks.covers(first, first)
    assert not marks.covers(first, second)
    assert not marks.covers(first, None)
    assert not marks.covers(first, -1)


def test_an_outer_mark_covers_those_of_hosts_inside_and_not_the_other_way_round() -> None:
    outer = marks.new_mark(None)
    inner, sibling = marks.new_mark(outer), marks.new_mark(outer)
    innermost = marks.new_mark(inner)
    assert len({outer, inner, sibling, innermost}) == 4
    assert [marks.covers(outer, mark) for mark in (inner, sibling, innermost)] == [True] * 3
    assert not marks.covers(inner, outer)
    assert not marks.covers(inner, sibling)
    assert not marks.covers(marks.new_mark(None), inner)


def test_a_mark_is_on_the_host_only_for_the_moment_of_a_start() -> None:
    before = resource.getrlimit(marks.RLIMIT_RTTIME)
    mark = marks.new_mark(marks.own_mark())
    with marks.marked(mark) as marked, subprocess.Popen(["env", "-i", "sleep", "600"]) as sleeping:
        assert marked
        assert marks.own_mark() == mark
        try:
            assert marks.read_mark(sleeping.pid) == mark
            assert marks.read_mark_of_other_user(sleeping.pid) == mark
        finally:
            sleeping.kill()
    assert resource.getrlimit(marks.RLIMIT_RTTIME) == before


def test_a_host_with_a_lower_hard_limit_starts_children_without_marks(is_alive: Callable[[int], bool]) -> None:
    code = (
        "import asyncio, resource\n"
        "resource.setrlimit(15, (1_000_000, 1_000_000))\n"
        "from pi_process import Spawn, capture\n"
        "script = '(exec >/dev/null 2>&1; sleep 600) & echo $!'\n"
        "print(asyncio.run(capture(Spawn(('sh', '-c', script)))).stdout.decode())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not is_alive(int(done.stdout))
