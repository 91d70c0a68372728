"""Variables that bash makes up itself. Here they would be empty, so naming one is refused."""

from __future__ import annotations

PYTHON = "compute it with $(python -c '…')"
MADE_BY_BASH = {
    "_": "write the argument out",
    "RANDOM": PYTHON,
    "SRANDOM": PYTHON,
    "SECONDS": "measure with $(date +%s)",
    "EPOCHSECONDS": "write $(date +%s)",
    "EPOCHREALTIME": "write $(date +%s.%N)",
    "LINENO": "leave it out",
    "PIPESTATUS": "use $? of a single command",
    "FUNCNAME": "leave it out",
    "PPID": PYTHON,
    "UID": "write $(id -u)",
    "EUID": "write $(id -u)",
    "GROUPS": "write $(id -G)",
    "DIRSTACK": "write $(pwd)",
    "SHELLOPTS": "leave it out",
    "COMP_WORDBREAKS": "leave it out",
    "OPTIND": "leave it out",
    "OPTERR": "leave it out",
    "HOSTTYPE": "write $(uname -m)",
    "MACHTYPE": "write $(uname -m)",
    "OSTYPE": "write $(uname -s)",
}


def made_by_bash(name: str) -> str | None:
    """What to write instead of the variable `name`, or `None` when it is an ordinary one."""
    if name == "BASH" or name.startswith("BASH_") or name in ("BASHPID", "BASHOPTS"):
        return "there is no bash behind this shell; leave it out"
    return MADE_BY_BASH.get(name)
