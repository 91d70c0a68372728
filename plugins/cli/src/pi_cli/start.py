"""Choosing the parts of a run (trust, session, model, mode) and starting it."""

import os
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from pi_api import AGENT, SESSIONS, SETTINGS, TRUST, Leave, ModeRun, SessionOptions, UsageError, service
from pi_api.kinds import MODES, PROVIDERS, TOOLS
from pi_api.remembered import remembered
from pi_api.services import OpenedSession
from pi_kernel.tree import SessionTree

from pi_cli.models import Choice, Wish, choose, model_table
from pi_cli.parse import CommandLine
from pi_cli.prompts import build_prompts

if TYPE_CHECKING:
    from pi_api import Mode
    from pi_kernel import Kernel


def start(kernel: "Kernel", line: CommandLine) -> int:
    """Run the mode that the command line asks for and return its exit status."""
    from pi_cli.signals import run_until_signalled

    if line.flags["list-models"] is not None:
        raise Leave(model_table(_providers(kernel), kernel.env, line.flags["list-models"]))
    mode = choose_mode(kernel, line.flags, sys.stdin, sys.stdout)
    if not mode.takes_prompts and (line.files or line.messages):
        raise UsageError(f"mode {mode.name} takes no messages or files on the command line")
    piped = sys.stdin.read() if mode.takes_prompts and not _is_terminal(sys.stdin) else ""
    prompts = build_prompts(piped, line.files, line.messages, Path.cwd())
    with redirect_stdout(sys.stderr):
        opened = _open_session(kernel, line.flags)
        try:
            if not prompts and mode.takes_prompts and not mode.interactive:
                _check_of_use(opened, line.flags)
            session = _factory(kernel).create(kernel, _options(kernel, line, opened))
        except BaseException:
            opened.tree.close()
            raise
    return run_until_signalled(mode.run(ModeRun(kernel, session, prompts, line.flags)))


def _check_of_use(opened: OpenedSession, flags: Mapping[str, Any]) -> None:
    """A run without a prompt is of use only when making a copy or giving a name was all that was wanted."""
    if opened.reason != "fork" and not flags.get("name"):
        raise UsageError(
            'there is nothing to answer; give a message, as in `pi -p "list this directory"`, a file or standard input'
        )


def choose_mode(kernel: "Kernel", flags: Mapping[str, Any], stdin: TextIO | None, stdout: TextIO | None) -> "Mode":
    """The mode asked for; without a wish the interactive one in a terminal, else `print`."""
    modes = {found.name: found.value for found in kernel.all(MODES)}
    wanted = flags.get("mode") or ""
    wanted = "print" if wanted == "text" else wanted
    if wanted:
        if wanted not in modes:
            raise UsageError(f"no mode {wanted!r}; installed are {', '.join(sorted(modes)) or 'none'}")
        return modes[wanted]
    if not flags.get("print") and _is_terminal(stdin) and _is_terminal(stdout):
        interactive = [mode for mode in modes.values() if mode.interactive]
        if not interactive:
            raise Leave(_NO_SCREEN, 2)
        return interactive[0]
    if "print" not in modes:
        raise UsageError("no mode for this is installed; install the distribution pi-mode-print")
    return modes["print"]


_NO_SCREEN = """No interactive mode is installed. What works:
  pi -p "how many Python files are there?"   ask once, print the answer
  pi -c -p "and the largest?"                go on with the last session
  pi --mode json "…"                         one JSON event a line, for programs
  pi --help                                  everything else"""


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and not stream.closed and stream.isatty()


def _open_session(kernel: "Kernel", flags: Mapping[str, Any]) -> OpenedSession:
    store = service(kernel, SESSIONS)
    if store is None:
        return OpenedSession(SessionTree.in_memory(os.getcwd()), "new")
    return store.open(Path.cwd(), flags)


def _options(kernel: "Kernel", line: CommandLine, opened: OpenedSession) -> SessionOptions:
    cwd = Path(opened.tree.header.cwd)
    trusted = _trust_and_settings(kernel, cwd, line.flags)
    choice = _choice(kernel, line.flags, opened.tree)
    if choice.note:
        print(f"pi: warning: {choice.note}", file=sys.stderr)
    allowed, denied = _tool_lists(kernel, line.flags)
    return SessionOptions(
        cwd=cwd,
        tree=opened.tree,
        model=choice.model,
        thinking=choice.thinking,
        reason="startup" if opened.reason == "new" else opened.reason,
        previous=opened.previous,
        trusted=trusted,
        api_key=line.flags.get("api-key"),
        tools=allowed,
        without_tools=denied,
        flags=line.flags,
        env=kernel.env,
    )


def _trust_and_settings(kernel: "Kernel", cwd: Path, flags: Mapping[str, Any]) -> bool:
    """Decide trust, read the project's settings if it is trusted, and switch off the plugins it does not want."""
    trust, settings = service(kernel, TRUST), service(kernel, SETTINGS)
    trusted = trust.trusted(cwd, flags) if trust else False
    if settings is None:
        return trusted
    settings.use_project(str(cwd), trusted=trusted)
    unwanted = settings.get("plugins.disabled")
    kernel.disable([str(name) for name in unwanted] if isinstance(unwanted, list) else [])
    for problem in settings.problems:
        print(f"pi: warning: {problem}", file=sys.stderr)
    return trusted


def _choice(kernel: "Kernel", flags: Mapping[str, Any], tree: SessionTree) -> Choice:
    asked = Wish(flags.get("provider") or "", flags.get("model") or "", flags.get("thinking") or "")
    settings = service(kernel, SETTINGS)
    configured = Wish()
    if settings is not None:
        from pi_cli.settings import ModelSettings

        read = settings.read("", ModelSettings)
        configured = Wish(read.default_provider, read.default_model, read.default_thinking_level)
    return choose(_providers(kernel), kernel.env, asked, last_used(tree), configured)


def last_used(tree: SessionTree) -> Wish:
    """The model and thinking level of a session's branch, as a wish."""
    found = remembered(tree.path())
    return Wish(*(found.model or ("", "")), found.thinking or "")


def _tool_lists(kernel: "Kernel", flags: Mapping[str, Any]) -> tuple[frozenset[str] | None, frozenset[str]]:
    """The tools allowed (`None`: those active by default) and those denied."""
    known = {tool.name: tool.plugin for tool in kernel.all(TOOLS)}
    allowed, denied = _names(flags.get("tools")), _names(flags.get("exclude-tools"))
    for name in (*allowed, *denied):
        if name not in known:
            raise UsageError(f"no tool {name!r}; there are {', '.join(sorted(known)) or 'none'}")
    if flags.get("no-builtin-tools"):
        builtin = {plugin.name for plugin in kernel.plugins() if plugin.builtin}
        denied |= {name for name, plugin in known.items() if plugin in builtin and name not in allowed}
    if flags.get("no-tools"):
        return allowed, denied
    return (allowed or None), denied


def _names(values: list[str] | None) -> frozenset[str]:
    return frozenset(name.strip() for value in values or () for name in value.split(",") if name.strip())


def _providers(kernel: "Kernel") -> list[Any]:
    return [found.value for found in kernel.all(PROVIDERS)]


def _factory(kernel: "Kernel") -> Any:
    factory = service(kernel, AGENT)
    if factory is None:
        raise UsageError("no agent is installed; install the distribution pi-agent")
    return factory
