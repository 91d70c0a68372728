"""What the parser accepts is a command line for bash too; so whatever bash rejects is refused here."""

from __future__ import annotations

import json
import lzma
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest
from pi_shell import Refusal, parse
from pi_shell.fuzz import Breakage, Programs, Renderer
from pi_shell.sketch import sketch

PIECES = (
    *(
        "a ",
        "b ",
        "f ",
        "i ",
        "1 ",
        "2",
        "x",
        " ",
        "\n",
        "; ",
        "| ",
        "|| ",
        "&& ",
        "! ",
        "(",
        ")",
        "{ ",
        "}",
        "\\\n",
        "#",
        "\t",
    ),
    *("for ", "in ", "do ", "done ", "for ((i=0;i<1;i++))", "> ", ">> ", "< ", "2> ", "2>&1 ", "&> ", ">& ", "&"),
    *("$(", "`", '"', "'", "\\", "x=", "X=1 ", "$x", "${x:-", "if ", "fi ", "case ", "[[ ", " ]]", "time ", "((", "))"),
)
COUNT = 200


@pytest.fixture(scope="module")
def bash_rejects(bash: str) -> Callable[[list[str]], list[str]]:
    """`bash_rejects(scripts)`: those that `bash -n` rejects."""

    def rejected(script: str) -> bool:
        command = [bash, "--norc", "-n", "-c", "--", os.fsencode(script)]
        return subprocess.run(command, check=False, stdin=subprocess.DEVNULL, capture_output=True).returncode != 0

    def run(scripts: list[str]) -> list[str]:
        with ThreadPoolExecutor(2) as pool:
            verdicts = pool.map(rejected, scripts)
            return [script for script, bad in zip(scripts, verdicts, strict=True) if bad]

    return run


def accepted(texts: Iterator[str], count: int) -> list[str]:
    found: list[str] = []
    for text in texts:
        if parses(text):
            found.append(text)
        if len(found) == count:
            break
    return found


def parses(text: str) -> bool:
    try:
        return bool(parse(text).items)
    except Refusal:
        return False


def soup(random: Random) -> Iterator[str]:
    while True:
        yield "".join(random.choice(PIECES) for _ in range(random.randint(2, 12)))


def damaged(random: Random) -> Iterator[str]:
    programs, renderer, breakage = Programs(random), Renderer(random), Breakage(random)
    while True:
        yield breakage.damage(renderer.program(programs.program()))


def spellings(random: Random) -> Iterator[str]:
    programs, renderer = Programs(random), Renderer(random)
    while True:
        yield renderer.program(programs.program())


@pytest.mark.parametrize("texts", [soup, damaged, spellings], ids=lambda texts: texts.__name__)
def test_generated_text(
    texts: Callable[[Random], Iterator[str]], bash_rejects: Callable[[list[str]], list[str]]
) -> None:
    assert bash_rejects(accepted(texts(Random(3)), COUNT)) == []


@pytest.mark.parametrize("texts", [soup, damaged, spellings], ids=lambda texts: texts.__name__)
def test_structure_is_what_bash_makes_of_it(
    texts: Callable[[Random], Iterator[str]], run_bash: Callable[..., subprocess.CompletedProcess[bytes]]
) -> None:
    """Bash prints a function's body from its own tree; reading that gives the same tree as reading the original."""
    samples = [text for text in accepted(texts(Random(8)), COUNT) if structure(text)]
    answers = run_bash("".join(f"f() {{\n{text}\n}}\ndeclare -f f; printf '\\0'\n" for text in samples)).stdout
    printed = answers.decode("utf-8", "surrogateescape").split("\0")[:-1]
    assert len(printed) == len(samples) > COUNT / 5
    bodies = (text[text.index("{") + 1 : text.rindex("}")] for text in printed)
    read = [(structure(text), structure(body)) for text, body in zip(samples, bodies, strict=True)]
    assert [(ours, bash) for ours, bash in read if bash and ours != bash] == []


def structure(text: str) -> str:
    """The sketch of `text`, `""` for what cannot be compared that way.

    Left out are: a backslash at the end (it would join the next line), what bash prints in an order that reads
    differently (a redirection before a word that would be reserved in its place) or turns into `"$@"`, and quotes
    inside quoted parameters, which it rewrites. An empty clause is printed as 1.
    """
    if text.endswith("\\") or REORDERED.search(text) or "$'" in text:
        return ""
    try:
        return sketch(parse(text)).replace("<1>", "-")
    except Refusal:
        return ""


REORDERED = re.compile(r"[<>][^|;\n]*(?:\s|^)(?:!|\{|\}|for|in|do|done|if|fi|case|time|\[\[|\]\])")


def test_scripts_that_others_wrote(bash_rejects: Callable[[list[str]], list[str]]) -> None:
    folder = os.environ.get("PI_TEST_CORPORA")
    if not folder:
        pytest.skip("PI_TEST_CORPORA does not name a folder of *.jsonl.xz files with a script on each line")
    scripts = {script for path in sorted(Path(folder).glob("*.jsonl.xz")) for script in corpus(path)}
    assert scripts
    assert bash_rejects([script for script in sorted(scripts) if parses(script)]) == []


def corpus(path: Path) -> Iterator[str]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)["script"]
