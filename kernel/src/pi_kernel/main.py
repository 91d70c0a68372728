"""The command line as far as the kernel knows it: `--version`, and which plugin's command to hand the rest to.

A command is an entry point of the group `pi.cli`: its name is the word on the command line, its target a function
`(kernel, arguments) -> exit status`. Only that one target is imported, so a broken plugin cannot stop the command that
would remove it. Without a known first word the command `run` gets everything.
"""

import io
import os
import sys

from pi_kernel import TYPE_CHECKING, __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pi_kernel.kernel import Kernel
    from pi_kernel.loader import PluginSource

DEFAULT_COMMAND = "run"
USAGE_ERROR, INTERRUPTED, BROKEN_PIPE = 2, 130, 141


def main(arguments: "Sequence[str]", *, bundle: str) -> int:
    """Run pi with the given arguments and return the exit status."""
    try:
        try:
            return _run(list(arguments), bundle)
        finally:
            # Here a reader that is gone is noticed while its absence can still be told by the exit status.
            if sys.stdout is not None:
                sys.stdout.flush()
    except BrokenPipeError:
        # Python would complain once more when it flushes standard output on the way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(arguments: list[str], bundle: str) -> int:
    if arguments in (["--version"], ["-v"], ["-V"]):
        print(f"pi {__version__}")
        return 0
    from pi_kernel.kernel import Kernel

    _speak_utf8()
    try:
        os.getcwd()
    except FileNotFoundError:
        print("pi: error: the current directory no longer exists; change to one that does", file=sys.stderr)
        return USAGE_ERROR
    kernel = Kernel(bundle=bundle)
    try:
        return _dispatch(kernel, arguments, bundle)
    finally:
        kernel.close()


def _speak_utf8() -> None:
    """The same bytes on every system: UTF-8 and LF on the standard streams, and no text that cannot be written."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")


def _dispatch(kernel: "Kernel", arguments: list[str], bundle: str) -> int:
    commands = installed_commands(bundle)
    word, rest = (
        (arguments[0], arguments[1:]) if arguments and arguments[0] in commands else (DEFAULT_COMMAND, arguments)
    )
    source = commands.get(word)
    if source is None:
        print(f"pi: no plugin gives the command {word!r}; install the distribution pi-cli", file=sys.stderr)
        return USAGE_ERROR
    from importlib import import_module

    try:
        module, _, attribute = source.target.partition(":")
        command = getattr(import_module(module), attribute)
    except (Exception, SystemExit) as error:
        print(
            f"pi: the command {word!r} of distribution {source.distribution!r} cannot be loaded: "
            f"{type(error).__name__}: {error}; reinstall or uninstall {source.distribution}",
            file=sys.stderr,
        )
        return 1
    status: int = command(kernel, rest)
    return status


def installed_commands(bundle: str = "") -> dict[str, "PluginSource"]:
    """The installed commands by word; of two with one word a member of the bundle counts, else the first by name."""
    from pi_kernel.loader.scan import COMMAND_GROUP, normalized, requirements, scan

    builtin = requirements(bundle) if bundle else frozenset()
    sources = sorted(scan(COMMAND_GROUP), key=lambda source: normalized(source.distribution) not in builtin)
    return {source.name: source for source in reversed(sources)}
