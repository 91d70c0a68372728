"""The search by the program rg, read from its JSON lines (`rg --json`, documented by the crate grep-printer)."""

import json
import os
import re
from base64 import b64decode
from typing import Any

from pi_files.programs import ProgramRun, find_program, program_version
from pi_files.walk import in_repository

from pi_tool_grep.query import BadPattern, Collector, Line, Query, Scope

_OLDEST = (13,)
_PLAIN_NAME_GLOB = re.compile(r"[\w.*{},-]+", re.ASCII)


async def rg_program() -> str | None:
    """The full path of rg, if it is installed and understands our arguments."""
    program = find_program("rg")
    return program if program and await program_version(program) >= _OLDEST else None


def rg_arguments(query: Query, scope: Scope, *, within_repository: bool) -> list[str]:
    """Arguments for rg in the directory `scope.root`.

    A plain glob of names becomes a file type, as `--glob` would bring back files that are ignored; others are left to
    us. Outside git repositories .gitignore has to be asked for; inside one that would hide where others in it begin.
    """
    arguments = ["--json", "--no-config", "--hidden", "--glob=!.git", "--no-messages"]
    arguments += ["--no-require-git"] * (not within_repository)
    arguments += ["--crlf", "--engine=auto", "--sort=path", f"--context={query.context}"]
    arguments += ["--ignore-case"] * query.ignore_case + ["--fixed-strings"] * query.literal
    if _PLAIN_NAME_GLOB.fullmatch(query.glob) and not scope.name:
        arguments += [f"--type-add=picked:{query.glob}", "--type=picked"]
    return [*arguments, f"--regexp={query.pattern}", "--", f"./{scope.name}"]


class RipgrepBroken(Exception):
    """The program is there but does not work; the search has to be made without it."""


async def search_with_rg(program: str, query: Query, scope: Scope, collector: Collector, timeout: float) -> bool:
    """Fill the collector; false when time ran out.

    Raises `BadPattern` with what rg says of the pattern, and `RipgrepBroken` when rg crashes or does not start.
    """
    arguments = rg_arguments(query, scope, within_repository=in_repository(scope.root))
    run = ProgramRun([program, *arguments], scope.root, timeout=timeout)
    accepts = query.accepts()
    path, lines, matches = "", list[Line](), 0
    async with run:
        async for record in run:
            message = json.loads(record)
            kind, data = message["type"], message["data"]
            if kind == "begin":
                path, lines, matches = _path(data["path"]), [], 0
            elif kind in ("match", "context") and accepts(path):
                lines.append(_line(data, matches=kind == "match"))
                matches += kind == "match"
            if kind == "end":
                if data.get("binary_offset") is None:
                    collector.add(path, lines)
                lines, matches = [], 0
            if matches > collector.room or collector.limited:
                break
    if lines:
        collector.add(path, lines)
    # 0: found, 1: nothing found, 2: an error, which may be files that cannot be read; None: stopped.
    if run.exit_code not in (0, 1, 2, None):
        raise RipgrepBroken(f"{program} ended with status {run.exit_code}")
    if run.exit_code == 2 and run.problem:
        raise BadPattern(f"rg rejects this pattern; correct it, or set literal for plain text:\n{run.problem}")
    return not run.timed_out


def _path(value: dict[str, str]) -> str:
    name = value["text"] if "text" in value else os.fsdecode(b64decode(value["bytes"]))
    return name.replace(os.sep, "/").removeprefix("./")


def _line(data: dict[str, Any], *, matches: bool) -> Line:
    value = data["lines"]
    raw = value["text"].encode("utf-8") if "text" in value else b64decode(value["bytes"])
    start = data["submatches"][0]["start"] if data.get("submatches") else 0
    text = raw.removesuffix(b"\n").removesuffix(b"\r").decode("utf-8", "replace")
    return Line(data["line_number"], text, matches, len(raw[:start].decode("utf-8", "replace")))
