"""Starts one program after the other and tells what each used; `tests.bench.frame` runs it, as `python -I -S`.

A program's peak memory, as the kernel reports it, is never below that of the process that started it, so the starter
must be smaller than anything measured: this file imports built-in modules only.

One request a line on standard input, one answer a line on standard output. Request: fields separated by NUL: folder,
file for standard output, number of variables, the variables as NAME=value, then the command. Answer: exit status, CPU
seconds, wall seconds, peak resident KiB.
"""

import posix
import sys
from time import perf_counter

assert sys.platform != "win32"

WRITE = posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC


def run(folder: str, output: str, variables: list[str], command: list[str]) -> str:
    """Run one command to its end and give the answer line."""
    posix.chdir(folder)
    actions = [
        (posix.POSIX_SPAWN_OPEN, 0, "/dev/null", posix.O_RDONLY, 0),
        (posix.POSIX_SPAWN_OPEN, 1, output, WRITE, 0o644),
        (posix.POSIX_SPAWN_DUP2, 1, 2),
    ]
    env = dict(variable.split("=", 1) for variable in variables)
    start = perf_counter()
    pid = posix.posix_spawn(command[0], command, env, file_actions=actions)
    _, status, usage = posix.wait4(pid, 0)
    wall = perf_counter() - start
    return f"{posix.waitstatus_to_exitcode(status)} {usage.ru_utime + usage.ru_stime} {wall} {usage.ru_maxrss}"


def main() -> None:
    """Answer requests until standard input ends."""
    for line in sys.stdin:
        folder, output, count, *rest = line.rstrip("\n").split("\0")
        print(run(folder, output, rest[: int(count)], rest[int(count) :]), flush=True)


main()
