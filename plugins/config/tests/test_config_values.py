"""Reading and writing settings from the command line."""

import json
from typing import Any

import pytest

Desk = Any
pytestmark = pytest.mark.usefixtures("owner")


def test_a_value_is_printed_as_it_stands(desk: Desk) -> None:
    desk.write("agent/settings.json", '{"owned": {"level": "high"}, "free": {"list": [1, "é"]}}')
    assert desk.run("get", "owned.level") == (0, "high", "")
    assert desk.run("get", "owned.count") == (0, "3", "")
    assert desk.run("get", "free.list") == (0, '[1, "é"]', "")


def test_several_values_are_printed_with_what_decides_them(desk: Desk) -> None:
    desk.write("agent/settings.json", '{"owned": {"level": "high"}}')
    desk.env["PI_OWNED_COUNT"] = "8"
    assert desk.run("get", "owned")[1].splitlines() == [
        f'owned.level  "high"  (user: {desk.agent_dir / "settings.json"})',
        'owned.count  "8"  (env: $PI_OWNED_COUNT)',
        'owned.label  "x"  (default)',
    ]
    found = json.loads(desk.run("get", "owned.level", "--json")[1])
    file = str(desk.agent_dir / "settings.json")
    assert found == [{"path": "owned.level", "value": "high", "layer": "user", "from": file}]


def test_what_is_not_set_is_a_failure_with_a_hint(desk: Desk) -> None:
    assert desk.run("get", "owned.levle") == (
        1,
        "",
        "pi config: owned.levle is not set; did you mean owned.level or owned.label?",
    )
    assert "did you mean owned.level?" in desk.run("get", "level")[2]


WRITTEN: list[tuple[str, str, Any]] = [
    ("owned.count", "5", {"owned": {"count": 5}}),
    ("owned.level", "high", {"owned": {"level": "high"}}),
    ("owned.level", '"high"', {"owned": {"level": "high"}}),
    ("owned.label", "12", {"owned": {"label": "12"}}),
    ("owned.label", "two words", {"owned": {"label": "two words"}}),
    ("owned", '{"count": 1}', {"owned": {"count": 1}}),
]


@pytest.mark.parametrize(("path", "text", "expected"), WRITTEN)
def test_values_are_json_or_plain_words(desk: Desk, path: str, text: str, expected: Any) -> None:
    status, _, errors = desk.run("set", path, text)
    assert (status, errors, desk.settings()) == (0, "", expected)


REFUSED = [
    ("owned.level", "middle", "owned.level: input should be 'low' or 'high', not 'middle'; nothing was written"),
    ("owned.count", "many", "owned.count: input should be a valid integer"),
    ("owned", "5", "owned: an object is expected"),
    ("a..b", "5", "'a..b' is no setting"),
    ("", "5", "name the setting"),
]


@pytest.mark.parametrize(("path", "text", "reason"), REFUSED)
def test_a_value_its_owner_refuses_is_not_written(desk: Desk, path: str, text: str, reason: str) -> None:
    status, _, errors = desk.run("set", path, text)
    assert status == 2 and reason in errors
    assert not (desk.agent_dir / "settings.json").exists()


def test_a_setting_nobody_is_known_to_own_is_written_with_a_note(desk: Desk) -> None:
    desk.install("loud")
    status, text, _ = desk.run("set", "ownd.level", "high")
    assert status == 0 and "note: no built-in plugin has a setting ownd.level; did you mean owned.level" in text
    assert desk.settings() == {"ownd": {"level": "high"}}
    assert desk.imported == []


def test_a_written_value_that_does_not_count_here_is_told(desk: Desk) -> None:
    desk.env["PI_OWNED_COUNT"] = "8"
    assert "note: owned.count is decided by env: $PI_OWNED_COUNT" in desk.run("set", "owned.count", "5")[1]


def test_unsetting_tells_what_counts_instead(desk: Desk) -> None:
    desk.write("agent/settings.json", '{"owned": {"count": 5}}')
    assert desk.run("unset", "owned.count") == (0, "owned.count is no longer set; it is 3 (default)", "")
    assert desk.run("unset", "owned.count") == (1, "", "pi config: your settings do not set owned.count")


def test_the_project_scope_reads_and_writes_the_projects_file(desk: Desk) -> None:
    assert desk.run("set", "-l", "-a", "owned.count", "7")[0] == 0
    assert desk.settings(project=True) == {"owned": {"count": 7}}
    assert desk.run("get", "owned.count")[1] == "3"
    assert desk.run("get", "owned.count", "-a")[1] == "7"
    assert desk.run("unset", "-l", "-a", "owned.count")[0] == 0


def test_the_files_are_told(desk: Desk) -> None:
    assert desk.run("path")[1] == str(desk.agent_dir / "settings.json")
    assert desk.run("path", "-l")[1] == str(desk.project_file)


def test_too_few_or_too_many_words_are_refused(desk: Desk) -> None:
    assert desk.run("set")[0] == 2
    assert desk.run("get", "a", "b")[0] == 2
