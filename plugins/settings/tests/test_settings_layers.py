"""Which layer decides, and what becomes of values that their owner refuses."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pi_api import SETTINGS, UsageError, service
from pi_api.events import AgentStart, Notice
from pi_api.settings import Origin
from settings_models import Owner, RangeSettings, RetrySettings, TopSettings

Write = Callable[[str], Path]


def test_without_files_the_model_decides(make: Callable[..., Any]) -> None:
    settings = make()
    assert settings.read("retry", RetrySettings) == RetrySettings()
    assert (settings.get("retry.maxRetries"), list(settings.problems)) == (None, [])


def test_each_layer_overrides_the_one_below(
    make: Callable[..., Any], user_file: Write, project_file: Write, tmp_path: Path
) -> None:
    user_file('{"retry": {"maxRetries": 1, "mode": "fast", "codes": [500, 502], "backoff": {"factor": 3}}}')
    project_file('{"retry": {"maxRetries": 2, "codes": [503], "backoff": {"baseDelayMs": 7}}}')
    settings = make(env={"PI_RETRIES": "8"})
    settings.use_project(str(tmp_path / "project"), trusted=True)
    found = settings.read("retry", RetrySettings)
    assert (found.max_retries, found.mode, found.codes) == (8, "fast", [503])
    assert (found.backoff.factor, found.backoff.base_delay_ms) == (3, 7)
    wanted = [settings.get("retry.maxRetries", scope) for scope in ("user", "project", None)]
    assert wanted == [1, 2, "8"]
    settings.use_flags({"retry.maxRetries": 9})
    assert settings.read("retry", RetrySettings).max_retries == 9


def test_an_untrusted_project_is_not_read(make: Callable[..., Any], project_file: Write, tmp_path: Path) -> None:
    project_file("not even JSON")
    settings = make()
    settings.use_project(str(tmp_path / "project"), trusted=False)
    assert (settings.read("retry", RetrySettings), list(settings.problems)) == (RetrySettings(), [])


def test_leaving_a_project_forgets_its_settings(make: Callable[..., Any], project_file: Write, tmp_path: Path) -> None:
    project_file('{"retry": {"maxRetries": 2}}')
    settings = make()
    settings.use_project(str(tmp_path / "project"), trusted=True)
    settings.use_project(str(tmp_path), trusted=True)
    assert settings.get("retry.maxRetries") is None


def test_a_project_folder_that_is_the_agent_folder_does_not_count_twice(
    make: Callable[..., Any], project_file: Write, tmp_path: Path
) -> None:
    own = project_file('{"retry": {"maxRetries": 2}}')
    settings = make(env={"PI_CODING_AGENT_DIR": str(own.parent)})
    settings.use_project(str(tmp_path / "project"), trusted=True)
    assert [origin.layer for origin in settings.explain("retry.maxRetries")] == ["user"]
    with pytest.raises(UsageError, match="is your own settings file"):
        settings.set("retry.maxRetries", 3, "project")


REFUSED: list[tuple[str, str, dict[str, Any], str]] = [
    ("wrong type", '{"retry": {"maxRetries": "many"}}', {}, "retry.maxRetries: input should be a valid integer"),
    ("wrong choice", '{"retry": {"mode": "later"}}', {}, "retry.mode: input should be 'slow' or 'fast', not 'later'"),
    ("bad item", '{"retry": {"codes": [1, "x", "y"]}}', {}, "retry.codes: item 1: input should be a valid integer"),
    ("deep inside", '{"retry": {"backoff": {"factor": []}}}', {}, "retry.backoff.factor: input should be a valid num"),
    ("misspelt", '{"retry": {"maxRetires": 5}}', {}, "there is no such setting; did you mean retry.maxRetries?"),
    ("not an object", '{"retry": 5}', {}, "retry: an object is expected, not 5"),
    ("beside good ones", '{"retry": {"maxRetries": [], "mode": "fast"}}', {"mode": "fast"}, "retry.maxRetries: input"),
]


@pytest.mark.parametrize(("case", "text", "kept", "problem"), REFUSED, ids=[case[0] for case in REFUSED])
def test_a_refused_value_is_left_out_and_named(
    make: Callable[..., Any], user_file: Write, case: str, text: str, kept: dict[str, Any], problem: str
) -> None:
    path = user_file(text)
    settings = make()
    assert settings.read("retry", RetrySettings) == RetrySettings(**kept)
    (found,) = settings.problems
    assert found.startswith(f"{path}: ") and problem in found and found.endswith("the value is left out")


def test_a_refused_value_lets_the_layer_below_decide(
    make: Callable[..., Any], user_file: Write, project_file: Write, tmp_path: Path
) -> None:
    user_file('{"retry": {"maxRetries": 5, "codes": [1]}}')
    project = project_file('{"retry": {"maxRetries": "x", "codes": ["a", "b"]}}')
    settings = make(env={"PI_RETRIES": "y"})
    settings.use_project(str(tmp_path / "project"), trusted=True)
    found = settings.read("retry", RetrySettings)
    assert (found.max_retries, found.codes) == (5, [1])
    assert sorted(problem.partition(": ")[0] for problem in settings.problems) == [
        "$PI_RETRIES",
        str(project),
        str(project),
    ]


def test_reading_twice_names_a_problem_once(make: Callable[..., Any], user_file: Write) -> None:
    user_file('{"retry": {"maxRetries": "many"}}')
    settings = make()
    settings.read("retry", RetrySettings)
    settings.read("retry", RetrySettings)
    assert len(settings.problems) == 1


def test_a_secret_is_not_shown(make: Callable[..., Any], user_file: Write) -> None:
    user_file('{"retry": {"apiKey": "sk-hidden"}}')
    settings = make()
    settings.read("retry", RetrySettings)
    assert "sk-hidden" not in "".join(settings.problems)


def test_values_that_contradict_each_other_leave_the_section_at_its_defaults(
    make: Callable[..., Any], user_file: Write
) -> None:
    user_file('{"range": {"low": 20, "high": 3}}')
    settings = make()
    assert settings.read("range", RangeSettings) == RangeSettings()
    assert "range: low must not exceed high" in settings.problems[0]


def test_the_section_without_a_name_reads_the_top_level_beside_everything_else(
    make: Callable[..., Any], user_file: Write
) -> None:
    user_file('{"defaultModel": "m", "retry": {"mode": "fast"}, "somebodyElses": 1}')
    settings = make()
    assert settings.read("", TopSettings).default_model == "m"
    assert list(settings.problems) == []


VARIABLES = [("PI_RETRY_CODES", "[1, 2]", [1, 2]), ("PI_RETRY_CODES", "", [429]), ("PI_RETRY_CODES", "[1", [429])]


@pytest.mark.parametrize(("name", "text", "codes"), VARIABLES)
def test_variables_hold_json_lists(make: Callable[..., Any], name: str, text: str, codes: list[int]) -> None:
    assert make(env={name: text}).read("retry", RetrySettings).codes == codes


def test_explain_tells_the_deciding_layer_of_every_value(make: Callable[..., Any], user_file: Write) -> None:
    path = user_file('{"retry": {"mode": "fast"}, "mystery": {"of": {}}}')
    settings = make(env={"PI_RETRIES": "8"})
    found = {origin.path: origin for origin in settings.explain()}
    assert found["retry.mode"] == Origin("retry.mode", "fast", "user", str(path))
    assert found["retry.maxRetries"] == Origin("retry.maxRetries", "8", "env", "$PI_RETRIES")
    assert found["retry.backoff.factor"] == Origin("retry.backoff.factor", 2.0, "default", "")
    assert found["mystery.of"] == Origin("mystery.of", {}, "user", str(path))
    assert [origin.path for origin in settings.explain("retry.backoff")] == [
        "retry.backoff.baseDelayMs",
        "retry.backoff.factor",
    ]


def test_two_plugins_with_one_section_are_reported(make: Callable[..., Any]) -> None:
    class Rival(Owner):
        name = "rival"

    settings = make(Rival())
    settings.explain()
    assert "settings section 'retry' of plugin 'rival' is hidden by the one of 'owner'" in settings.problems


def test_a_section_whose_model_is_missing_hides_nothing_else(make: Callable[..., Any]) -> None:
    from pi_api import SettingsSection
    from pi_kernel import hookimpl

    class Broken:
        name = "broken"

        @hookimpl
        def pi_settings(self, register: Callable[[SettingsSection], None]) -> None:
            register(SettingsSection("broken", "no_such_module:Model"))

    settings = make(Broken())
    assert settings.explain("retry.mode")[0].value == "slow"
    assert any("no_such_module" in problem for problem in settings.problems)


async def test_refused_values_are_told_once_a_session(plugin_host: Callable[..., Any], user_file: Write) -> None:
    user_file('{"retry": {"mode": "later"}}')
    host = plugin_host("pi_settings.plugin", Owner())
    session = host.session()
    heard: list[str] = []
    session.bus.on(Notice, lambda notice: heard.append(notice.text))
    await session.start()
    service(host.kernel, SETTINGS).read("retry", RetrySettings)
    for _ in range(2):
        await session.bus.emit(AgentStart())
    host.check()
    assert len(heard) == 1 and "retry.mode: input should be 'slow' or 'fast'" in heard[0]
