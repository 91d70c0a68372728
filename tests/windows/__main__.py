"""Run the members' tests as a Windows program: Windows CPython under Wine, with the wheels made here.

`PI_TEST_WINPY_ENV` names a script that lays such a Python in a folder and prints the path of its starter; otherwise
`PI_TEST_WINPY` names a starter that is there already. Without either nothing runs, and the reason is printed.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.workspace.tree import ROOT, members, root_pyproject

PYTHON_VERSION = "3.11"
PLATFORM = "x86_64-pc-windows-msvc"
CANNOT_INSTALL_WINE = 3


def starter(work: Path) -> Path | None:
    """Give the path of a program that is Windows Python, laying a fresh one when a script for that is named."""
    script = os.environ.get("PI_TEST_WINPY_ENV")
    if not script:
        given = os.environ.get("PI_TEST_WINPY")
        return Path(given) if given else None
    place = work / "winpy"
    shutil.rmtree(place, ignore_errors=True)
    done = subprocess.run([script, str(place)], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode == CANNOT_INSTALL_WINE:
        return None
    done.check_returncode()
    return Path(done.stdout.strip())


def member_wheels(wheelhouse: Path) -> list[str]:
    """List the members' wheels with their test extra, as paths, so that no index is asked for a member's name."""
    wheels: list[str] = []
    for member in members():
        (wheel,) = wheelhouse.glob(f"{member.dist.replace('-', '_')}-*.whl")
        wheels.append(f"{wheel}[test]" if "test" in member.extras else str(wheel))
    return wheels


def install(python: Path, wheelhouse: Path) -> None:
    """Put the members and what they and their tests need into the Windows Python, `pi.exe` included."""
    target = python.parent / "Lib" / "site-packages"
    choice = ["--python-platform", PLATFORM, "--python-version", PYTHON_VERSION, "--only-binary", ":all:"]
    wanted = [*member_wheels(wheelhouse), *root_pyproject()["dependency-groups"]["test"], "pip"]
    command = ["uv", "pip", "install", "--quiet", "--reinstall", "--target", str(target), *choice, *wanted]
    subprocess.run(command, check=True)
    # uv writes starters for the system it runs on; only Windows' own pip makes the .exe.
    (bundle,) = wheelhouse.glob("pi-*.whl")
    once_more = ["--quiet", "--no-index", "--no-deps", "--force-reinstall", "--no-warn-script-location", str(bundle)]
    subprocess.run([str(python), "-m", "pip", "install", *once_more], check=True)
    subprocess.run([str(python), "-I", "tests/workspace/fresh.py"], cwd=ROOT, check=True)


def run_tests(python: Path, report: Path, arguments: list[str]) -> int:
    """Run pytest under Windows Python over every member's tests and the end-to-end tests, and give its status."""
    chosen = arguments or [f"{m.folder}/tests" for m in members() if m.tests()] + ["tests/e2e"]
    options = ["-c", "pyproject.toml", "--rootdir", ".", "-p", "no:cacheprovider", "-q", f"--junitxml={report}"]
    # What these variables name are programs of this system, which a Windows program cannot drive.
    env = {name: value for name, value in os.environ.items() if not name.startswith("PI_TEST_")}
    command = [str(python), "-m", "pytest", *options, *chosen]
    return subprocess.run(command, cwd=ROOT, env=env, check=False).returncode


def main() -> int:
    """Lay, install, test; 0 when there is no Windows Python to be had."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wheelhouse", type=Path, required=True, help="folder with the members' wheels")
    parser.add_argument("--work", type=Path, required=True, help="scratch folder")
    parser.add_argument("--report", type=Path, required=True, help="where pytest writes its report (JUnit XML)")
    options, arguments = parser.parse_known_args()
    python = starter(options.work)
    if python is None:
        print("skipped: no Windows Python; set PI_TEST_WINPY_ENV or PI_TEST_WINPY, and install wine64")
        return 0
    install(python, options.wheelhouse)
    return run_tests(python, options.report, arguments)


if __name__ == "__main__":
    sys.exit(main())
