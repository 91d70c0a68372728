"""The list of skills in the system prompt."""

from collections.abc import Iterable

from pi_catalog import Item

from pi_context.words import words


def catalogue(skills: Iterable[Item]) -> str:
    """Name, description and path of every skill; "" without any."""
    entries = [
        f"  <skill>\n    <name>{_escaped(skill.name)}</name>\n"
        f"    <description>{_escaped(skill.description)}</description>\n"
        f"    <location>{_escaped(skill.path.as_posix())}</location>\n  </skill>"
        for skill in skills
    ]
    return "\n".join([words("skills"), "", "<available_skills>", *entries, "</available_skills>"]) if entries else ""


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
