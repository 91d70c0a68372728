"""Plans that run commands."""

import fnmatch
import shlex
from collections.abc import Mapping

from pi_provider_offline import outputs
from pi_provider_offline.phrasing import fenced
from pi_provider_offline.plans.talking import text
from pi_provider_offline.understanding import words
from pi_provider_offline.work import CannotError, Plan, Result, Toolbox, one

TOLD = ("command", "title", "silent")
"""Slots of a command that are not put into it."""


def run_tests(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """Look what kind of project this is and run its tests with the first command that exists."""
    listing = yield from one(toolbox.ls("."), "I look how the tests of this project are run.")
    if listing.failed:
        raise CannotError(f"I cannot list this directory:\n\n{fenced(listing.text)}")
    commands = test_commands(outputs.entries(listing.text))
    if not commands:
        return text("no_tests")
    for command in commands:
        result = yield from one(toolbox.bash(command))
        if not (result.failed and outputs.command_is_missing(result.text)):
            return outcome(command, result, "The tests passed.", "The tests did not pass.")
    return outcome(commands[-1], result, "", "None of the usual ways to run the tests is there.")


def test_commands(names: list[str]) -> list[str]:
    """The ways to run the tests of a project with these files, most likely first."""
    for row in words()["tests"]:
        if any(fnmatch.fnmatchcase(name, mark) for mark in row["marks"] for name in names):
            return list(row["commands"])
    return []


def run_command(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """Run a command the user gave, word for word."""
    command = slots["command"]
    result = yield from one(toolbox.bash(command))
    return outcome(command, result, "", "The command failed.")


def show_command(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """A question that one command answers; `title` introduces its output, `silent` stands for none."""
    words_given = {name: shlex.quote(value) for name, value in slots.items() if name not in TOLD}
    command = slots["command"].format_map(words_given)
    result = yield from one(toolbox.bash(command))
    if not result.failed and outputs.is_nothing(result.text or "no output") and "silent" in slots:
        return slots["silent"]
    return outcome(command, result, slots.get("title", ""), "The command failed.")


def outcome(command: str, result: Result, good: str, bad: str) -> str:
    """A command, its output, and how it went."""
    verdict = bad if result.failed else good
    output = result.text.strip() or "(no output)"
    return f"{verdict}\n\n`{command}` gave:\n\n{fenced(output)}".strip()
