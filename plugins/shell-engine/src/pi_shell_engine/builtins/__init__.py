"""The builtins of the contract."""

from pi_shell_engine.builtins.interface import Entry, Registry

_HERE = "pi_shell_engine.builtins."


def _entry(
    name: str, module: str, accepts: str, *, check: str = "check", function: str = "", special: bool = False
) -> Entry:
    target = f"{_HERE}{module}:{function or name}"
    return Entry(name, target, accepts, check=f"{_HERE}{module}:{check}" if check else "", special=special)


CONTRACT: Registry = {
    entry.name: entry
    for entry in (
        _entry("true", "plain", "anything", check="", special=True),
        _entry("false", "plain", "anything", check="", special=True),
        _entry("pwd", "plain", "no flags", check="check_flagless", special=True),
        _entry("basename", "plain", "PATH [SUFFIX]", check="check_named"),
        _entry("dirname", "plain", "paths", check="check_named"),
        _entry("which", "plain", "names", check="check_named"),
        _entry("echo", "echo", "-n, -e, -E and words", check="", special=True),
        _entry("printf", "printf", "a format and arguments", special=True),
        _entry("test", "conditions", "one condition, with ! before it", special=True),
        _entry("[", "conditions", "one condition, with ! before it", function="test", special=True),
        _entry("ls", "listing", "-a, -A, -1, -l, -r and paths"),
        _entry("find", "finding", "paths, then -type f|d and -name GLOB"),
        _entry("cat", "reading", "files", check="check_cat"),
        _entry("head", "reading", "-n N, -N and files", check="check_lines"),
        _entry("tail", "reading", "-n N, -N and files", check="check_lines"),
        _entry("wc", "counting", "-l, -w, -c, -m and files"),
        _entry("uniq", "counting", "-c, -d, -u, -i and one file"),
        _entry("sort", "sorting", "-r, -n, -u, -f and files"),
        _entry("cut", "columns", "-d C with -f LIST, or -c LIST, and files"),
        _entry("tr", "translating", "-d, -s, -c and sets of characters"),
        _entry("grep", "matching", "-i, -v, -n, -c, -l, -w, -F, -E, a pattern and files"),
        _entry("sed", "substituting", "'s/PATTERN/REPLACEMENT/' with g and i, and files"),
        _entry("rm", "changing", "-f, -r and paths"),
        _entry("cp", "changing", "-r, sources and a target"),
        _entry("mv", "changing", "sources and a target"),
        _entry("mkdir", "changing", "-p and paths"),
        _entry("touch", "changing", "paths"),
        _entry("xargs", "arguments", "-0, -n N, -I MARK and a command"),
    )
}
