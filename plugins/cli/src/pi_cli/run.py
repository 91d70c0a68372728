"""`pi [options] [@file...] [message...]`: from the words to a running mode."""

import sys
from collections.abc import Iterable, Sequence
from contextlib import redirect_stdout
from itertools import pairwise
from typing import TYPE_CHECKING

from pi_api import Leave, PiError, UsageError
from pi_api.kinds import FLAGS
from pi_kernel import __version__
from pi_kernel.main import installed_commands
from pi_kernel.tree.errors import SessionError

from pi_cli.parse import build_parser, parse

if TYPE_CHECKING:
    from pi_kernel import Kernel

AGENT_ERROR, USAGE_ERROR = 1, 2


def main(kernel: "Kernel", arguments: list[str]) -> int:
    """Run and return the exit status; everything that can be said about a failure is on standard error."""
    try:
        return _main(kernel, arguments)
    except Leave as leave:
        print(leave.text)
        return leave.status
    except (UsageError, SessionError) as error:
        _complain(str(error))
        return USAGE_ERROR
    except PiError as error:
        _complain(str(error))
        return AGENT_ERROR


def _main(kernel: "Kernel", arguments: list[str]) -> int:
    # Standard output belongs to the answer; what plugins print while they load goes to standard error.
    with redirect_stdout(sys.stderr):
        kernel.load(only={"cli", "settings", "trust"}, builtin_only="--no-plugins" in arguments)
        kernel.load(builtin_only="--no-plugins" in arguments, disabled=_switched_off(arguments))
        registered = kernel.all(FLAGS)
    if not any(flag.plugin == "cli" for flag in registered):
        _report_failures(kernel, set())
        raise UsageError(
            "the plugin cli is out of use, and nothing runs without it; `pi config enable cli` takes it back"
        )
    parser = build_parser([flag.value for flag in registered], sorted(installed_commands()))
    line = parse(parser, arguments)
    told: set[str] = set()
    _report_failures(kernel, told)
    _check_installed(kernel, _switched_off(arguments))
    if line.flags["help"]:
        raise Leave(parser.format_help().rstrip())
    if line.flags["version"]:
        raise Leave(f"pi {__version__}")
    from pi_cli.start import start

    try:
        return start(kernel, line)
    finally:
        _report_failures(kernel, told)


def _switched_off(arguments: Sequence[str]) -> list[str]:
    """The plugins named by `--without-plugin`, which must be known before plugins give their flags."""
    names = [after for word, after in pairwise(arguments) if word == "--without-plugin"]
    names += [word.partition("=")[2] for word in arguments if word.startswith("--without-plugin=")]
    return names


def _check_installed(kernel: "Kernel", names: Iterable[str]) -> None:
    installed = {plugin.name for plugin in kernel.plugins()}
    for name in names:
        if name not in installed:
            raise UsageError(f"no plugin {name!r} is installed; `pi plugins` lists them")


def _report_failures(kernel: "Kernel", told: set[str]) -> None:
    """Tell the failures of plugins that have not been told; a handler that fails at every event is told once."""
    for text in map(str, kernel.failures):
        if text not in told:
            told.add(text)
            _complain(text, "warning")


def _complain(text: str, level: str = "error") -> None:
    print(f"pi: {level}: {text}", file=sys.stderr)
