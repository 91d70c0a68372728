"""Skills: folders with a SKILL.md, found by their front matter alone; the body is read by the model when it wants it.

Format: Agent Skills (agentskills.io). Everything odd warns and loads, except a skill without a description.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from pi_context.frontmatter import BadFrontMatter, front_matter
from pi_context.text import visible, words
from pi_context.walk import skill_files

FRONT_MATTER_LIMIT = 16 * 1024
NAME_LIMIT, DESCRIPTION_LIMIT = 64, 1024
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Skill:
    """What the model is told of a skill. `hidden`: only its own command calls it."""

    name: str
    description: str
    path: Path
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class SkillFolder:
    """A place to look for skills. `source` names it to people; with `loose` its own `*.md` files are skills too."""

    path: Path
    source: str
    loose: bool = False


@dataclass(frozen=True, slots=True)
class FoundSkill:
    """A skill, and where it was found."""

    skill: Skill
    source: str


def find(folders: Iterable[SkillFolder]) -> tuple[list[FoundSkill], list[str]]:
    """All skills of the folders by name, and what is wrong with any; of two of one name the first folder's counts."""
    found: dict[str, FoundSkill] = {}
    seen: set[Path] = set()
    problems: list[str] = []
    for folder in folders:
        for path in skill_files(folder.path, loose=folder.loose, problems=problems):
            real = path.resolve()
            if real in seen:
                continue
            seen.add(real)
            skill = load(path, problems)
            if skill is None:
                continue
            if skill.name in found:
                problems.append(f"{path}: the skill {skill.name!r} of {found[skill.name].skill.path} hides this one")
            else:
                found[skill.name] = FoundSkill(skill, folder.source)
    return [found[name] for name in sorted(found)], problems


def load(path: Path, problems: list[str]) -> Skill | None:
    """The skill of a file, or `None` with the reason in `problems`."""
    try:
        with path.open("rb") as file:
            data = file.read(FRONT_MATTER_LIMIT)
        front = front_matter(data.decode("utf-8", "replace"))
    except OSError as error:
        problems.append(f"{path}: this skill cannot be read ({error.strerror or error}), so it is left out")
        return None
    except BadFrontMatter as error:
        problems.append(f"{path}: this skill is left out: {error}")
        return None
    description = _line(front.get("description"))
    if not description:
        problems.append(f"{path}: this skill is left out: its front matter has no description")
        return None
    name = _line(front.get("name")) or (path.parent.name if path.name == "SKILL.md" else path.stem)
    problems.extend(f"{path}: {text}" for text in _oddities(name, description))
    return Skill(name, description, path, front.get("disable-model-invocation") is True)


def enabled(found: Iterable[FoundSkill], disabled: Iterable[str]) -> list[FoundSkill]:
    """The skills that no pattern switches off; a pattern is a name, a path, or a glob of either."""
    patterns = list(disabled)
    return [
        one
        for one in found
        if not any(fnmatchcase(one.skill.name, p) or fnmatchcase(one.skill.path.as_posix(), p) for p in patterns)
    ]


def catalogue(skills: Iterable[Skill]) -> str:
    """The list of skills as it stands in the system prompt; "" without any."""
    entries = [
        f"  <skill>\n    <name>{_escaped(skill.name)}</name>\n"
        f"    <description>{_escaped(skill.description)}</description>\n"
        f"    <location>{_escaped(skill.path.as_posix())}</location>\n  </skill>"
        for skill in skills
        if not skill.hidden
    ]
    if not entries:
        return ""
    return "\n".join([words("skills"), "", "<available_skills>", *entries, "</available_skills>"])


def _oddities(name: str, description: str) -> list[str]:
    found = []
    if len(name) > NAME_LIMIT or _NAME.fullmatch(name) is None:
        found.append(f"the skill name {name!r} should be at most {NAME_LIMIT} of a-z, 0-9 and single hyphens within")
    if len(description) > DESCRIPTION_LIMIT:
        found.append(f"the skill's description should be at most {DESCRIPTION_LIMIT} characters")
    return found


def _line(value: Any) -> str:
    return " ".join(visible(value).split()) if isinstance(value, str) else ""


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
