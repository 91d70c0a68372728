"""`pi trust`: look at, give and take back trust in a directory."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pi_api import PiError

from pi_trust.trust import ProjectTrust, trust_of
from pi_trust.words import ANSWERS, decided, standing

if TYPE_CHECKING:
    from pi_kernel import Kernel

_ABOUT = """\
Show or decide whether a project may bring its own settings, skills and instructions for agents.
A decision counts for the directory and everything below it, until a closer one says otherwise.
"""


def main(kernel: "Kernel", arguments: Sequence[str]) -> int:
    """Run `pi trust` and return its exit status: 0, 1 when the store is at fault, 2 for a wrong command line."""
    options = _parser().parse_intermixed_args(arguments)
    folder = Path(options.directory).absolute()
    if not folder.is_dir():
        print(f"pi trust: {folder} is not a directory", file=sys.stderr)
        return 2
    try:
        print(_answer(trust_of(kernel), folder, options.answer, options.json))
    except PiError as error:
        print(f"pi trust: {error}", file=sys.stderr)
        return 1
    return 0


def _answer(trust: ProjectTrust, folder: Path, word: str, as_json: bool) -> str:
    if word != "status":
        trust.decide(folder, ANSWERS[word])
    if as_json:
        return json.dumps(_facts(trust, folder), ensure_ascii=False)
    return standing(trust, folder) if word == "status" else decided(trust, folder, ANSWERS[word])


def _facts(trust: ProjectTrust, folder: Path) -> dict[str, object]:
    found = trust.deciding(folder)
    return {
        "directory": str(folder),
        "decision": found[1] if found else None,
        "decidedFor": str(found[0]) if found else None,
        "evidence": [str(path) for path in trust.evidence(folder)],
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("pi trust", description=_ABOUT, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("answer", nargs="?", choices=["status", *ANSWERS], default="status", help="default: status")
    parser.add_argument("directory", nargs="?", default=".", help="default: the current directory")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser
