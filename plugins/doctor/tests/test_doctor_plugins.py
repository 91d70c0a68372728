"""What `pi plugins` lists, with and without loading."""

import json
from typing import Any

import pytest

Ward = Any

BROKEN = {
    "raises": ("1/0", "import", "ZeroDivisionError: division by zero"),
    "leaves": ("raise SystemExit(3)", "import", "SystemExit: 3"),
    "signature": (
        "from pi_kernel import hookimpl\n@hookimpl\ndef pi_session(session, bus, weather): ...",
        "register",
        "weather",
    ),
    "unknown hook": (
        "from pi_kernel import hookimpl\n@hookimpl\ndef pi_tolls(register): ...",
        "register",
        "did you mean 'pi_tools'?",
    ),
    "in a hook": (
        "from pi_kernel import hookimpl\n@hookimpl\ndef pi_tools(register): raise OSError('no luck')",
        "pi_tools",
        "OSError: no luck",
    ),
}


def test_plugins_are_listed_without_being_imported(ward: Ward) -> None:
    ward.install("loud")
    status, text = ward.plugins()
    assert status == 0
    assert text.splitlines() == [
        "doctor    1.0  available  built in",
        f"loud      1.0  available  their-loud in {ward.folder / 'site'}",
        "provider  1.0  available  built in",
    ]
    assert not ward.imported


@pytest.mark.parametrize(("code", "step", "reason"), BROKEN.values(), ids=BROKEN)
def test_check_shows_the_step_and_the_reason_of_a_failure(ward: Ward, code: str, step: str, reason: str) -> None:
    ward.install("broken", code)
    status, text = ward.plugins("--check", "--json")
    states = {plugin["name"]: plugin for plugin in json.loads(text)["plugins"]}
    assert status == 1
    assert (states["doctor"]["state"], states["broken"]["state"]) == ("loaded", "failed")
    assert states["broken"]["failure"]["step"] == step and reason in states["broken"]["failure"]["reason"]
    assert f"    failed in {step}: " in ward.plugins("--check")[1]


def test_the_wrong_kernel_is_named(ward: Ward) -> None:
    ward.install("old", "", requires=">=9,<10")
    failure = json.loads(ward.plugins("--check", "--json")[1])["plugins"][1]["failure"]
    assert failure["step"] == "version" and "needs pi-kernel>=9,<10" in failure["reason"]


def test_switched_off_is_a_state_and_check_leaves_it_alone(ward: Ward) -> None:
    ward.install("loud")
    ward.env["PI_DISABLED_PLUGINS"] = "loud"
    status, text = ward.plugins("--check")
    assert status == 0 and "loud      1.0  disabled" in text


def test_values_that_hide_each_other_are_told(ward: Ward) -> None:
    shout = """
        from pi_api import Tool
        from pi_kernel import hookimpl
        @hookimpl
        def pi_tools(register):
            register(Tool("shout", "", {}, None))
    """
    ward.install("a-loud", shout)
    ward.install("b-loud", shout)
    assert "tool 'shout' of plugin 'b-loud' is hidden by the one of 'a-loud'" in ward.plugins("--check")[1]


def test_no_plugins_at_all_is_said(ward: Ward) -> None:
    ward.sources = []
    assert ward.plugins() == (0, "no plugins are installed")
