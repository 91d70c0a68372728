"""Every skill's front matter holds to the Agent Skills format, and its text to what a model can use."""

import re
import textwrap
import tomllib
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import pytest
import yaml

SKILLS = {entry.name: entry for entry in files("pi_skills").iterdir() if entry.joinpath("SKILL.md").is_file()}


def parts(skill: Traversable) -> tuple[dict[str, Any], str]:
    """Give the front matter and the text below it."""
    text = (skill / "SKILL.md").read_text(encoding="utf-8")
    match = re.fullmatch(r"---\n(.*?)\n---\n(.*)", text, re.DOTALL)
    assert match is not None
    return yaml.safe_load(match[1]), match[2]


def test_the_three_skills_are_there() -> None:
    assert set(SKILLS) == {"git-commit", "code-review", "write-a-plugin"}


@pytest.mark.parametrize("name", sorted(SKILLS))
def test_front_matter_names_the_folder_and_says_when_to_use_it(name: str) -> None:
    front, _ = parts(SKILLS[name])
    assert front["name"] == name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) and len(name) <= 64
    assert "Use when" in front["description"] and len(front["description"]) <= 1024
    assert set(front) <= {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}


@pytest.mark.parametrize("name", sorted(SKILLS))
def test_the_text_has_a_title_and_is_short_enough_to_load_whole(name: str) -> None:
    _, body = parts(SKILLS[name])
    assert body.lstrip().startswith("# ")
    assert len(body.encode()) < 16 * 1024


@pytest.mark.parametrize("name", sorted(SKILLS))
def test_every_toml_example_parses(name: str) -> None:
    _, body = parts(SKILLS[name])
    for block in re.findall(r"^ *```toml\n(.*?)^ *```", body, re.DOTALL | re.MULTILINE):
        assert tomllib.loads(textwrap.dedent(block))
