"""From words on the command line to flags and prompts: argparse, with errors and help of our own."""

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, NoReturn

from pi_api import Flag, UsageError

EXAMPLES = """examples:
  pi -p "how many Python files are there?"      ask once, print the answer
  pi -p @notes.md "summarise this"              with a file
  git diff | pi -p "review this change"         with standard input
  pi -c -p "and now in German"                  go on with the last session here
  pi --mode json "run the tests"                one JSON event a line

Without a key the embedded offline model answers. `pi doctor` says what is missing, `pi config list` what is installed.
"""


@dataclass(frozen=True, slots=True)
class CommandLine:
    """The values of all flags by name, the `@files` and the messages, in order."""

    flags: dict[str, Any]
    files: tuple[str, ...]
    messages: tuple[str, ...]


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message)

    def _get_option_tuples(self, option_string: str) -> list[Any]:
        """What a word may stand for: argparse takes `-x` for `-xt`, whatever `allow_abbrev` says."""
        return [found for found in super()._get_option_tuples(option_string) if option_string.startswith(found[1])]


def build_parser(flags: Iterable[Flag], commands: Sequence[str]) -> argparse.ArgumentParser:
    """A parser that knows exactly these flags; `commands` are named in its help."""
    parser = _Parser(
        prog="pi",
        usage="pi [options] [@file ...] [message ...]\n       pi COMMAND [options]",
        description=f"commands: {', '.join(commands)} (each has its own --help)",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=False,
        allow_abbrev=False,
    )
    groups: dict[str, argparse._ArgumentGroup] = {}
    for flag in flags:
        if flag.section not in groups:
            groups[flag.section] = parser.add_argument_group(flag.section)
        names = ([f"-{flag.short}"] if flag.short else []) + [f"--{flag.name}"]
        groups[flag.section].add_argument(*names, dest=flag.name, help=flag.help.replace("%", "%%"), **_options(flag))
    general = groups.get("other") or parser.add_argument_group("other")
    general.add_argument("-h", "--help", action="store_true", dest="help", help="show this text")
    general.add_argument("-v", "--version", action="store_true", dest="version", help="show the version")
    parser.add_argument("words", nargs="*", help=argparse.SUPPRESS)
    return parser


def parse(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> CommandLine:
    """Parse; `UsageError` names the word that is wrong and what may have been meant."""
    before, literal = _split(list(arguments))
    values, unknown = parser.parse_known_intermixed_args(before)
    if unknown:
        raise UsageError(_unknown(unknown[0], parser))
    flags = vars(values)
    words: list[str] = flags.pop("words") or []
    files = tuple(word[1:] for word in words if word.startswith("@") and len(word) > 1)
    messages = [word for word in words if not (word.startswith("@") and len(word) > 1)]
    return CommandLine(flags, files, (*messages, *literal))


def _split(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Everything after `--` is a message, whatever it looks like."""
    if "--" not in arguments:
        return arguments, []
    at = arguments.index("--")
    return arguments[:at], arguments[at + 1 :]


def _options(flag: Flag) -> dict[str, Any]:
    metavar = flag.metavar or flag.name.upper()
    match flag.kind:
        case "switch":
            return {"action": "store_true", "default": bool(flag.default)}
        case "optional":
            return {"nargs": "?", "const": "", "default": flag.default, "metavar": metavar}
        case "list":
            return {"action": "append", "default": None, "metavar": metavar}
        case _:
            return {"default": flag.default, "metavar": metavar, "choices": flag.choices or None}


def _unknown(word: str, parser: argparse.ArgumentParser) -> str:
    name = word.partition("=")[0]
    known = [option for action in parser._actions for option in action.option_strings]
    close = get_close_matches(name, known, n=1)
    hint = f"; did you mean {close[0]}?" if close else "; `pi --help` lists the options"
    return f"unknown option {name}{hint}"
