"""Install the peers into their cache and print where they are; one that cannot be had is named and left out."""

import shutil
import subprocess
import sys

from tests.peers.places import HERE, cache, places


def install_python() -> None:
    """Install the peers from requirements.txt into an environment of their own."""
    target = cache() / "python"
    subprocess.run([sys.executable, "-m", "venv", "--clear", target], check=True)
    pip = [str(target / "bin" / "python"), "-m", "pip"]
    subprocess.run([*pip, "install", "-qq", "-r", str(HERE / "requirements.txt")], check=True)


def install_node() -> None:
    """Install the peers from package.json; they run on Node 20."""
    npm = shutil.which("npm")
    if npm is None:
        print("npm is absent: the peers from npm are left out", file=sys.stderr)
        return
    shutil.copy(HERE / "package.json", cache())
    options = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
    subprocess.run([npm, "install", "--prefix", cache(), *options], stdout=subprocess.DEVNULL, check=True)


def main() -> int:
    """Install what is not there yet; 1 when something could not be installed."""
    cache().mkdir(parents=True, exist_ok=True)
    failed = 0
    for marker, install in (("python/.ready", install_python), ("node_modules/.ready", install_node)):
        if (cache() / marker).exists():
            continue
        try:
            install()
            if (cache() / marker).parent.is_dir():
                (cache() / marker).touch()
        except subprocess.CalledProcessError as error:
            print(f"a peer could not be installed: {error}", file=sys.stderr)
            failed = 1
    for name, path in places().items():
        print(f"{name:<12} {path if path.is_file() else 'absent'}")
    return failed


if __name__ == "__main__":
    raise SystemExit(main())
