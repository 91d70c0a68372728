"""`pi doctor`."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pi_doctor.checkup import Checkup
from pi_doctor.report import healthy, text

if TYPE_CHECKING:
    from pi_kernel import Kernel

_ABOUT = """\
See whether everything is there that pi needs: Python, folders it may write to, readable settings, a model that can
answer, plugins that load. What is only useful (git, rg, fd, keys of providers) is noted.
"""
_AFTER = "Exit status: 1 when something required is not in order (FAIL), else 0."


def main(kernel: "Kernel", arguments: Sequence[str]) -> int:
    """Run `pi doctor` and return its exit status."""
    options = _parser().parse_args(arguments)
    kernel.enable({"doctor"})
    kernel.load(only={"doctor", "settings"})
    kernel.load(builtin_only=not options.load)
    lines = Checkup(kernel, Path.cwd()).lines()
    well = healthy(lines)
    if options.json:
        print(json.dumps({"ok": well, "checks": [line.to_json() for line in lines]}, indent=2, ensure_ascii=False))
    else:
        print(text(lines))
    return 0 if well else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("pi doctor", description=_ABOUT, epilog=_AFTER)
    parser.add_argument("--load", action="store_true", help="load third-party plugins too, and run their checks")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser
