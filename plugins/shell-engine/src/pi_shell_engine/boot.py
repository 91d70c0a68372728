"""Started as a program by `launch.py`, with the folders of the two packages it needs as arguments."""

import sys

sys.path += sys.argv[1:]

from pi_shell_engine.engine.server import main

sys.exit(main())
