"""Command lines within the contract, drawn from a random source."""

from collections.abc import Callable, Mapping
from random import Random

NAMES = ["a", "b", "n", "d", "d/x", "e", "csv", "bin", "dup", "crlf", "sp ace", "many", "nope", "hollow", "d/sub", "-"]
SMALL = "ab,B1 \n"
SETS = [
    "a-z",
    "A-Z",
    "0-9",
    "abc",
    "x",
    " ",
    "\\n",
    "[:upper:]",
    "[:lower:]",
    "[:digit:]",
    "[:space:]",
    "a-c",
    ",",
    "[:alnum:]",
    "[:punct:]",
    "\\t",
    "\\101",
    "oO",
    "[x*]",
    "[=a=]",
    "A-Fa-f",
    "a-",
    "\\\\",
    "_",
    "xyz",
]
REGEXES = [
    "o",
    "^t",
    "e$",
    ".",
    "a*",
    "[a-c]",
    "[^a-z]",
    "b.",
    "^$",
    "^.*$",
    "one",
    "x",
    "[0-9][0-9]*",
    "^[^,]*",
    "\\.",
    "l.n",
    "th",
    "1",
    "a",
    "b",
    "B",
    ",",
    "^",
    "$",
    "[ ,]",
    "e[^ ]",
    "n*e",
]
NUMBERS = [
    "0",
    "1",
    "-1",
    "42",
    "007",
    "010",
    "0x1f",
    "9",
    "3x",
    "",
    " 5",
    "5 ",
    "99999999999999999999",
    "-08",
    "1e3",
    "+7",
    "'A",
    "--5",
    "2.5",
]
DESTINATIONS = ["new", "d", "a", "hollow", "new/x", "d/", "d/x", "d/sub/..", ".", "b", "nope/x", "e", "./a"]


def inputs(source: Random) -> bytes:
    """A standard input: nothing, a few small lines, or bytes of any kind but NUL."""
    kind = source.randrange(6)
    if not kind:
        return b""
    if kind < 5:
        return "".join(source.choice(SMALL) for _ in range(source.randrange(60))).encode()
    return bytes(source.randrange(1, 256) for _ in range(source.randrange(80)))


def _some(source: Random, values: list[str], most: int, least: int = 0) -> list[str]:
    return [source.choice(values) for _ in range(source.randint(least, most))]


def _switches(source: Random, letters: str, most: int = 3) -> list[str]:
    chosen = source.sample(letters, source.randint(0, min(most, len(letters))))
    if not chosen:
        return []
    return ["-" + "".join(chosen)] if source.random() < 0.5 else ["-" + letter for letter in chosen]


def _flagged(letters: str, files: int = 2) -> Callable[[Random], list[str]]:
    return lambda source: [*_switches(source, letters), *_some(source, NAMES, files)]


def _count(source: Random) -> list[str]:
    number = str(source.choice([0, 1, 2, 3, 9, 10, 11, 100]))
    flag = source.choice([[], ["-n", number], ["-n" + number], ["-" + number]])
    return [*flag, *_some(source, NAMES, 1 if flag == ["-" + number] else 3)]


def _text(source: Random, letters: str, most: int) -> str:
    return "".join(source.choice(letters) for _ in range(source.randrange(most)))


def _echo(source: Random) -> list[str]:
    words = [_text(source, "ab\\\\\\ntx0417ceu ", 10) for _ in range(source.randrange(4))]
    return [*_some(source, ["-n", "-e", "-ne", "-E", "-eE", "-nx", "--", "-"], 2), *words]


def _printf(source: Random) -> list[str]:
    pieces = [
        source.choice(["a", " ", "\\n", "\\t", "%%", "\\101", "\\x41", "\\\\"]) for _ in range(source.randrange(3))
    ]
    for _ in range(source.randint(1, 3)):
        flags = "".join(_some(source, ["-", "0", "+", " ", "#"], 2))
        width = source.choice(["", "", "5", "12"])
        precision = source.choice(["", "", ".0", ".3", "."])
        pieces.append(f"%{flags}{width}{precision}{source.choice('sdiouxXcbsdsfegq')}|")
    return ["".join(pieces), *_some(source, [*NUMBERS, "abc", "a b", "\\t\\101x", "é", "it's"], 5)]


def _test(source: Random) -> list[str]:
    words = [*NUMBERS, "a", "d", "nope", "!", "=", "-f", "abc"]
    shape = source.randrange(3)
    if shape == 0:
        body = [source.choice(words)]
    elif shape == 1:
        body = ["-" + source.choice("edfrwxsnz"), source.choice([*NAMES, ""])]
    else:
        operator = source.choice(["=", "!=", "-eq", "-ne", "-lt", "-le", "-gt", "-ge"])
        body = [source.choice(words), operator, source.choice(words)]
    return ["!", *body] if source.random() < 0.3 and len(body) > 1 else body


def _grep(source: Random) -> list[str]:
    return [*_switches(source, "ivnclwFE"), source.choice(REGEXES), *_some(source, NAMES, 2)]


def _sed(source: Random) -> list[str]:
    mark = source.choice("/,|#")
    pattern = source.choice([one for one in REGEXES if mark not in one])
    replacement = source.choice(["", "X", "[&]", "\\&", "a b", "&&", "\\n", "x\\ty"])
    flags = source.choice(["", "g", "i", "gi", "ig", "I"])
    return [f"s{mark}{pattern}{mark}{replacement}{mark}{flags}", *_some(source, NAMES, 2)]


def _cut(source: Random) -> list[str]:
    spans = ["1", "2", "3", "1,3", "2-", "-2", "2-3", "1-2,4-", "3,1", "0", "3-1", "5", "1 3", "2,1-3"]
    given = source.choice(spans)
    if source.random() < 0.4:
        return ["-c", given, *_some(source, NAMES, 2)]
    delimiter = source.choice([[], ["-d,"], ["-d", " "], ["-d", "a"], ["-d,"], ["-d", "é"]])
    return [*delimiter, *source.choice([["-f" + given], ["-f", given]]), *_some(source, NAMES, 2)]


def _tr(source: Random) -> list[str]:
    return [*_switches(source, "dsc", 2), *_some(source, SETS, 2, 1)]


def _find(source: Random) -> list[str]:
    tests = [
        ["-type", "f"],
        ["-type", "d"],
        ["-name", "a*"],
        ["-name", "*"],
        ["-name", "[!a]"],
        ["-name", "?"],
        ["-name", ".*"],
        ["-name", "*.[hx]"],
        ["-name", "\\a"],
        ["-name", "[[:alpha:]]"],
        ["-name", "s*e"],
    ]
    chosen = [word for _ in range(source.randrange(3)) for word in source.choice(tests)]
    return [*_some(source, [".", "d", "a", "nope", "d/", "./d", "hollow", "d/.."], 2), *chosen]


def _path(source: Random) -> str:
    return _text(source, "/ab.", 7)


def _xargs(source: Random) -> list[str]:
    flags = source.choice([[], ["-n", "1"], ["-n2"], ["-I", "{}"], ["-Ix"], ["-n", "3"]])
    command = source.choice([["echo"], ["echo", "{}", "x"], ["false"], ["touch"], ["rm", "-f"], ["printf", "<%s>"], []])
    return [*flags, *command]


def _moved(letters: str) -> Callable[[Random], list[str]]:
    sources = [name for name in NAMES if name != "-"]

    def drawn(source: Random) -> list[str]:
        flags, moved, goal = _switches(source, letters, 1), _some(source, sources, 2, 1), source.choice(DESTINATIONS)
        # A directory copied into itself leaves different things behind: that is a listed divergence.
        inside = any(goal.removeprefix("./").startswith(name) for name in moved)
        return [*flags, *moved, "new" if inside else goal]

    return drawn


GENERATORS: Mapping[str, Callable[[Random], list[str]]] = {
    "echo": _echo,
    "printf": _printf,
    "test": _test,
    "[": lambda source: [*_test(source), "]"],
    "ls": _flagged("aA1r", 3),
    "find": _find,
    "cat": _flagged("", 3),
    "head": _count,
    "tail": _count,
    "wc": _flagged("lwc", 3),
    "uniq": _flagged("cdui", 1),
    "sort": _flagged("rnuf", 3),
    "cut": _cut,
    "tr": _tr,
    "grep": _grep,
    "sed": _sed,
    "basename": lambda source: [_path(source), *([] if source.random() < 0.5 else [_path(source)])],
    "dirname": lambda source: [_path(source) for _ in range(source.randint(1, 3))],
    "rm": lambda source: [*_switches(source, "frR"), *_some(source, [*NAMES[:-1], ".", "d/..", "d/", "a/"], 3)],
    "cp": _moved("rR"),
    "mv": _moved(""),
    "mkdir": lambda source: [*_switches(source, "p"), *_some(source, [*DESTINATIONS, "q/r/s", "q", "a/b"], 3)],
    "touch": lambda source: _some(source, [*DESTINATIONS, "q", "a/b", "d", "sp ace"], 3),
    "xargs": _xargs,
    "true": _flagged("abc"),
    "false": _flagged("abc"),
}
