"""`python -m pi_kernel`: the command line of whatever plugins are installed, without a bundle."""

import sys

from pi_kernel.main import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], bundle=""))
