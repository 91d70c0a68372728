"""Words mean what bash takes them to mean: random ones are read by both and compared after quote removal."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from random import Random

import pytest
from pi_shell import Refusal, parse, split_assignment
from pi_shell.nodes import DoubleQuoted, Parameter, Quoted, Raw, Segment, Simple, Tilde, Word

VARIABLES = {"V": "v w", "E": "", "HOME": "/H"}
SETUP = "set -f; IFS=; V='v w'; E=; unset U; p() { printf '%s\\0' \"$@\"; printf 'end\\0'; }\n"
END = b"end\0"
BATCH = 200
COUNT = 2000

ALPHABETS = {
    "everything": (
        *"ab1$'\"\\`{}~*[]=:,.-#!? +@^%|&;<>()/_\t\r\n\u00e9\u00a0\x0b",
        *(
            "{a,b}",
            "\\\n",
            "\\\n",
            "$V",
            "$E",
            "$U",
            "${U:-",
            "${V:+",
            "${#V}",
            "$'",
            "\\x41",
            "\\101",
            "X=",
            "~/",
            "..",
        ),
    ),
    "double quotes and parameters": (
        *'a}}}""""\'\\$`*~ \n!{',
        *("$V", "${U:-", "${V:+", "${U:-", "\\\n", "$'", "${#V}", "$E"),
    ),
    "braces": (*"{}{},,1a3\"'\\-zx=+.", "..", "$U", "${U:-", "\\\n", "{a,", "{1.."),
    "escapes": (*"'\\01278aFc\"?\u00e9d8eEnuUx{}", "$'", "$'", "\\x", "\\u", "\\U", "\\0", "\\c", "\\x{"),
}


@pytest.mark.parametrize("alphabet", ALPHABETS.values(), ids=ALPHABETS)
def test_arguments(alphabet: tuple[str, ...], run_bash: Callable[..., subprocess.CompletedProcess[bytes]]) -> None:
    random = Random(11)
    samples: dict[str, bytes] = {}
    while len(samples) < COUNT:
        text = "".join(random.choice(alphabet) for _ in range(random.randint(1, 9)))
        meaning = arguments(f"p {text}\n\n")
        if meaning is not None:
            samples[f"p {text}\n\n"] = meaning
    assert list(disagreements(samples, run_bash)) == []


@pytest.mark.parametrize("alphabet", ALPHABETS.values(), ids=ALPHABETS)
def test_assignments(alphabet: tuple[str, ...], run_bash: Callable[..., subprocess.CompletedProcess[bytes]]) -> None:
    random = Random(12)
    samples: dict[str, bytes] = {}
    while len(samples) < COUNT:
        text = "".join(random.choice(alphabet) for _ in range(random.randint(1, 9)))
        value = assigned(f"X={text}\n\n")
        if value is not None:
            samples[f'X={text}\n\np "$X"\n'] = value
    assert list(disagreements(samples, run_bash)) == []


def arguments(source: str) -> bytes | None:
    """What `p` would print for this command, or `None` when it is refused or not just that."""
    command = one_command(source)
    if command is None or command.assignments or command.redirects:
        return None
    meanings = [of_word(word) for word in command.words[1:]]
    kept = [text for text, quoted in meanings if text or quoted]
    return b"".join(encode(text) + b"\0" for text in kept or [""])


def assigned(source: str) -> bytes | None:
    command = one_command(source)
    if command is None or command.words or command.redirects or len(command.assignments) != 1:
        return None
    return encode(of_word(command.assignments[0].value)[0]) + b"\0"


def one_command(source: str) -> Simple | None:
    try:
        tree = parse(source)
    except Refusal:
        return None
    if len(tree.items) != 1 or len(tree.items[0].pipelines) != 1 or len(tree.items[0].pipelines[0].commands) != 1:
        return None
    command = tree.items[0].pipelines[0].commands[0]
    return command if isinstance(command, Simple) and "CommandSub" not in repr(command) else None


def of_word(word: Word) -> tuple[str, bool]:
    """The word's text with globbing and splitting off, and whether any of it is quoted."""
    parts = [of_segment(segment) for segment in word.segments]
    return "".join(text for text, _ in parts), any(quoted for _, quoted in parts)


def of_segment(segment: Segment) -> tuple[str, bool]:
    match segment:
        case Raw(text):
            return text, False
        case Quoted(text):
            return text, True
        case Tilde():
            return VARIABLES["HOME"], True
        case DoubleQuoted(segments):
            return "".join(of_segment(inner)[0] for inner in segments), True
        case Parameter():
            return of_parameter(segment)
    raise AssertionError(segment)


def of_parameter(node: Parameter) -> tuple[str, bool]:
    value = "0" if node.name == "?" else VARIABLES.get(node.name, "")
    match node.operator:
        case "#":
            return str(len(value)), False
        case ":-" if not value and node.argument:
            return of_word(node.argument)
        case ":+" if value and node.argument:
            return of_word(node.argument)
        case ":+":
            return "", False
    return value, False


def encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def disagreements(
    samples: dict[str, bytes], run_bash: Callable[..., subprocess.CompletedProcess[bytes]]
) -> list[tuple[str, bytes, bytes]]:
    """Samples for which bash prints something else, with our answer and bash's."""
    sources = list(samples)
    found: list[tuple[str, bytes, bytes]] = []
    for start in range(0, len(sources), BATCH):
        batch = sources[start : start + BATCH]
        script = SETUP + "".join("unset X; " + source for source in batch)
        answers = run_bash(script).stdout.split(END)
        for index, source in enumerate(batch):
            answer = answers[index] if index < len(answers) - 1 else b"(nothing)"
            if answer != samples[source]:
                found.append((source, samples[source], answer))
                break
    return found


def test_split_assignment_is_bash_export(run_bash: Callable[..., subprocess.CompletedProcess[bytes]]) -> None:
    source = "export A=~/x B=a:~ C='d e'\"$V\" D"
    command = one_command(source)
    assert command is not None
    split = [split_assignment(word) for word in command.words[1:]]
    values = [encode(of_word(item.value)[0]) for item in split if item is not None]
    printed = run_bash(SETUP + source + '\np "$A" "$B" "$C"').stdout
    assert printed == b"\0".join([*values, END])
