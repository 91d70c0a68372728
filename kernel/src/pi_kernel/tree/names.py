"""Names of session files and of the directories they are kept in, as upstream pi forms them."""

import re

from .entry import Header


def directory_name(cwd: str) -> str:
    """The directory for sessions of an absolute POSIX or Windows path: `/home/me` gives `--home-me--`.

    Different paths may share a name (`/a-b`, `/a/b`): only a header's cwd tells whose a session is.
    """
    return "--" + re.sub(r"[/\\:]", "-", re.sub(r"^[/\\]", "", cwd)) + "--"


def session_file_name(header: Header) -> str:
    """`<start>_<id>.jsonl`, so that names sort by age."""
    return f"{re.sub('[:.]', '-', header.timestamp)}_{header.id}.jsonl"
