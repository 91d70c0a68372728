"""What bash and the GNU tools make of many commands, in one bash process; and what is recorded of it for elsewhere.

Where the contract decides differently in a regular way, the command given to bash asks for the same: `ls` is `ls -p`
for the `/` after directories, `wc -m` counts in UTF-8. Widths of `wc` and the order of `find` are not compared.
"""

import hashlib
import json
import re
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from builtin_cases import FILES, HERE, Case
from builtin_harness import ENV, Answer, encode, fill, left_in, run_in

RECORD = HERE / "builtin_expected.jsonl"
Tree = Mapping[str, "bytes | None"]


@dataclass(frozen=True, slots=True)
class Seen:
    """What is compared: status, whether it complained, output, files left; long ones by their digest."""

    status: int
    complained: bool
    out: str
    tree: str = ""


def seen(case: Case, out: bytes, complained: bool, status: int, tree: Tree) -> Seen:
    """What there is to compare of an answer."""
    if case.argv[0] == "find":
        out = b"".join(sorted(out.splitlines(keepends=True)))
    if case.argv[0] == "wc":
        out = re.sub(rb"(?m)^ +| +(?=\d+(?: |$))", b" ", out).replace(b"\n ", b"\n").lstrip()
    changed = sorted((name, content) for name, content in tree.items() if name not in FILES or FILES[name] != content)
    gone = sorted(set(FILES) - tree.keys()) if tree else []
    return Seen(
        status, complained, _short(out.decode("latin-1")), _short(repr((changed, gone))) if case.changes else ""
    )


def _short(text: str) -> str:
    return text if len(text) <= 120 else "sha256:" + hashlib.sha256(text.encode()).hexdigest()[:32]


def in_bash(cases: Sequence[Case]) -> list[Seen]:
    """All of them, in one shell; those that change files in directories of their own."""
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        fill(top / "shared", FILES)
        script = []
        for number, case in enumerate(cases):
            box = top / f"box{number}" if case.changes else top / "shared"
            if case.changes:
                fill(box, FILES)
            (top / f"in{number}").write_bytes(case.stdin)
            at = top / f"{{}}{number}"
            script.append(
                f"cd {box} && {_words(case.argv)} <{str(at).format('in')} >{str(at).format('out')} "
                f"2>{str(at).format('err')}; echo $? >>{top / 'status'}\n".encode()
            )
        (top / "script").write_bytes(b"".join(script))
        command = ["bash", "--norc", "--noprofile", str(top / "script")]
        subprocess.run(command, env=ENV, check=True, timeout=120, stdin=subprocess.DEVNULL)
        statuses = [int(line) for line in (top / "status").read_text().split()]
        return [
            seen(
                case,
                (top / f"out{number}").read_bytes(),
                (top / f"err{number}").stat().st_size > 0,
                statuses[number],
                left_in(top / f"box{number}") if case.changes else {},
            )
            for number, case in enumerate(cases)
        ]


def _words(argv: Sequence[str]) -> str:
    words = list(argv)
    if words[0] == "ls":
        words.insert(1, "-p")
    prefix = "LC_ALL=C.UTF-8 " if words[0] == "wc" and any("m" in word for word in words if word[0] == "-") else ""
    return prefix + " ".join("$'" + "".join(f"\\{byte:03o}" for byte in encode(word)) + "'" for word in words)


def in_builtins(cases: Sequence[Case]) -> list[tuple[Seen, Answer]]:
    """The same with the builtins."""
    with tempfile.TemporaryDirectory() as name:
        shared = Path(name, "shared")
        fill(shared, FILES)
        found = []
        for case in cases:
            if case.changes:
                with tempfile.TemporaryDirectory() as own:
                    fill(Path(own, "box"), FILES)
                    answer = run_in(Path(own, "box"), case.argv, case.stdin)
            else:
                answer = run_in(shared, case.argv, case.stdin, look=False)
            found.append((seen(case, answer.stdout, answer.complained, answer.status, answer.tree), answer))
        return found


def recorded() -> dict[str, Seen]:
    """What bash said on the machine that wrote `builtin_expected.jsonl`."""
    rows = (json.loads(line) for line in RECORD.read_text("utf-8").splitlines())
    return {key: Seen(*row) for key, *row in rows}


def record(cases: Sequence[Case]) -> None:
    """Write that file anew: `python tests/builtin_bash.py`, where there is bash 5.2 and GNU."""
    rows = zip(cases, in_bash(cases), strict=True)
    lines = [json.dumps([case.key, one.status, one.complained, one.out, one.tree]) for case, one in rows]
    RECORD.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    from builtin_cases import cases

    record(cases())
