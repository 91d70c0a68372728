"""Measuring whole processes: CPU time, wall time and peak memory, contenders in turn (A B A B), medians and ratios.

A bench is a module `bench_<topic>.py` here with a function `tables(rounds) -> Iterator[str]`; `python -m tests.bench`
finds it. The usual bench makes a list of `Contender`, calls `measure`, and yields `table`.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from types import TracebackType
from typing import Self

LAUNCHER = Path(__file__).with_name("launcher.py")


@dataclass(frozen=True, slots=True)
class Contender:
    """A command to measure: an absolute program with its arguments, where it runs, and the status it must end with."""

    name: str
    command: Sequence[str]
    env: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    folder: Path = Path("/")
    status: int = 0


@dataclass(frozen=True, slots=True)
class Usage:
    """What one run, or the median run, used: CPU and wall time in seconds, peak resident memory in MiB."""

    cpu: float
    wall: float
    peak: float


class CommandFailed(Exception):
    """A measured command ended with another status than the one it must end with."""


class Launcher:
    """Runs contenders through a process that is smaller than any of them, see `launcher.py`."""

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(LAUNCHER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._scratch = tempfile.TemporaryDirectory(prefix="pi-bench-")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._process:
            if self._process.stdin:
                self._process.stdin.close()
        self._scratch.cleanup()

    def run(self, contender: Contender) -> Usage:
        """Run one contender once; raises `CommandFailed` with the end of its output when it fails."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        output = Path(self._scratch.name, "output")
        variables = [f"{name}={value}" for name, value in contender.env.items()]
        request = [str(contender.folder), str(output), str(len(variables)), *variables, *contender.command]
        if any("\n" in part or "\0" in part for part in request):
            raise ValueError(f"{contender.name}: a newline or NUL in the command or environment cannot be measured")
        self._process.stdin.write("\0".join(request) + "\n")
        self._process.stdin.flush()
        status, cpu, wall, peak = self._process.stdout.readline().split()
        if int(status) != contender.status:
            end = output.read_text(encoding="utf-8", errors="replace")[-2000:]
            raise CommandFailed(f"{contender.name} ended with {status}: {' '.join(contender.command)}\n{end}")
        return Usage(float(cpu), float(wall), int(peak) / 1024)


def measure(contenders: Sequence[Contender], rounds: int) -> dict[str, Usage]:
    """Run every contender `rounds` times, in turn, after one run each that does not count; give the medians by name."""
    runs: dict[str, list[Usage]] = {contender.name: [] for contender in contenders}
    with Launcher() as launcher:
        for contender in contenders:
            launcher.run(contender)
        for _ in range(rounds):
            for contender in contenders:
                runs[contender.name].append(launcher.run(contender))
    return {name: middle(found) for name, found in runs.items()}


def middle(runs: Sequence[Usage]) -> Usage:
    """Give the median of each figure."""
    return Usage(median(r.cpu for r in runs), median(r.wall for r in runs), median(r.peak for r in runs))


def table(title: str, found: Mapping[str, Usage], base: str) -> str:
    """Give a Markdown table of the figures, each with its ratio to those of the contender `base`."""
    lines = [f"### {title}", "", "| | CPU ms | × | wall ms | × | peak MiB | × |", "|---|--:|--:|--:|--:|--:|--:|"]
    ground = found[base]
    for name, used in found.items():
        figures = [
            f"{used.cpu * 1000:.1f} | {used.cpu / ground.cpu:.2f}",
            f"{used.wall * 1000:.1f} | {used.wall / ground.wall:.2f}",
            f"{used.peak:.1f} | {used.peak / ground.peak:.2f}",
        ]
        lines.append(f"| {name} | {' | '.join(figures)} |")
    return "\n".join(lines) + "\n"
