r"""What is written to bash for one command, and how its end is told from its output.

The command runs through `eval` with its own standard streams; bash restores them afterwards, whatever `exec` did.
Output goes to the pipe of standard output. Facts go to that of standard error, which no command ever holds:

    RS nonce ":" status ":" directory RS nonce RS

Two more records stand around the output itself, `RS nonce "<"` and `RS nonce RS`; what comes before the first belongs
to something that an earlier command left running. All carry a fresh random nonce, so nothing a command prints can be
taken for them. When the command ends the shell, a trap writes them, with an `x` before the status, and what the next
shell starts with:

    RS nonce "=" declarations RS nonce "="
"""

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

RS = b"\x1e"

OUTPUT_FD, CONTROL_FD = 198, 199
"""Where the shell keeps its own pipes; numbers that scripts do not use."""

SETUP = f"exec {OUTPUT_FD}>&1 {CONTROL_FD}>&2\n"

_SCRIPT = """\
\\builtin trap - DEBUG ERR; {begin}; \\builtin trap '{last_report}; {state}; {end}' EXIT
\\builtin eval {command} <{stdin} 1>&{out} 2>{stderr}
{report}; {end}
\\builtin set +e; \\builtin trap - EXIT
"""

_REPORT = '\\builtin printf "\\036%s:{ending}%s:%s\\036%s\\036" {nonce} "$?" "${{PWD-}}" {nonce} >&{control}'
_STATE = (
    '{{ \\builtin printf "\\036%s=" {nonce}; \\builtin declare -px; \\builtin declare -fp; '
    '\\builtin printf "\\036%s=" {nonce}; }} >&{control}'
)
_BEGIN = '\\builtin printf "\\036%s<" {nonce} >&{out}'
_END = '\\builtin printf "\\036%s\\036" {nonce} >&{out}'


def new_nonce() -> str:
    """16 hexadecimal digits that no earlier command knows."""
    return secrets.token_hex(8)


def script(command: str, nonce: str, *, stdin: str = os.devnull, stderr: str | None = None) -> str:
    """The text to write to bash for one command that reads the file `stdin`; its errors may go to a file too."""
    return _SCRIPT.format(
        command=quote(command),
        out=OUTPUT_FD,
        stdin=quote(stdin),
        stderr=f"&{OUTPUT_FD}" if stderr is None else quote(stderr),
        report=_REPORT.format(nonce=nonce, control=CONTROL_FD, ending=""),
        last_report=_REPORT.format(nonce=nonce, control=CONTROL_FD, ending="x"),
        state=_STATE.format(nonce=nonce, control=CONTROL_FD),
        begin=_BEGIN.format(nonce=nonce, out=OUTPUT_FD),
        end=_END.format(nonce=nonce, out=OUTPUT_FD),
    )


def enter(directory: Path) -> bytes:
    """A line that makes a directory the shell's own, and its `PWD` right."""
    return os.fsencode(f"\\builtin cd -- {quote(str(directory))}\n")


def quote(text: str) -> str:
    """A bash word that stands for exactly this text."""
    return "'" + text.replace("'", "'\\''") + "'"


@dataclass(frozen=True, slots=True)
class Facts:
    """How a command ended: status, the shell's directory afterwards ("": unknown), whether the shell ends too."""

    status: int
    directory: str
    ending: bool


class ControlReader:
    """Finds the records of one command in what arrives on the control pipe."""

    def __init__(self, nonce: str) -> None:
        self._mark = RS + nonce.encode()
        self._held = bytearray()
        self.facts: Facts | None = None

    def feed(self, data: bytes) -> None:
        self._held += data
        if self.facts is None and (record := self._between(b":", RS)) is not None:
            status, _, directory = record.partition(b":")
            ending = status.startswith(b"x")
            self.facts = Facts(int(status[ending:]), directory.decode("utf-8", "surrogateescape"), ending)

    @property
    def complete(self) -> bool:
        """All that the command's end is told by has arrived."""
        return self.facts is not None and (not self.facts.ending or self.state is not None)

    @property
    def state(self) -> bytes | None:
        """The declarations of a shell that has ended, in bash's own words."""
        return self._between(b"=", b"=")

    def _between(self, opening: bytes, closing: bytes) -> bytes | None:
        begin = self._held.find(self._mark + opening)
        start = begin + len(self._mark + opening)
        end = self._held.find(self._mark + closing, start) if begin >= 0 else -1
        return bytes(self._held[start:end]) if end >= 0 else None


class OutputReader:
    """Finds the beginning and the end of output and passes on what is between; holds back only what may be the end."""

    def __init__(self, nonce: str) -> None:
        self._begin = RS + nonce.encode() + b"<"
        self._end = RS + nonce.encode() + RS
        self._held = b""
        self._begun = False
        self.ended = False

    def feed(self, data: bytes) -> bytes:
        """The output among the bytes that have arrived so far and has not been given yet."""
        if self.ended:
            return b""
        self._held += data
        if not self._begun:
            before, mark, after = self._held.partition(self._begin)
            self._begun = bool(mark)
            self._held = after if mark else before[-len(self._begin) :]
            if not mark:
                return b""
        at = self._held.find(self._end)
        if at >= 0:
            self.ended = True
            return self._take(at)
        return self._take(len(self._held) - self._possible_beginning())

    def rest(self) -> bytes:
        """What was held back, when no end will come any more."""
        return self._take(len(self._held)) if self._begun else b""

    def _take(self, size: int) -> bytes:
        taken, self._held = self._held[:size], self._held[size:]
        return taken

    def _possible_beginning(self) -> int:
        longest = min(len(self._end) - 1, len(self._held))
        return next((size for size in range(longest, 0, -1) if self._end.startswith(self._held[-size:])), 0)
