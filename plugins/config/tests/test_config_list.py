"""What `pi config list` shows, without importing anything of a third party."""

import json
from typing import Any

import pytest

Desk = Any


@pytest.mark.usefixtures("owner")
def test_everything_is_listed_by_source(desk: Desk) -> None:
    desk.install("loud")
    desk.write("agent/skills/mine/SKILL.md", "---\nname: mine\ndescription: My own.\n---\n")
    desk.write("agent/prompts/review.md", "Review it\n")
    desk.write("project/.pi/themes/neon.json", "{}")
    status, text, errors = desk.run("list", "-a")
    assert (status, errors) == (0, "")
    blocks = {block.splitlines()[0]: block for block in text.split("\n\n")}
    assert list(blocks) == ["plugins, built in:", "plugins, third party:", "skills:", "prompts:", "themes:"]
    assert "on  settings  pi-settings 1.0" in blocks["plugins, built in:"]
    assert f"on  loud  their-loud 1.0  {desk.folder / 'site'}" in blocks["plugins, third party:"]
    assert "on  mine    user          My own.\n  on  packed  plugin owner  From a plugin." in blocks["skills:"]
    assert "on  review  user  Review it" in blocks["prompts:"]
    assert "on  neon  project" in blocks["themes:"]
    assert desk.imported == []


def test_an_untrusted_project_is_not_listed_and_that_is_said(desk: Desk) -> None:
    desk.write("project/.pi/themes/neon.json", "{}")
    _, text, _ = desk.run()
    assert "neon" not in text and "This project is not trusted" in text


@pytest.mark.usefixtures("owner")
def test_json_holds_the_same(desk: Desk) -> None:
    desk.install("loud")
    desk.run("disable", "loud", "skill:packed")
    found = json.loads(desk.run("list", "--json")[1])
    assert list(found) == ["plugins", "skills", "prompts", "themes", "problems"]
    assert next(plugin for plugin in found["plugins"] if plugin["name"] == "loud") == {
        "name": "loud",
        "enabled": False,
        "builtin": False,
        "distribution": "their-loud",
        "version": "1.0",
        "location": str(desk.folder / "site"),
        "failure": None,
    }
    (skill,) = found["skills"]
    assert skill["path"].endswith("SKILL.md")
    assert {key: skill[key] for key in skill if key != "path"} == {
        "kind": "skill",
        "name": "packed",
        "enabled": False,
        "source": "plugin owner",
        "description": "From a plugin.",
    }


def test_only_the_sections_named_are_listed(desk: Desk) -> None:
    assert desk.run("list", "themes", "prompts")[1] == "prompts:\n  none\n\nthemes:\n  none"
    assert list(json.loads(desk.run("--json", "list", "themes")[1])) == ["themes", "problems"]
    assert desk.run("list", "weather")[0] == 2


def test_problems_are_told_beside_the_list(desk: Desk) -> None:
    desk.write("agent/settings.json", "{oops")
    desk.write("agent/skills/odd/SKILL.md", "---\nname: odd\n---\n")
    status, text, errors = desk.run("list", "skills")
    assert (status, text) == (0, "skills:\n  none")
    assert "settings.json is not JSON at line 1" in errors and "has no description" in errors


def test_a_built_in_plugin_that_fails_is_listed_with_the_reason(desk: Desk) -> None:
    desk.install("owner", builtin=True, code="raise RuntimeError('worn out')")
    assert "FAILED: import: RuntimeError: worn out" in desk.run("list")[1]


def test_without_settings_the_reason_is_given(desk: Desk) -> None:
    desk.sources = [source for source in desk.sources if source.name != "settings"]
    assert desk.run("list")[0] == 1
    desk.install("settings", builtin=True, code="raise RuntimeError('worn out')")
    status, _, errors = desk.run("list")
    assert status == 1 and "worn out" in errors and "reinstall pi-settings" in errors


def test_help_teaches(desk: Desk) -> None:
    status, text, _ = desk.run("--help")
    assert status == 0
    assert all(word in text for word in ("examples:", "pi config disable skill:", "--project", "Settings are layered"))
