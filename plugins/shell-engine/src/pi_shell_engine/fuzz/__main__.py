"""`python -m pi_shell_engine.fuzz kills|programs [COUNT] [SEED]`: the long form of what the tests do shortly."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path
from random import Random

from pi_shell_engine.fuzz.kills import kill_at_random
from pi_shell_engine.fuzz.wedges import run_programs


def main() -> int:
    """Run it and report; 1 when something went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("kills", "programs"))
    parser.add_argument("count", nargs="?", type=int, default=500)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        random = Random(options.seed)
        if options.what == "kills":
            verdict = asyncio.run(kill_at_random(options.count, random, Path(folder), sys.executable))
            print(verdict)
            return 0 if verdict.clean else 1
        wedged = asyncio.run(run_programs(options.count, random, Path(folder), sys.executable))
        print("\n".join(wedged) or f"{options.count} programs, none wedged the session")
        return 1 if wedged else 0


if __name__ == "__main__":
    sys.exit(main())
