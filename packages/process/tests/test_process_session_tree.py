"""The means for systems that have neither Linux's /proc nor Windows' jobs, exercised here on any POSIX system."""

from __future__ import annotations

import sys

import pytest

if sys.platform == "win32":
    pytest.skip("sessions and process groups are POSIX", allow_module_level=True)

import asyncio
from collections.abc import Callable, Iterator
from contextlib import nullcontext

from pi_process import Cause, Spawn, capture, run, start
from pi_process.posix import child as child_module
from pi_process.posix.means import PORTABLE, Means
from pi_process.posix.session_tree import SessionTree


@pytest.fixture(autouse=True)
def portable(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Leaves orphans to init, as where this is the only means; other tests may have made this process adopt them."""
    monkeypatch.setattr(child_module, "system_means", lambda: PORTABLE)
    if sys.platform != "linux":
        yield
        return
    import ctypes

    from pi_process.posix.linux_tree import PR_SET_CHILD_SUBREAPER, adopt_orphans

    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
    yield
    adopt_orphans.cache_clear()


FAMILY = "import os, sys, time\nos.fork() or exec(sys.argv[1])\nos.write(1, b'%d\\n' % os.getpid())\ntime.sleep(600)\n"


@pytest.mark.parametrize("code", [0, 3])
async def test_exit_codes_come_through_a_thread(child: Callable[..., Spawn], code: int) -> None:
    done = await capture(child(f"print('hi'); raise SystemExit({code})"))
    assert (done.outcome.cause, done.outcome.exit_code, done.stdout) == (Cause.EXITED, code, b"hi\n")


async def test_a_signal_is_reported_with_128(child: Callable[..., Spawn]) -> None:
    assert (await run(child("import os; os.kill(os.getpid(), 9)"))).exit_code == 137


async def start_family(child: Callable[..., Spawn], deadline: float, work: str = "pass") -> tuple[object, list[int]]:
    process = await start(child(FAMILY, work))
    text = b""
    while text.count(b"\n") < 2:
        chunk = await asyncio.wait_for(process.read(), deadline)
        assert chunk is not None
        text += chunk.data
    return process, [int(word) for word in text.split()]


@pytest.mark.parametrize(("work", "grace"), [("pass", None), ("import signal; signal.signal(15, signal.SIG_IGN)", 0.2)])
async def test_the_group_dies(
    child: Callable[..., Spawn], is_alive: Callable[[int], bool], deadline: float, work: str, grace: float | None
) -> None:
    process, pids = await start_family(child, deadline, work)
    assert await process.kill_tree(grace) == ()  # type: ignore[attr-defined]
    assert not any(map(is_alive, pids))
    await process.close()  # type: ignore[attr-defined]


async def test_other_groups_stay(child: Callable[..., Spawn], is_alive: Callable[[int], bool], deadline: float) -> None:
    first, first_pids = await start_family(child, deadline)
    second, second_pids = await start_family(child, deadline)
    await first.close()  # type: ignore[attr-defined]
    assert not any(map(is_alive, first_pids))
    assert all(map(is_alive, second_pids))
    await second.close()  # type: ignore[attr-defined]
    assert not any(map(is_alive, second_pids))


@pytest.mark.skipif(sys.platform != "linux", reason="takes the children from Linux's /proc in place of libproc")
async def test_a_session_of_its_own_is_found_by_descent(
    child: Callable[..., Spawn], is_alive: Callable[[int], bool], deadline: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pi_process.posix.procfs import ListedChildren

    def tree(pid: int, own_session: bool) -> SessionTree:
        return SessionTree(pid, own_session, ListedChildren().of)

    monkeypatch.setattr(child_module, "system_means", lambda: Means(lambda: nullcontext(tree), PORTABLE.watch))
    process, pids = await start_family(child, deadline, "os.setsid()")
    assert set(pids) == set(process.tree.members())  # type: ignore[attr-defined]
    await process.close()  # type: ignore[attr-defined]
    assert not any(map(is_alive, pids))
