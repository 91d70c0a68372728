"""Where sessions are kept: names of directories and files as upstream pi forms them."""

import re
from pathlib import Path

from .entry import now, uuid7
from .errors import BadFields

_SESSION_ID = r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?"


def directory_name(cwd: str) -> str:
    """The directory for an absolute path of POSIX or Windows: `/home/me` gives `--home-me--`.

    Different paths may share one (`/a-b`, `/a/b`), so only the cwd in a header tells whose a session is.
    """
    return "--" + re.sub(r"[/\\:]", "-", re.sub(r"^[/\\]", "", cwd)) + "--"


def new_session_path(directory: Path, session_id: str | None = None) -> Path:
    """`<start>_<id>.jsonl` in a directory, so that names sort by age; the id is a UUIDv7 unless given."""
    if session_id is not None and not re.fullmatch(_SESSION_ID, session_id):
        raise BadFields(None, f"session id {session_id!r} is not letters, digits and inner '.', '_' and '-'")
    return directory / f"{re.sub('[:.]', '-', now())}_{session_id or uuid7()}.jsonl"


def session_id_in(path: Path) -> str | None:
    """The id in a name that `new_session_path` or upstream formed."""
    match = re.fullmatch(rf"[\d-]+T[\d-]+Z_({_SESSION_ID})\.jsonl", path.name)
    return match and match[1]
