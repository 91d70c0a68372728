"""`pi config`: from its words to an answer and an exit status."""

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pi_api import PiError, UsageError
from pi_api.project import PROJECT_FOLDER

from pi_config.desk import Desk, open_desk
from pi_config.listing import listing
from pi_config.options import parser
from pi_config.switch import switch
from pi_config.values import get, set_value, unset

if TYPE_CHECKING:
    from pi_kernel import Kernel

OK, FAILED, USAGE = 0, 1, 2


def main(kernel: "Kernel", arguments: Sequence[str]) -> int:
    """Run `pi config` and return its exit status."""
    options = parser().parse_args(arguments)
    flags = {"approve": options.approve, "no-approve": options.no_approve}
    try:
        desk = open_desk(kernel, Path.cwd(), flags, scope="project" if options.project else "user")
        _answer(desk, options)
    except UsageError as error:
        _complain([str(error)])
        return USAGE
    except PiError as error:
        _complain([str(error)])
        return FAILED
    return OK


def _answer(desk: Desk, options: argparse.Namespace) -> None:
    home = Path.home()
    match options.command:
        case "list":
            text, problems = listing(desk, options.sections, home=home, as_json=options.json)
            print(text)
            _complain(problems)
        case "enable" | "disable":
            on = options.command == "enable"
            _tell(switch(desk, options.names, on=on, home=home), as_json=options.json)
        case "get":
            print(get(desk, options.path, as_json=options.json))
            _complain(desk.settings.problems)
        case "set":
            _tell(set_value(desk, options.path, options.value), as_json=options.json)
        case "unset":
            _tell(unset(desk, options.path), as_json=options.json)
        case "path":
            _tell([str(_file(desk))], as_json=options.json)


def _tell(lines: Iterable[str], *, as_json: bool) -> None:
    print(json.dumps(list(lines), ensure_ascii=False) if as_json else "\n".join(lines))


def _complain(problems: Iterable[str]) -> None:
    for problem in problems:
        print(f"pi config: {problem}", file=sys.stderr)


def _file(desk: Desk) -> Path:
    folder = desk.cwd / PROJECT_FOLDER if desk.scope == "project" else desk.kernel.agent_dir
    return folder / "settings.json"
