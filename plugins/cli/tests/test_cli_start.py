"""Choosing a mode, reading a session's last model, and ending on a signal."""

import asyncio
import io
import os
import signal
import subprocess
import sys
from typing import Any

import pytest
from pi_api import Leave, UsageError
from pi_api.command import Mode
from pi_api.kinds import MODES
from pi_cli.completions import SCRIPTS, Word
from pi_cli.models import Wish
from pi_cli.parse import CommandLine
from pi_cli.run import main
from pi_cli.signals import run_until_signalled
from pi_cli.start import choose_mode, last_used, start
from pi_kernel import Kernel
from pi_kernel.loader import PluginSource
from pi_kernel.tree import SessionTree


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


async def unused(run: Any) -> int:
    return 0


def kernel_with(*names: str) -> Kernel:
    kernel = Kernel(env={"PI_CODING_AGENT_DIR": os.devnull}, sources=list)
    for name in names:
        kernel.registry.add(MODES, Mode(name, "", unused, interactive=name == "tui"), "test")
    return kernel


@pytest.mark.parametrize(
    ("installed", "flags", "stdin", "stdout", "mode"),
    [
        ("print json tui", {}, Terminal(), Terminal(), "tui"),
        ("print json tui", {"print": True}, Terminal(), Terminal(), "print"),
        ("print json tui", {}, io.StringIO(), Terminal(), "print"),
        ("print json tui", {}, Terminal(), io.StringIO(), "print"),
        ("print json tui", {}, None, None, "print"),
        ("print json tui", {"mode": "json"}, Terminal(), Terminal(), "json"),
        ("print json tui", {"mode": "text"}, Terminal(), Terminal(), "print"),
        ("print json", {"print": True}, Terminal(), Terminal(), "print"),
    ],
)
def test_the_mode(installed: str, flags: dict[str, Any], stdin: Any, stdout: Any, mode: str) -> None:
    assert choose_mode(kernel_with(*installed.split()), flags, stdin, stdout).name == mode


def test_a_terminal_without_an_interactive_mode_is_told_what_works() -> None:
    with pytest.raises(Leave, match="pi -p") as leave:
        choose_mode(kernel_with("print", "json"), {}, Terminal(), Terminal())
    assert leave.value.status == 2


@pytest.mark.parametrize(
    ("installed", "flags", "complaint"),
    [
        ("print json", {"mode": "rpc"}, "no mode 'rpc'; installed are json, print"),
        ("", {"mode": "rpc"}, "installed are none"),
        ("json", {"print": True}, "pi-mode-print"),
    ],
)
def test_a_mode_that_is_not_installed(installed: str, flags: dict[str, Any], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        choose_mode(kernel_with(*installed.split()), flags, io.StringIO(), io.StringIO())


def test_nothing_said_is_told_before_a_session_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(" \n"))
    with pytest.raises(UsageError, match="nothing to answer"):
        start(kernel_with("print"), CommandLine({"list-models": None, "print": True}, (), ("",)))


def test_leaving_out_a_plugin_that_is_not_installed_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    source = PluginSource("cli", "pi_cli.plugin", "pi-cli", "0.1.0", "", "")
    kernel = Kernel(env={"PI_CODING_AGENT_DIR": os.devnull}, sources=lambda: [source])
    assert main(kernel, ["--without-plugin", "tool-bsah", "--help"]) == 2
    assert "no plugin 'tool-bsah' is installed" in capsys.readouterr().err
    assert main(kernel, ["--help"]) == 0


def test_a_run_without_this_plugin_says_how_to_get_it_back(capsys: pytest.CaptureFixture[str]) -> None:
    source = PluginSource("cli", "pi_cli.plugin", "pi-cli", "0.1.0", "", "")
    kernel = Kernel(env={"PI_CODING_AGENT_DIR": os.devnull}, sources=lambda: [source])
    kernel.disable({"cli"})
    assert main(kernel, ["-p", "hello"]) == 2
    assert "`pi config enable cli`" in capsys.readouterr().err


def test_a_session_remembers_the_model_of_its_branch_only() -> None:
    tree = SessionTree.in_memory(os.getcwd())
    assert last_used(tree) == Wish()
    first = tree.append("model_change", {"provider": "a", "modelId": "one"})
    tree.append("thinking_level_change", {"thinkingLevel": "high"})
    tree.append("message", {"message": {"role": "assistant", "provider": "b", "model": "two"}})
    assert last_used(tree) == Wish("b", "two", "high")
    tree.branch(first.id)
    assert last_used(tree) == Wish("a", "one", "")


def test_a_result_is_passed_on() -> None:
    async def main() -> int:
        return 5

    assert run_until_signalled(main()) == 5


def test_an_error_is_passed_on() -> None:
    async def main() -> int:
        raise ValueError("x")

    with pytest.raises(ValueError, match="x"):
        run_until_signalled(main())


@pytest.mark.skipif(sys.platform == "win32", reason="os.kill cannot send these signals on Windows")
@pytest.mark.parametrize(("name", "status"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_signal_cancels_once_and_tells_itself_in_the_status(name: str, status: int) -> None:
    log: list[str] = []

    async def main() -> int:
        try:
            os.kill(os.getpid(), getattr(signal, name))
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            log.append("closed in order")
        return 0

    before = signal.getsignal(getattr(signal, name))
    assert run_until_signalled(main()) == status
    assert log == ["closed in order"]
    assert signal.getsignal(getattr(signal, name)) in (before, signal.SIG_DFL, signal.default_int_handler)


WORDS = [Word("config", "what's installed"), Word("--model", "id: or part"), Word("--mode", "100%")]


@pytest.mark.skipif(sys.platform == "win32", reason="needs a bash on PATH")
@pytest.mark.parametrize(
    ("typed", "offered"), [("co", "config"), ("--mod", "--model --mode"), ("@READ", "@README.md"), ("zzz", "")]
)
def test_bash_completes(tmp_path: Any, typed: str, offered: str) -> None:
    (tmp_path / "README.md").touch()
    ask = f'COMP_WORDS=(pi "{typed}"); COMP_CWORD=1; _pi; echo "${{COMPREPLY[*]}}"'
    done = subprocess.run(
        ["bash", "-c", f"{SCRIPTS['bash'](WORDS)}\n{ask}"],
        cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert (done.stdout.strip(), done.stderr) == (offered, "")


@pytest.mark.skipif(sys.platform == "win32", reason="PI_TEST_PWSH names a program for Linux")
def test_powershell_completes() -> None:
    program = os.environ.get("PI_TEST_PWSH")
    if not program:
        pytest.skip("needs PowerShell 7, named by PI_TEST_PWSH")
    ask = "(TabExpansion2 'pi --mod' 8).CompletionMatches.CompletionText -join ' '"
    done = subprocess.run(
        [program, "-NoProfile", "-NonInteractive", "-Command", f"{SCRIPTS['powershell'](WORDS)}\n{ask}"],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == "--model --mode"


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_get_every_word_quoted(shell: str) -> None:
    script = SCRIPTS[shell](WORDS)
    for word in WORDS:
        assert word.text.removeprefix("--") in script
    assert "what'\\''s" in script
