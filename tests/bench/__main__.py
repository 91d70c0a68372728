"""Print the tables of every bench: `python -m tests.bench [--rounds N] [TOPIC ...]`."""

import argparse
from importlib import import_module
from pathlib import Path

TOPICS = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))


def main() -> int:
    """Run the chosen benches one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9, help="how often each contender runs (default 9)")
    parser.add_argument("topics", nargs="*", metavar="TOPIC", help=f"one of: {', '.join(TOPICS)} (default: all)")
    options = parser.parse_args()
    if unknown := set(options.topics) - set(TOPICS):
        parser.error(f"no such topic: {', '.join(sorted(unknown))}; there are: {', '.join(TOPICS)}")
    for topic in options.topics or TOPICS:
        for text in import_module(f"tests.bench.bench_{topic}").tables(options.rounds):
            print(text, flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
