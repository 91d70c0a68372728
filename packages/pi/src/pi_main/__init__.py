"""The `pi` command: the kernel's command line with this bundle's members counted as built in."""

import sys


def main() -> None:
    """Entry point of the `pi` script."""
    from pi_kernel.main import main as run

    sys.exit(run(sys.argv[1:], bundle="pi"))
