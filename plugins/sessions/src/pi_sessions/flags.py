"""The session flags of the command line."""

from pi_api import Flag

SECTION = "session"

FLAGS = (
    Flag("continue", "go on with the session of this directory used last", short="c", section=SECTION),
    Flag(
        "resume", "choose an earlier session (listed when there is no screen to choose on)", short="r", section=SECTION
    ),
    Flag("session", "open a session file, or a stored session by id", "text", metavar="PATH|ID", section=SECTION),
    Flag("session-id", "open this directory's session of that id, or make it", "text", metavar="ID", section=SECTION),
    Flag("fork", "start a new session as a copy of another", "text", metavar="PATH|ID", section=SECTION),
    Flag("no-session", "keep nothing of this session", section=SECTION),
    Flag("session-dir", "keep sessions in this folder", "text", metavar="DIR", section=SECTION),
    Flag("name", "name the session", "text", short="n", metavar="NAME", section=SECTION),
)
