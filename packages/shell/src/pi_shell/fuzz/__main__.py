"""`python -m pi_shell.fuzz`: feeds random text to the parser and says how it fared."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from random import Random

from pi_shell.fuzz import Breakage, Programs, Renderer, check, check_spelling
from pi_shell.refusals import Refusal


def main(arguments: list[str] | None = None) -> int:
    """Runs the fuzzer; a broken promise ends it with a traceback that holds the input."""
    parser = argparse.ArgumentParser(prog="python -m pi_shell.fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=20_000, help="how many inputs (default %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="equal seeds give equal inputs (default %(default)s)")
    options = parser.parse_args(arguments)
    outcomes, slowest = fuzz(options.count, options.seed)
    for outcome, count in outcomes.most_common():
        print(f"{count:>9}  {outcome}")
    print(f"{sum(outcomes.values()):>9}  inputs; the slowest took {slowest * 1000:.0f} ms")
    return 0


def fuzz(count: int, seed: int) -> tuple[Counter[str], float]:
    """Checks `count` inputs: spellings of random trees, damaged ones, soup. Gives outcomes and the longest CPU time."""
    random = Random(seed)
    programs, renderer, breakage = Programs(random), Renderer(random), Breakage(random)
    outcomes: Counter[str] = Counter()
    slowest = 0.0
    for number in range(count):
        tree = programs.program()
        text = renderer.program(tree)
        started = time.thread_time()
        if number % 3 == 0:
            check_spelling(tree, text)
            outcomes["parsed as meant"] += 1
        else:
            text = breakage.damage(text) if number % 3 == 1 else breakage.soup(random.randint(1, 24))
            result = check(text, windows_paths=number % 2 == 0)
            outcomes[result.id if isinstance(result, Refusal) else "parsed"] += 1
        slowest = max(slowest, time.thread_time() - started)
    return outcomes, slowest


if __name__ == "__main__":
    sys.exit(main())
