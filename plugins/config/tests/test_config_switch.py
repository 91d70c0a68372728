"""Switching plugins and resources on and off."""

from typing import Any

import pytest

Desk = Any


def test_a_plugin_is_switched_off_and_on_by_its_name_or_its_distributions(desk: Desk) -> None:
    desk.install("loud")
    assert desk.run("disable", "loud") == (0, "loud: disabled for you", "")
    assert desk.settings() == {"plugins": {"disabled": ["loud"]}}
    assert desk.run("disable", "loud")[1] == "loud: already disabled for you"
    assert desk.run("enable", "their-loud") == (0, "loud: enabled for you", "")
    assert desk.settings() == {"plugins": {"disabled": []}}
    assert desk.run("enable", "loud")[1] == "loud: already enabled for you"


@pytest.mark.parametrize("code", ["raise SystemExit(1)", "1/0", "import threading; threading.Event().wait()"])
def test_a_broken_or_hanging_plugin_is_listed_and_switched_off_without_being_touched(desk: Desk, code: str) -> None:
    desk.install("broken", code=code)
    status, text, errors = desk.run("list", "plugins")
    assert (status, errors) == (0, "") and "on  broken  their-broken 1.0" in text
    assert desk.run("disable", "broken") == (0, "broken: disabled for you", "")
    assert "off  broken  their-broken 1.0" in desk.run("list", "plugins")[1]


def test_several_are_switched_together_or_none(desk: Desk) -> None:
    desk.install("one")
    desk.install("two")
    status, _, errors = desk.run("disable", "one", "twoo")
    assert status == 2 and errors == "pi config: no plugin 'twoo' is installed; did you mean two?"
    assert not (desk.agent_dir / "settings.json").exists()
    assert desk.run("disable", "one", "two")[0] == 0
    assert desk.settings() == {"plugins": {"disabled": ["one", "two"]}}


def test_an_uninstalled_plugin_can_be_taken_off_the_list(desk: Desk) -> None:
    desk.write("agent/settings.json", '{"plugins": {"disabled": ["gone"]}}')
    assert desk.run("enable", "gone")[0] == 0
    assert desk.settings() == {"plugins": {"disabled": []}}


@pytest.mark.parametrize("name", ["settings", "config", "trust"])
def test_what_config_itself_needs_can_be_switched_off_and_on_again(desk: Desk, name: str) -> None:
    assert desk.run("disable", name)[0] == 0
    assert f"off  {name}" in desk.run("list", "plugins")[1]
    assert desk.run("enable", name) == (0, f"{name}: enabled for you", "")
    assert f"on  {name}" in desk.run("list", "plugins")[1]


def test_what_else_switches_a_plugin_off_is_told(desk: Desk) -> None:
    desk.install("loud")
    desk.env["PI_DISABLED_PLUGINS"] = "loud"
    assert desk.run("enable", "loud")[1] == "loud: already enabled for you, but still off by $PI_DISABLED_PLUGINS"
    desk.env.pop("PI_DISABLED_PLUGINS")
    desk.run("disable", "loud")
    assert desk.run("disable", "-l", "-a", "loud")[1] == "loud: disabled in this project"
    assert desk.settings(project=True) == {"plugins": {"disabled": ["loud"]}}
    assert desk.run("enable", "loud", "-a")[1] == "loud: enabled for you, but still off by this project's settings"


def test_comments_and_unknown_keys_stay(desk: Desk) -> None:
    desk.install("loud")
    desk.write("agent/settings.json", '{\n  // why\n  "unknown": {"x": 1}\n}\n')
    desk.run("disable", "loud")
    text = (desk.agent_dir / "settings.json").read_text("utf-8")
    assert "// why" in text and '"unknown": {"x": 1}' in text and '"loud"' in text


def test_a_malformed_file_is_left_alone(desk: Desk) -> None:
    desk.install("loud")
    desk.write("agent/settings.json", "{oops")
    status, _, errors = desk.run("disable", "loud")
    assert status == 2 and "nothing was written" in errors and "line 1, column 2" in errors
    assert (desk.agent_dir / "settings.json").read_text() == "{oops"


def test_project_settings_need_trust(desk: Desk) -> None:
    desk.install("loud")
    status, _, errors = desk.run("disable", "-l", "loud")
    assert status == 2 and "is not trusted; approve it first" in errors
    assert not desk.project_file.exists()


@pytest.mark.usefixtures("owner")
def test_skills_are_switched_by_kind_and_name(desk: Desk) -> None:
    assert desk.run("disable", "skill:packed") == (0, "skill:packed: disabled for you", "")
    assert desk.settings() == {"disabledResources": {"skills": ["packed"]}}
    assert "off  packed" in desk.run("list", "skills")[1]
    desk.run("disable", "skill:pack*")
    assert desk.run("enable", "skill:packed")[1] == (
        "skill:packed: enabled for you, but still off by 'pack*' in disabledResources.skills"
    )
    assert desk.run("enable", "skill:pack*")[1] == "skill:pack*: enabled for you"
    assert "on  packed" in desk.run("list", "skills")[1]


REFUSED = [
    ("skill:paked", "no skill 'paked' is there; did you mean packed?"),
    ("skill:", "write skill:NAME, prompt:NAME or theme:NAME"),
    ("tool:x", "write skill:NAME, prompt:NAME or theme:NAME"),
    ("theme:zzz", "no theme 'zzz' is there; `pi config list` shows what there is"),
]


@pytest.mark.usefixtures("owner")
@pytest.mark.parametrize(("word", "reason"), REFUSED)
def test_what_names_nothing_is_refused(desk: Desk, word: str, reason: str) -> None:
    status, _, errors = desk.run("disable", word)
    assert status == 2 and reason in errors


@pytest.mark.usefixtures("owner")
def test_with_third_parties_installed_their_resources_may_be_named_unseen(desk: Desk) -> None:
    desk.install("loud")
    assert desk.run("disable", "skill:theirs")[0] == 0
    assert desk.imported == []
