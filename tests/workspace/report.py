"""Sum up what the environments' tests did: `python tests/workspace/report.py DIRECTORY` reads their JUnit files.

One line an environment, the reasons of all skips, and a closing line with the totals.
"""

import sys
import xml.etree.ElementTree as Xml
from collections import Counter
from pathlib import Path


def counts(suite: Xml.Element) -> Counter[str]:
    """Count a suite's tests by outcome."""
    number = {key: int(suite.get(key, "0")) for key in ("tests", "failures", "errors", "skipped")}
    failed = number["failures"] + number["errors"]
    return Counter(passed=number["tests"] - failed - number["skipped"], failed=failed, skipped=number["skipped"])


def main() -> int:
    """Print the summary; 1 when a test failed or when there was none."""
    total: Counter[str] = Counter()
    reasons: dict[str, Counter[str]] = {}
    for file in sorted(Path(sys.argv[1]).glob("*.xml")):
        suites = list(Xml.parse(file).getroot().iter("testsuite"))
        found: Counter[str] = Counter()
        for suite in suites:
            found.update(counts(suite))
            for skip in suite.iter("skipped"):
                reasons.setdefault(skip.get("message", ""), Counter())[file.stem] += 1
        seconds = sum(float(suite.get("time", "0")) for suite in suites)
        print(
            f"{file.stem:<22} {found['passed']:>5} passed {found['failed']:>4} failed "
            f"{found['skipped']:>4} skipped {seconds:>7.1f} s"
        )
        total.update(found)
    for reason, places in sorted(reasons.items()):
        print(f"skipped {', '.join(f'{count} in {name}' for name, count in places.items())}: {reason}")
    print(f"{total['passed']} passed, {total['failed']} failed, {total['skipped']} skipped")
    return 1 if total["failed"] or not total["passed"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
