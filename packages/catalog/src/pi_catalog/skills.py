"""Skills: folders with a SKILL.md, known by their front matter; the body is read by the model when it wants it.

Format: Agent Skills (agentskills.io). Everything odd warns and loads, except a skill without a description.
"""

import re
from pathlib import Path

from pi_catalog.frontmatter import head, line
from pi_catalog.item import Item
from pi_catalog.walk import SKILL_FILE

NAME_LIMIT, DESCRIPTION_LIMIT = 64, 1024
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def skill(path: Path, source: str, problems: list[str]) -> Item | None:
    """The skill of a file, or `None` with the reason in `problems`."""
    front = head(path, problems)
    if front is None:
        return None
    description = line(front.get("description"))
    if not description:
        problems.append(f"{path}: this skill is left out: its front matter has no description")
        return None
    name = line(front.get("name")) or (path.parent.name if path.name == SKILL_FILE else path.stem)
    problems.extend(f"{path}: {text}" for text in _oddities(name, description))
    return Item("skill", name, path, source, description, front.get("disable-model-invocation") is True)


def _oddities(name: str, description: str) -> list[str]:
    found = []
    if len(name) > NAME_LIMIT or _NAME.fullmatch(name) is None:
        found.append(f"the skill name {name!r} should be at most {NAME_LIMIT} of a-z, 0-9 and single hyphens within")
    if len(description) > DESCRIPTION_LIMIT:
        found.append(f"the skill's description should be at most {DESCRIPTION_LIMIT} characters")
    return found
