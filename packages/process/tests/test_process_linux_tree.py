"""Ways out of a process group that Linux offers, and that do not lead out of a tree."""

from __future__ import annotations

import sys

import pytest

if sys.platform != "linux":
    pytest.skip("process trees by marks are Linux's", allow_module_level=True)

import asyncio
import contextlib
import os
import signal
import subprocess
import textwrap
from collections.abc import Callable
from pathlib import Path

from pi_process import Drain, Leftovers, Process, Spawn, run, start
from pi_process.posix import linux_tree, marks, procfs

DAEMON = textwrap.dedent("""
    import os, signal, sys, time
    def daemon(work):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                work()
            os._exit(0)
        os.wait()
    def live():
        os.write(1, b'%d\\n' % os.getpid())
        time.sleep(600)
""")
LIVE = "import os, time; os.write(1, b'%d\\n' % os.getpid()); time.sleep(600)"

ESCAPES = {
    "own group": "os.fork() or (os.setpgid(0, 0), live())",
    "own session": "os.fork() or (os.setsid(), live())",
    "orphan": "os.fork() or (os.fork() or live(), os._exit(0)); os.wait()",
    "daemon": "daemon(live)",
    "daemon without environment": f"daemon(lambda: os.execve(sys.executable, ['x', '-ISc', {LIVE!r}], {{}}))",
    "daemon under another name": f"daemon(lambda: os.execv(sys.executable, ['[kworker/0:1]', '-ISc', {LIVE!r}]))",
    "daemon of a daemon": "daemon(lambda: daemon(live))",
    "daemon that ignores requests": (
        "daemon(lambda: ([signal.signal(s, signal.SIG_IGN) for s in (1, 2, 15)], live()))"
    ),
    "stopped daemon": (
        "daemon(lambda: (os.write(1, b'%d\\n' % os.getpid()), os.kill(os.getpid(), signal.SIGSTOP), time.sleep(600)))"
    ),
    "daemon from a thread": "import threading; t = threading.Thread(target=lambda: daemon(live)); t.start(); t.join()",
}


async def escaped(child: Callable[..., Spawn], way: str, deadline: float, after: str = "time.sleep(600)") -> Process:
    return await start(child(f"{DAEMON}\n{ESCAPES[way]}\n{after}"), drain=Drain(idle=600, cap=600))


async def first_pid(process: Process, deadline: float) -> int:
    chunk = await asyncio.wait_for(process.read(), deadline)
    assert chunk is not None
    return int(chunk.data.split()[0])


def zombies() -> list[int]:
    states = map(procfs.read_state, procfs.ListedChildren().of(os.getpid()))
    return [state.pid for state in states if state is not None and state.dead]


@pytest.mark.parametrize("way", ESCAPES)
async def test_nobody_escapes_while_the_root_lives(
    child: Callable[..., Spawn], is_alive: Callable[[int], bool], deadline: float, way: str
) -> None:
    async with await escaped(child, way, deadline) as process:
        pid = await first_pid(process, deadline)
        assert is_alive(pid)
        assert await process.kill_tree() == ()
        assert not is_alive(pid)
    assert zombies() == []


@pytest.mark.parametrize("way", ESCAPES)
async def test_nobody_escapes_by_outliving_the_root(
    child: Callable[..., Spawn], is_alive: Callable[[int], bool], deadline: float, way: str
) -> None:
    process = await escaped(child, way, deadline, after="")
    pid = await first_pid(process, deadline)
    await asyncio.wait_for(process.wait(), deadline)
    assert is_alive(pid)
    assert await process.close() == ()
    assert not is_alive(pid)
    assert zombies() == []


@pytest.mark.parametrize("grace", [None, 0.05])
async def test_fifty_daemons_that_ignore_requests_die(
    child: Callable[..., Spawn], is_alive: Callable[[int], bool], deadline: float, grace: float | None
) -> None:
    many = f"{DAEMON}\nfor _ in range(50): {ESCAPES['daemon that ignores requests']}\ntime.sleep(600)"
    async with await start(child(many)) as process:
        text = b""
        while text.count(b"\n") < 50:
            chunk = await asyncio.wait_for(process.read(), deadline)
            assert chunk is not None
            text += chunk.data
        pids = [int(word) for word in text.split()]
        assert await process.kill_tree(grace) == ()
        assert not any(map(is_alive, pids))
    assert zombies() == []


async def test_a_bomb_that_forks_while_it_is_killed_is_outrun(child: Callable[..., Spawn], deadline: float) -> None:
    # At most 300 at a time live, each for half a second, every one a session of its own.
    bomb = (
        "import os, signal, time\n"
        "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "os.write(1, b'x')\n"
        "while True:\n"
        "    if os.fork() == 0: os.setsid(); os.fork(); time.sleep(0.5); os._exit(0)\n"
        "    time.sleep(0.003)\n"
    )
    async with await start(child(bomb)) as process:
        assert await asyncio.wait_for(process.read(), deadline)
        while len(process.tree.members()) < 40:
            await asyncio.sleep(0.01)
        assert await process.kill_tree() == ()
        assert process.tree.members() == ()
    assert zombies() == []


@pytest.mark.parametrize("stopped", [False, True])
async def test_a_graceful_stop_lets_the_obedient_finish(
    child: Callable[..., Spawn], tmp_path: Path, deadline: float, stopped: bool
) -> None:
    code = (
        "import os, signal, sys, time\n"
        "def end(*_): open(sys.argv[1] + str(os.getpid()), 'w').close(); sys.exit(0)\n"
        "signal.signal(signal.SIGTERM, end)\n"
        "os.fork()\n"
        "os.setsid() if os.getpid() != os.getsid(0) else None\n"
        "os.write(1, b'%d\\n' % os.getpid())\n"
        "while True: signal.pause()\n"
    )
    async with await start(child(code, str(tmp_path) + "/")) as process:
        text = b""
        while text.count(b"\n") < 2:
            chunk = await asyncio.wait_for(process.read(), deadline)
            assert chunk is not None
            text += chunk.data
        if stopped:
            for pid in map(int, text.split()):
                os.kill(pid, signal.SIGSTOP)
        assert await process.kill_tree(grace=deadline) == ()
        assert await asyncio.wait_for(process.wait(), deadline) == 0
    assert sorted(os.listdir(tmp_path)) == sorted(text.decode().split())


async def test_orphans_that_die_during_a_long_run_are_collected(child: Callable[..., Spawn], deadline: float) -> None:
    async with await escaped(child, "daemon", deadline) as process:
        pid = await first_pid(process, deadline)
        os.kill(pid, signal.SIGKILL)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        assert zombies() == [pid]
        assert (await run(child("pass"))).ok
        assert zombies() == []


async def test_a_dead_root_is_collected_by_its_own_watch_only(child: Callable[..., Spawn], deadline: float) -> None:
    async with await start(child("raise SystemExit(7)")) as process:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        linux_tree.collect_adopted()
        assert process.tree.kill() == ()
        assert await asyncio.wait_for(process.wait(), deadline) == 7


def test_a_signal_goes_to_the_process_that_was_seen_not_to_a_later_one_of_its_number() -> None:
    with subprocess.Popen(["sleep", "600"]) as sleeping:
        state = procfs.read_state(sleeping.pid)
        assert state is not None
        linux_tree._send(state._replace(started=state.started - 1), signal.SIGKILL)
        linux_tree._send(state, signal.SIGTERM)
        assert sleeping.wait() == -signal.SIGTERM


def test_what_a_dying_member_leaves_to_us_during_the_look_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    dead, heir = subprocess.Popen(["true"]), subprocess.Popen(["sleep", "600"])
    os.waitid(os.P_PID, dead.pid, os.WEXITED | os.WNOWAIT)
    listings = [[dead.pid], [heir.pid]]

    class OneAfterTheOther:
        def of(self, pid: int) -> list[int]:
            return listings.pop(0) if pid == os.getpid() else []

    monkeypatch.setattr(procfs, "children_view", OneAfterTheOther)
    monkeypatch.setattr(marks, "read_mark", lambda pid: 1)
    tree = linux_tree.LinuxTree(1, 2**22 + 1, own_session=False)
    tree.root_collected()
    try:
        assert tree.members() == (heir.pid,)
    finally:
        heir.kill()
        heir.wait()
        tree.release()


async def test_kept_daemons_are_collected_when_they_die(
    child: Callable[..., Spawn], is_alive: Callable[[int], bool], deadline: float
) -> None:
    process = await escaped(child, "daemon", deadline, after="")
    pid = await first_pid(process, deadline)
    await asyncio.wait_for(process.wait(), deadline)
    await process.close(Leftovers.KEEP)
    assert is_alive(pid)
    os.kill(pid, signal.SIGKILL)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    assert zombies() == [pid]
    assert (await run(child("pass"))).ok
    assert zombies() == []


async def test_children_of_others_are_not_touched(
    child: Callable[..., Spawn], is_alive: Callable[[int], bool], deadline: float
) -> None:
    code = f"{DAEMON}\n{ESCAPES['daemon']}\nsys.exit(7)"
    foreign = subprocess.Popen([sys.executable, "-ISc", code], stdout=subprocess.PIPE, start_new_session=True)
    assert foreign.stdout is not None
    orphan = int(foreign.stdout.readline())
    try:
        os.waitid(os.P_PID, foreign.pid, os.WEXITED | os.WNOWAIT)
        async with await escaped(child, "daemon", deadline) as process:
            assert orphan not in process.tree.members()
        assert (await run(child("pass"))).ok
        assert is_alive(orphan)
        assert foreign.wait() == 7, "its status was taken from its owner"
    finally:
        os.kill(orphan, signal.SIGKILL)
        if procfs.read_state(orphan) is not None and orphan in procfs.ListedChildren().of(os.getpid()):
            os.waitpid(orphan, 0)
        foreign.stdout.close()


@pytest.mark.parametrize("way", ["own group", "daemon", "daemon without environment"])
async def test_marks_find_the_tree_even_without_adoption(
    child: Callable[..., Spawn],
    is_alive: Callable[[int], bool],
    deadline: float,
    way: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(linux_tree, "adopt_orphans", lambda owner: False)
    async with await escaped(child, way, deadline) as process:
        pid = await first_pid(process, deadline)
        assert await process.kill_tree() == ()
        assert not is_alive(pid)


async def test_where_marks_are_refused_sessions_and_descent_remain(
    child: Callable[..., Spawn], is_alive: Callable[[int], bool], deadline: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(marks, "marked", lambda mark: contextlib.nullcontext(False))
    for way in ("own group", "own session", "orphan"):
        async with await escaped(child, way, deadline) as process, await escaped(child, way, deadline) as other:
            pid, other_pid = await first_pid(process, deadline), await first_pid(other, deadline)
            assert await process.kill_tree() == ()
            assert not is_alive(pid)
            assert is_alive(other_pid)


async def test_the_scanned_view_of_children_agrees_with_the_listed_one(
    child: Callable[..., Spawn], deadline: float, monkeypatch: pytest.MonkeyPatch, is_alive: Callable[[int], bool]
) -> None:
    async with await escaped(child, "daemon", deadline) as process:
        pid = await first_pid(process, deadline)
        for parent in (os.getpid(), process.pid):
            assert sorted(procfs.ScannedChildren().of(parent)) == sorted(procfs.ListedChildren().of(parent))
        monkeypatch.setattr(procfs, "children_view", procfs.ScannedChildren)
        assert await process.kill_tree() == ()
        assert not is_alive(pid)


def test_state_of_a_process_with_an_awkward_name(tmp_path: Path) -> None:
    awkward = tmp_path / "a) Z (b"
    awkward.symlink_to("/bin/sleep")
    with subprocess.Popen([str(awkward), "600"]) as sleeping:
        state = procfs.read_state(sleeping.pid)
        sleeping.kill()
    assert state is not None
    assert (state.pid, state.parent, state.dead) == (sleeping.pid, os.getpid(), False)
    assert procfs.read_state(2**22 + 1) is None


async def test_a_mark_is_inherited_and_readable_as_text_too(child: Callable[..., Spawn], deadline: float) -> None:
    async with await escaped(child, "daemon without environment", deadline) as process:
        pid = await first_pid(process, deadline)
        mark = marks.read_mark(pid)
        assert mark is not None
        assert mark >= 1 << 60
        assert marks.read_mark(process.pid) == mark
        assert marks.read_mark_of_other_user(pid) == mark
        assert marks.read_mark(os.getpid()) != mark


INNER_HOST = textwrap.dedent("""
    import asyncio, os, sys
    from pi_process import Spawn, start
    async def main():
        process = await start(Spawn((sys.executable, '-ISc', sys.argv[1])))
        os.write(1, b'%d %d\\n' % (os.getpid(), int((await process.read()).data)))
        await asyncio.sleep(600)
    asyncio.run(main())
""")


@pytest.mark.parametrize("crashed", [True, False])
async def test_a_host_inside_a_tree_takes_its_own_trees_along_even_after_a_crash(
    is_alive: Callable[[int], bool], deadline: float, crashed: bool
) -> None:
    daemon = f"{DAEMON}\n{ESCAPES['daemon']}"
    async with await start(
        Spawn((sys.executable, "-c", INNER_HOST, daemon)), drain=Drain(idle=600, cap=600)
    ) as process:
        chunk = await asyncio.wait_for(process.read(), deadline)
        assert chunk is not None
        inner, pid = map(int, chunk.data.split())
        if crashed:
            os.kill(inner, signal.SIGKILL)
            await asyncio.wait_for(process.wait(), deadline)
            assert is_alive(pid)
        assert await process.kill_tree() == ()
        assert not is_alive(pid)
    assert zombies() == []
