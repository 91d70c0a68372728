"""The command line: what each word becomes, and what is said of one that is wrong."""

from typing import Any

import pytest
from pi_api import Flag, UsageError
from pi_cli.flags import FLAGS
from pi_cli.parse import CommandLine, build_parser, parse

MORE = (
    Flag("print", "answer once", short="p"),
    Flag("name", "a name", "text", short="n"),
    Flag("no-context-files", "none", short="nc"),
    Flag("level", "how loud, in %", "text", choices=("low", "high")),
)


def command_line(*words: str) -> CommandLine:
    return parse(build_parser((*FLAGS, *MORE), ["config", "run"]), words)


@pytest.mark.parametrize(
    ("words", "flags", "files", "messages"),
    [
        ((), {}, (), ()),
        (("hello",), {}, (), ("hello",)),
        (("-p", "hello", "again"), {"print": True}, (), ("hello", "again")),
        (("hello", "-p"), {"print": True}, (), ("hello",)),
        (("@a.md", "x", "@b c.md"), {}, ("a.md", "b c.md"), ("x",)),
        (("@",), {}, (), ("@",)),
        (("--model", "opus:high", "x"), {"model": "opus:high"}, (), ("x",)),
        (("--model=opus", "x"), {"model": "opus"}, (), ("x",)),
        (("-n", "a name", "x"), {"name": "a name"}, (), ("x",)),
        (("-pv",), {"print": True, "version": True}, (), ()),
        (("-nt", "-nc", "-nbt"), {"no-tools": True, "no-context-files": True, "no-builtin-tools": True}, (), ()),
        (("-t", "a,b", "-t", "c"), {"tools": ["a,b", "c"]}, (), ()),
        (("--list-models",), {"list-models": ""}, (), ()),
        (("--list-models", "opus"), {"list-models": "opus"}, (), ()),
        (("-p", "--", "--model", "@x"), {"print": True}, (), ("--model", "@x")),
        (("-p", "- a list item"), {"print": True}, (), ("- a list item",)),
        (("-p", "-1 is negative"), {"print": True}, (), ("-1 is negative",)),
        (("-p", "3 > 2 && 100%"), {"print": True}, (), ("3 > 2 && 100%",)),
        (("", "x"), {}, (), ("", "x")),
        (("--help",), {"help": True}, (), ()),
        (("-v",), {"version": True}, (), ()),
        (("--level", "low"), {"level": "low"}, (), ()),
    ],
)
def test_words_become_flags_files_and_messages(
    words: tuple[str, ...], flags: dict[str, Any], files: tuple[str, ...], messages: tuple[str, ...]
) -> None:
    line = command_line(*words)
    given = {name: value for name, value in line.flags.items() if value not in (None, False)}
    assert (given, line.files, line.messages) == (flags, files, messages)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--modle", "x"), "unknown option --modle; did you mean --mode"),
        (("--modle=x",), "unknown option --modle"),
        (("--zzzzzz",), "pi --help"),
        (("-z",), "unknown option -z"),
        (("-x", "hello"), "unknown option -x"),
        (("--model",), "expected one argument"),
        (("--level", "loud"), "invalid choice: 'loud'"),
        (("--mod", "json"), "unknown option --mod;"),
    ],
)
def test_a_wrong_word_is_named(words: tuple[str, ...], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        command_line(*words)


def test_help_names_every_flag_command_and_an_example() -> None:
    text = build_parser((*FLAGS, *MORE), ["config", "doctor"]).format_help()
    for flag in (*FLAGS, *MORE):
        assert f"--{flag.name}" in text
    assert "config, doctor" in text
    assert 'pi -p "' in text
    assert "in %" in text
