"""Replaces a file over and over, `a`s by `b`s and back, and says so; made to be killed."""

import sys

from pi_files.atomic import replace_file

path, size = sys.argv[1], int(sys.argv[2])
while True:
    for letter in (b"b", b"a"):
        print("writing", flush=True)
        replace_file(path, letter * size)
