"""Which skills are found, where, and what the model is told of them."""

import sys
from pathlib import Path
from typing import Any

import pytest
from pi_api import Resource
from pi_api.kinds import RESOURCES

House = Any


def names(house: House, **options: Any) -> list[str]:
    text = house.prompt(**options)
    return [line.strip()[6:-7] for line in text.splitlines() if line.strip().startswith("<name>")]


def test_the_model_is_told_name_description_and_path(house: House) -> None:
    path = house.skill(house.agent_dir / "skills", "tidy", '"Tidies <files> & folders."')
    block = (
        f"<available_skills>\n  <skill>\n    <name>tidy</name>\n    <description>Tidies &lt;files&gt; &amp; folders."
        f"</description>\n    <location>{path.as_posix()}</location>\n  </skill>\n</available_skills>"
    )
    assert block in house.prompt()


def test_skills_come_from_everywhere_and_the_closest_of_a_name_counts(house: House) -> None:
    house.skill(house.home / ".agents" / "skills", "shared", "Home's.")
    house.skill(house.agent_dir / "skills", "shared", "User's.")
    house.skill(house.agent_dir / "skills", "mine")
    house.skill(house.cwd / ".pi" / "skills", "shared", "Project's.")
    house.skill(house.cwd / ".agents" / "skills", "here")
    house.skill(house.cwd.parent / ".agents" / "skills", "above")
    house.skill(house.home / ".agents" / "skills", "home")
    assert names(house) == ["above", "here", "home", "mine", "shared"]
    assert "<description>Project's.</description>" in house.prompt()
    assert names(house, trusted=False) == ["home", "mine", "shared"]
    assert "<description>User's.</description>" in house.prompt(trusted=False)
    assert any("hides this one" in problem for problem in house.builder.problems)


def test_skills_of_plugins_count_last(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    house.write(tmp_path / "site" / "some_skills", "__init__.py", "raise SystemExit('imported')")
    house.skill(tmp_path / "site" / "some_skills" / "skills", "packaged")
    house.skill(tmp_path / "site" / "some_skills" / "skills", "mine", "Packaged.")
    house.skill(house.agent_dir / "skills", "mine", "User's.")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site"), *sys.path])
    registry = house.builder._kernel.registry
    registry.add(RESOURCES, Resource("skill", "some_skills", "skills"), "somebody")
    registry.add(RESOURCES, Resource("skill", "not_there"), "somebody")
    assert names(house) == ["mine", "packaged"]
    assert "<description>User's.</description>" in house.prompt()


def test_the_command_line_adds_and_takes_away(house: House, tmp_path: Path) -> None:
    house.skill(house.agent_dir / "skills", "mine")
    house.skill(tmp_path / "extra", "given")
    loose = house.write(tmp_path, "single.md", "---\nname: single\ndescription: Alone.\n---\n")
    assert names(house, skill=[str(tmp_path / "extra"), str(loose)]) == ["given", "mine", "single"]
    assert names(house, skill=[str(tmp_path / "extra")], no_skills=True) == ["given"]
    assert names(house, skill=[str(tmp_path / "absent")], no_skills=True) == []
    assert "there is no" in house.builder.problems[0]


def test_without_a_tool_that_reads_skills_are_not_named(house: House) -> None:
    from pi_api import Tool

    house.skill(house.agent_dir / "skills", "mine")
    assert "available_skills" not in house.prompt(Tool("zap", "", {}, None))  # type: ignore[arg-type]


def test_hidden_and_disabled_skills_are_not_named(house: House) -> None:
    house.skill(house.agent_dir / "skills", "hidden", disable_model_invocation="true")
    house.skill(house.agent_dir / "skills", "off")
    house.skill(house.agent_dir / "skills", "on")
    house.settings.values["disabledResources.skills"] = ["off"]
    assert names(house) == ["on"]


def test_too_many_skills_are_cut_with_a_notice(house: House) -> None:
    for number in range(101):
        house.skill(house.agent_dir / "skills", f"s{number:03}")
    assert len(names(house)) == 100
    assert "of 101 skills the system prompt names 100" in house.builder.problems[0]
