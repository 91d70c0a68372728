"""Words that are refused where a command is expected; `command_words.py` applies them."""

from __future__ import annotations

from dataclasses import dataclass

SHELLS = frozenset(
    "bash sh dash ash ksh mksh zsh fish csh tcsh rbash git-bash wsl cmd".split()  # noqa: SIM905
)
"""Shells by name without extension; any case and any path."""

VERSIONED = frozenset({"bash", "ksh", "pwsh", "zsh"})
"""Shells that are also installed with a version or `-preview` behind the name (`ksh93`, `bash-5.2`)."""

POWERSHELLS = frozenset({"powershell", "powershell_ise", "pwsh"})
"""Shells whose users want a `.ps1` file run."""

NAMED: dict[str, tuple[str, str]] = {
    "fg": ("job-control", "word"),
    "bg": ("job-control", "word"),
    "jobs": ("job-control", "word"),
    "wait": ("job-control", "word"),
    "disown": ("job-control", "word"),
    "coproc": ("job-control", "word"),
    "suspend": ("job-control", "word"),
    "let": ("arithmetic-expansion", "word"),
    "exec": ("exec-builtin", ""),
    "function": ("function-definition", "word"),
    "if": ("control-flow", "if"),
    "while": ("control-flow", "while"),
    "until": ("control-flow", "until"),
    "case": ("control-flow", "case"),
    "select": ("control-flow", "select"),
}
"""Words with a refusal of their own: its identifier and the case of its message."""

BUILTINS = {
    ".": "run the commands themselves; exported variables persist",
    ":": "write true",
    "[[": "write [ … ] or test …, joined with && and ||",
    "alias": "write the full command",
    "bind": "leave it out",
    "builtin": "write the command itself",
    "caller": "leave it out",
    "command": "write the command itself; to find a program write which NAME",
    "compgen": "use ls, which or a glob",
    "complete": "leave it out",
    "compopt": "leave it out",
    "declare": "write NAME=value or export NAME=value",
    "dirs": "write pwd",
    "enable": "leave it out",
    "eval": "write the command itself",
    "fc": "leave it out",
    "getopts": "write the values out",
    "hash": "write which NAME",
    "help": "leave it out",
    "history": "leave it out",
    "local": "write NAME=value",
    "logout": "write exit",
    "mapfile": "write for name in $(cat file); do …; done",
    "popd": "write cd with the directory, or use a subshell: (cd dir && command)",
    "pushd": "write cd with the directory, or use a subshell: (cd dir && command)",
    "read": "there is no input to read; write NAME=$(command)",
    "readarray": "write for name in $(cat file); do …; done",
    "readonly": "write NAME=value",
    "return": "write exit N, or break in a loop",
    "set": "join commands with && to stop at the first failure",
    "shift": "there are no positional arguments",
    "shopt": "the options are fixed; write the pattern out",
    "source": "run the commands themselves; exported variables persist",
    "time": "run the command without time",
    "times": "leave it out",
    "trap": "run the clean-up command after the others: command; cleanup",
    "type": "write which NAME",
    "typeset": "write NAME=value or export NAME=value",
    "ulimit": "leave it out",
    "umask": "leave it out",
    "unalias": "leave it out",
}
"""Bash builtins outside the contract, and what to write instead."""


@dataclass(frozen=True, slots=True)
class Wrapper:
    """A program that runs another command, and how that command is found among its arguments.

    `values` are options that take the next word, `split` options whose value is a command line, `operands` counts words
    of its own before the command, and `assign` allows `NAME=value` words before it.
    """

    values: frozenset[str] = frozenset()
    split: tuple[str, ...] = ()
    operands: int = 0
    assign: bool = False


def _wrapper(values: str = "", *, split: str = "", operands: int = 0, assign: bool = False) -> Wrapper:
    return Wrapper(frozenset(values.split()), tuple(split.split()), operands, assign)


WRAPPERS = {
    "busybox": _wrapper(),
    "chroot": _wrapper(operands=1),
    "chrt": _wrapper(operands=1),
    "doas": _wrapper("-u -C"),
    "env": _wrapper("-u --unset -C --chdir", split="-S --split-string", assign=True),
    "flock": _wrapper("-w --timeout -E --conflict-exit-code", operands=1),
    "ionice": _wrapper("-c --class -n --classdata"),
    "nice": _wrapper("-n --adjustment"),
    "nohup": _wrapper(),
    "setsid": _wrapper(),
    "stdbuf": _wrapper("-i --input -o --output -e --error"),
    "sudo": _wrapper("-u -g -h -p -C -D -r -t -T -U", assign=True),
    "time": _wrapper("-f --format -o --output"),
    "timeout": _wrapper("-s --signal -k --kill-after", operands=1),
    "unbuffer": _wrapper(),
    "winpty": _wrapper(),
    "xargs": _wrapper("-I -n -L -P -s -d -E -a --max-args --max-procs --max-chars --delimiter --arg-file"),
}
