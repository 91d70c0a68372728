"""Write every list of members from the tree: `python -m tests.workspace.sync` shows what differs, `--write` mends."""

import argparse
import difflib
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from tests.workspace.tree import ROOT, Kind, Member, members, version

BLOCK = re.compile(
    r"(?P<begin>^(?P<indent>[ \t]*)# (?P<name>[\w-]+): begin\b[^\n]*\n)"
    r"(?P<body>.*?)(?P<end>^[ \t]*# (?P=name): end[^\n]*$)",
    re.DOTALL | re.MULTILINE,
)
EXACT_PIN = re.compile(r'(?<=")(pi(?:-[a-z0-9-]+)?)==[^"]*(?=")')

Blocks = dict[str, Iterable[str]]


def fill(text: str, blocks: Blocks) -> str:
    """Put `blocks[name]` between the lines `# name: begin` and `# name: end` of `text`, indented as they are."""

    def body(match: re.Match[str]) -> str:
        lines = [f"{match['indent']}{line}".rstrip() + "\n" for line in blocks[match["name"]]]
        return match["begin"] + "".join(lines) + match["end"]

    return BLOCK.sub(body, text)


def root_blocks(all_members: list[Member]) -> Blocks:
    """Give the blocks of the root pyproject.toml."""
    plugins = [m.import_name for m in all_members if m.kind.has_entry_point]
    libraries = [m.import_name for m in all_members if m.kind is Kind.LIBRARY]
    return {
        "dependencies": [f'"{m.dist} @ {{root:uri}}/{m.folder}",' for m in all_members],
        "sources": [f"{m.dist} = {{ workspace = true }}" for m in all_members],
        "mypy-path": [f'"{m.folder}/src",' for m in all_members],
        "first-party": [f'"{m.import_name}",' for m in all_members],
        "libraries": [f'"{name}",' for name in sorted(libraries)],
        "plugins": [f'"{name}",' for name in sorted(plugins)],
    }


def tox_blocks(all_members: list[Member]) -> Blocks:
    """Give the blocks of tox.ini: the list of environments and one section for each kind of folder."""
    groups: dict[tuple[str, str], list[str]] = {}
    for member in all_members:
        parent = member.folder.rpartition("/")[0]
        prefix = "" if member.kind is Kind.BUNDLE else "pi-"
        groups.setdefault((parent, prefix), []).append(member.name)
    sections: list[str] = []
    for (parent, prefix), names in groups.items():
        factors = names[0] if len(names) == 1 else "{" + ",".join(names) + "}"
        folder = f"{parent}/{{env_name}}" if parent else "{env_name}"
        sections += [
            "",
            f"[testenv:{factors}]",
            "base = member, testenv",
            f"deps = {prefix}{{env_name}}[test]",
            f"change_dir = {{tox_root}}/{folder}",
        ]
    return {"envs": [m.name for m in all_members], "sections": [*sections[1:]]}


def bundle_blocks(all_members: list[Member]) -> Blocks:
    """Give the pins of the default bundle: everything but the other bundles and the kit for plugin authors."""
    chosen = [m for m in all_members if m.kind is not Kind.BUNDLE and m.name != "testkit"]
    return {"pins": [f'"{m.dist}=={version(m.root)}",' for m in chosen]}


def repinned(text: str, root: Path) -> str:
    """Give a bundle's pyproject text with every `name==…` at the workspace's version."""
    return EXACT_PIN.sub(lambda match: f"{match[1]}=={version(root)}", text)


def rendered(root: Path = ROOT) -> dict[Path, str]:
    """Give the text that every file with a list of members should have, by its path relative to `root`."""
    found = members(root)
    editable = "".join(f"-e ./{m.folder}\n" for m in found)
    wanted = {Path("packages/editable.txt"): editable}
    fillers: dict[str, Callable[[list[Member]], Blocks]] = {
        "pyproject.toml": root_blocks,
        "tox.ini": tox_blocks,
        "packages/pi/pyproject.toml": bundle_blocks,
    }
    for name, blocks in fillers.items():
        if (root / name).is_file():
            wanted[Path(name)] = fill((root / name).read_text(encoding="utf-8"), blocks(found))
    for bundle in (m for m in found if m.kind is Kind.BUNDLE):
        path = Path(bundle.folder, "pyproject.toml")
        text = wanted.get(path) or (root / path).read_text(encoding="utf-8")
        wanted[path] = repinned(text, root)
    return wanted


def differences(root: Path = ROOT) -> str:
    """Give one unified diff from the files as they are to the files as the tree wants them; empty when equal."""
    parts: list[str] = []
    for path, wanted in rendered(root).items():
        actual = (root / path).read_text(encoding="utf-8") if (root / path).exists() else ""
        parts += difflib.unified_diff(
            actual.splitlines(True), wanted.splitlines(True), f"{path} (now)", f"{path} (from the tree)"
        )
    return "".join(parts)


def main() -> int:
    """Show the differences, or write the files with `--write`; 1 when something differed and was not written."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the files instead of showing the differences")
    options = parser.parse_args()
    found = differences()
    sys.stdout.write(found)
    if options.write:
        for path, text in rendered().items():
            (ROOT / path).write_text(text, encoding="utf-8", newline="\n")
        return 0
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
