"""The command line of `pi config`."""

import argparse

from pi_config.listing import SECTIONS

ABOUT = "See what is installed, switch it on and off, and change settings."

EXAMPLES = """\
examples:
  pi config                                what is installed, on or off, and where it is from
  pi config disable tool-bash              no shell commands from now on; `enable` takes it back
  pi config disable skill:code-review      the same for skill:NAME, prompt:NAME, theme:NAME, globs too
  pi config get                            every setting that counts here, and what decides it
  pi config set bash.timeout 60            values are JSON, or plain words
  pi config set -l defaultModel some-model for this project only (it must be trusted: `pi trust yes`)
  pi config unset bash.timeout             back to the default

Settings are layered: defaults, yours, the project's, environment variables, the command line; the last one counts.
Plugins of third parties are never started by this command, so it can switch off a plugin that breaks everything else.
"""


def parser() -> argparse.ArgumentParser:
    """The parser of `pi config`; without a command it is `list`."""
    top = argparse.ArgumentParser(
        "pi config", description=ABOUT, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    _common(top, argparse.SUPPRESS)
    commands = top.add_subparsers(dest="command", metavar="COMMAND")
    found = _command(commands, "list", "list plugins, skills, prompts and themes")
    found.add_argument("sections", nargs="*", choices=[*SECTIONS, []], default=[], metavar="SECTION", help=_SECTIONS)
    for word, text in (("enable", "switch on"), ("disable", "switch off")):
        _command(commands, word, f"{text} plugins or resources").add_argument("names", nargs="+", metavar="NAME")
    _command(commands, "get", "show settings").add_argument("path", nargs="?", default="", metavar="PATH")
    setting = _command(commands, "set", "change a setting")
    setting.add_argument("path", metavar="PATH")
    setting.add_argument("value", metavar="VALUE", help="JSON, or plain words")
    _command(commands, "unset", "remove a setting").add_argument("path", metavar="PATH")
    _command(commands, "path", "tell where the settings lie")
    top.set_defaults(command="list", sections=[], project=False, json=False, approve=False, no_approve=False)
    return top


_SECTIONS = f"only these: {', '.join(SECTIONS)}"


def _command(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", word: str, text: str
) -> argparse.ArgumentParser:
    found = commands.add_parser(word, help=text, description=f"{text[:1].upper()}{text[1:]}.")
    _common(found, argparse.SUPPRESS)
    return found


def _common(found: argparse.ArgumentParser, default: object) -> None:
    """Flags that may stand before or after the command."""
    flag = {"action": "store_true", "default": default}
    found.add_argument("-l", "--project", help="this directory's .pi/settings.json instead of your own", **flag)  # type: ignore[arg-type]
    found.add_argument("--json", help="print one JSON value", **flag)  # type: ignore[arg-type]
    found.add_argument("-a", "--approve", help="trust this project for this command", **flag)  # type: ignore[arg-type]
    found.add_argument("-na", "--no-approve", help="do not trust it for this command", **flag)  # type: ignore[arg-type]
