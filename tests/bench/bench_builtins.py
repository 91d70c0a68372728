"""The engine's text builtins against GNU's on one large file, by CPU time; both write to a file, in LC_ALL=C."""

import os
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.frame import Contender, measure, table

SIZE = 50_000_000
"""Bytes of the file; the lines are four numbers and as good as never equal."""
COMMANDS = [
    ["wc", "-l"], ["grep", "-F", "-c", "999"], ["grep", "-c", "99.*77"], ["grep", "-E", "-c", "9{3}"],
    ["grep", "-c", "[0-9][0-9]5,"], ["grep", "-v", "9"], ["cut", "-d", ",", "-f", "2"], ["cut", "-c", "2-9"],
    ["tr", "a-z0-9", "b-za1-90"], ["tr", "-s", "0-9"], ["sed", "s/9/x/"], ["sed", "s/9/x/g"], ["uniq", "-c"],
    ["sort"], ["sort", "-n"], ["head", "-n", "1"], ["tail", "-n", "1"],
]  # fmt: skip
OURS = """\
import os, sys
from pi_shell_engine.builtins import CONTRACT
from pi_shell_engine.builtins.interface import BuiltinIO
from pi_shell_engine.paths import HERE
class Quiet:
    def hint(self, key, io, **fields): pass
    def write(self, descriptor, data): os.write(descriptor, data)
file, *argv = sys.argv[1:]
entry = CONTRACT[argv[0]]
source = os.open(file, os.O_RDONLY)
sys.exit(entry.load()(BuiltinIO(tuple(argv), os.getcwd(), os.environ, source, 1, 2, HERE, Quiet(), entry)))
"""
EMPTY = "import os, sys; from pi_shell_engine.builtins import CONTRACT; from pi_shell_engine.paths import HERE"


def tables(rounds: int) -> Iterator[str]:
    """Each command as GNU's program and as the builtin; the bare interpreter's start is shown to be subtracted."""
    env = {**os.environ, "LC_ALL": "C"}
    with tempfile.TemporaryDirectory(prefix="pi-bench-") as name:
        file, script = _made(Path(name, "f")), Path(name, "builtin.py")
        script.write_text(OURS, "utf-8")
        start = Contender("interpreter alone", [sys.executable, "-c", EMPTY], env)
        for words in COMMANDS:
            program = shutil.which(words[0])
            if program is None:
                continue
            fed = ["/bin/sh", "-c", 'file=$1; shift; exec "$@" <"$file"', "sh", file, program, *words[1:]]
            gnu = Contender("GNU", fed, env)
            ours = Contender("builtin", [sys.executable, str(script), file, *words], env)
            found = measure([gnu, ours, start], max(1, rounds // 5))
            yield table(" ".join(words), found, "GNU")


def _made(file: Path) -> str:
    source = random.Random(1)
    with file.open("wb") as out:
        while out.tell() < SIZE:
            rows = zip(*[iter(source.choices(range(100_000, 1_000_000), k=40_000))] * 4, strict=True)
            out.write(b"".join(b"%d,%d,%d,%d\n" % row for row in rows))
    return str(file)
