"""A session writer in a process of its own: tree_worker.py <file> <count>.

It adds entries, names each on standard output once it is acknowledged, and keeps the session until standard input ends.
"""

import os
import sys

from pi_kernel.tree import SessionTree
from pi_kernel.tree.errors import SessionLocked, SessionMissing


def main(path: str, count: int) -> None:
    try:
        tree = SessionTree.open(path)
    except SessionMissing:
        tree = SessionTree.create(path, "/project")
    except SessionLocked as error:
        print(f"locked: {error}", flush=True)
        return
    size = 1
    for _ in range(count):
        size = size * 7 % 7001
        entry = tree.append("message", {"message": {"role": "user", "content": "}{" * size}})
        os.write(1, f"{entry.id}\n".encode())
    sys.stdin.read()
    tree.close()


main(sys.argv[1], int(sys.argv[2]))
