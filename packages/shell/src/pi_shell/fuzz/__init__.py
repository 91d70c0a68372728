"""Random command lines for tests of whatever reads them, and a runner: `python -m pi_shell.fuzz --count 1000000`.

`Programs` makes random trees, `Renderer` writes a tree in one of its many spellings, `Breakage` damages text, and
`check` holds what the parser promises about any text. All randomness comes from the `random.Random` they are given.
"""

from pi_shell.fuzz.breakage import Breakage
from pi_shell.fuzz.checks import BrokenPromise, check, check_spelling
from pi_shell.fuzz.programs import Programs
from pi_shell.fuzz.render import Renderer

__all__ = ["Breakage", "BrokenPromise", "Programs", "Renderer", "check", "check_spelling"]
