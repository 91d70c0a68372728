"""Fill the wheelhouse: every member's wheel, fresh, and every third-party wheel that a test environment needs.

`python -m tests.workspace.wheels DIRECTORY`. Only third-party names are ever asked of a package index, so a package of
the same name as a member can never slip in. The index is asked again only when the list of requirements has changed.
"""

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from flit_core.common import ProblemInModule
from flit_core.config import ConfigError
from flit_core.wheel import make_wheel_in
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.workspace.tree import ROOT, Kind, Member, members, root_pyproject

STAMP = "third-party.txt"
# uv takes two wheels of one name and version for the same, so its cache lives no longer than one build.
CACHE = "uv-cache"
ALL_MEMBERS = "members.txt"


def build_members(wheelhouse: Path, found: list[Member]) -> list[str]:
    """Build each member's wheel into `wheelhouse` after removing those of an earlier run; give the failures as text."""
    failures: list[str] = []
    names = {m.dist.replace("-", "_") for m in found}
    for old in wheelhouse.glob("*.whl"):
        if old.name.partition("-")[0] in names:
            old.unlink()
    for member in found:
        try:
            make_wheel_in(member.path / "pyproject.toml", wheelhouse)
        except (ConfigError, ProblemInModule, OSError, ValueError) as error:
            failures.append(f"{member.folder}: no wheel: {error}")
    lines = (f"{m.dist}[{','.join(sorted(m.extras))}]\n" if m.extras else f"{m.dist}\n" for m in found)
    (wheelhouse / ALL_MEMBERS).write_text("".join(lines), encoding="utf-8")
    return failures


def third_party(found: list[Member]) -> list[str]:
    """List the requirements that no member satisfies, from the members and from the dependency groups, sorted.

    A bundle pins members and nothing else, so what it names never goes to an index, even before that member exists.
    """
    own = {canonicalize_name(m.dist) for m in found}
    groups: Iterable[list[str]] = root_pyproject()["dependency-groups"].values()
    declared = [line for group in groups for line in group]
    for member in found:
        declared += member.dependencies if member.kind is not Kind.BUNDLE else []
        declared += [line for extra in member.extras.values() for line in extra]
    return sorted({line for line in declared if canonicalize_name(Requirement(line).name) not in own})


def fetch(wheelhouse: Path, requirements: list[str]) -> None:
    """Bring the wheels of `requirements` and of what they need into `wheelhouse`, unless they are there already."""
    text = "\n".join([sys.version, *requirements, ""])
    stamp = wheelhouse / STAMP
    if stamp.exists() and stamp.read_text(encoding="utf-8") == text:
        return
    requested = wheelhouse / f"requested-{hashlib.sha256(text.encode()).hexdigest()[:12]}.txt"
    requested.write_text("\n".join(requirements) + "\n", encoding="utf-8")
    command = [sys.executable, "-I", "-m", "pip", "wheel", "-qq", "--wheel-dir", str(wheelhouse)]
    subprocess.run([*command, "-r", str(requested)], check=True)
    requested.unlink()
    stamp.write_text(text, encoding="utf-8")


def main() -> int:
    """Fill the wheelhouse named on the command line."""
    wheelhouse = Path(sys.argv[1]).resolve()
    wheelhouse.mkdir(parents=True, exist_ok=True)
    found = members(ROOT)
    shutil.rmtree(wheelhouse / CACHE, ignore_errors=True)
    failures = build_members(wheelhouse, found)
    fetch(wheelhouse, third_party(found))
    print(f"{len(found)} members, {len(list(wheelhouse.glob('*.whl')))} wheels in {wheelhouse}")
    print("".join(f"{failure}\n" for failure in failures), end="", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
