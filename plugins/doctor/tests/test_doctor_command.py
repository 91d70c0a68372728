"""What `pi doctor` finds, whatever plugins do to it."""

import json
from typing import Any

import pytest

Ward = Any

CHECKS = """
    from pi_api import DoctorCheck, Finding
    from pi_kernel import hookimpl
    import threading
    @hookimpl
    def pi_doctor_checks(register):
        register(DoctorCheck("moon", "the moon", lambda view: Finding({ok}, "seen", "look up"), required={required}))
        register(DoctorCheck("sun", "the sun", {second}))
"""
SEEN = "lambda view: Finding(True, 'hot')"


def found(ward: Ward, *arguments: str) -> dict[str, dict[str, Any]]:
    return {check["name"]: check for check in json.loads(ward.doctor("--json", *arguments)[1])["checks"]}


def test_a_sound_machine_is_well(ward: Ward) -> None:
    status, text = ward.doctor()
    assert status == 0
    labels = [line[6:20].strip() for line in text.splitlines()]
    assert labels[:3] == ["Python", "agent folder", "settings"]
    assert "FAIL" not in text and "ready: here" in text


def test_json_tells_the_same(ward: Ward) -> None:
    status, text = ward.doctor("--json")
    answer = json.loads(text)
    assert (status, answer["ok"]) == (0, True)
    (python,) = [check for check in answer["checks"] if check["name"] == "python"]
    assert {**python, "detail": ""} == {
        "name": "python",
        "label": "Python",
        "ok": True,
        "required": True,
        "detail": "",
        "remedy": None,
        "plugin": "doctor",
    }


def test_settings_that_cannot_be_read_are_a_failure(ward: Ward) -> None:
    (ward.folder / "agent" / "settings.json").write_text("{oops")
    status, text = ward.doctor()
    assert status == 1 and "FAIL  settings" in text and "line 1, column 2" in text


def test_sessions_go_where_the_environment_says(ward: Ward) -> None:
    (ward.folder / "project" / "file").write_text("")
    ward.env["PI_CODING_AGENT_SESSION_DIR"] = "file/sessions"
    status, text = ward.doctor()
    assert status == 1 and "FAIL  sessions" in text
    ward.env["PI_CODING_AGENT_SESSION_DIR"] = str(ward.folder / "elsewhere")
    assert found(ward)["sessions"]["detail"] == f"{ward.folder / 'elsewhere'} (not made yet)"


def test_without_any_provider_nothing_can_be_asked(ward: Ward) -> None:
    ward.env["PI_TEST_PROVIDER"] = "no key; set KEY"
    status, text = ward.doctor()
    assert status == 1 and "no provider is ready" in text and "-> no key; set KEY" in text


def test_third_parties_are_not_run_unless_asked(ward: Ward) -> None:
    ward.install("loud")
    status, text = ward.doctor()
    assert status == 0 and "1 not loaded (`--load` loads them)" in text
    assert not ward.imported
    status, text = ward.doctor("--load")
    assert ward.imported
    assert status == 0 and "note  plugin loud" in text
    assert "failed in import: SystemExit: a third party was imported" in text
    assert "-> reinstall or update their-loud, or switch it off with `pi config disable loud`" in text


def test_a_built_in_plugin_that_fails_is_a_failure(ward: Ward) -> None:
    ward.install("owned", "raise RuntimeError('worn out')", builtin=True)
    status, text = ward.doctor()
    assert status == 1 and "FAIL  plugin owned" in text and "worn out" in text


@pytest.mark.parametrize(("ok", "required", "status"), [(True, True, 0), (False, False, 0), (False, True, 1)])
def test_plugins_add_checks_of_their_own(ward: Ward, ok: bool, required: bool, status: int) -> None:
    ward.install("owned", CHECKS.format(ok=ok, required=required, second=SEEN), builtin=True)
    assert ward.doctor()[0] == status
    moon = found(ward)["moon"]
    assert (moon["ok"], moon["detail"], moon["remedy"], moon["plugin"]) == (ok, "seen", "look up", "owned")


def test_a_check_that_raises_or_leaves_counts_as_not_in_order(ward: Ward) -> None:
    ward.install("owned", CHECKS.format(ok=True, required=False, second="lambda view: exit(3)"), builtin=True)
    checks = found(ward)
    assert checks["moon"]["ok"] and not checks["sun"]["ok"]
    assert checks["sun"]["detail"] == "the check itself failed: SystemExit: 3"


def test_a_check_that_never_returns_is_given_up(ward: Ward) -> None:
    ward.seconds = 1
    hanging = "lambda view: threading.Event().wait()"
    ward.install("owned", CHECKS.format(ok=True, required=False, second=hanging), builtin=True)
    assert "did not return within 1 s" in found(ward)["sun"]["detail"]


def test_it_works_although_it_is_switched_off_itself(ward: Ward) -> None:
    ward.env["PI_DISABLED_PLUGINS"] = "doctor"
    assert "python" in found(ward)


def test_a_shell_that_cannot_be_used_is_told(ward: Ward) -> None:
    ward.install(
        "owned",
        """
        from pi_kernel import hookimpl
        class Tier:
            name = "odd"
            def unavailable(self, env):
                return "there is no such shell; install one"
        @hookimpl
        def pi_shell_tiers(register):
            register(Tier())
        """,
        builtin=True,
    )
    assert found(ward)["shell:odd"]["remedy"] == "there is no such shell; install one"


SETTINGS = """
    from pathlib import Path
    from pi_api import SETTINGS, TRUST, Service, SettingsSection
    from pi_kernel import hookimpl
    class Settings:
        problems = ["settings.json is not JSON"]
        def get(self, path):
            return "kept/here" if path == "sessions.dir" else None
        def use_project(self, cwd, *, trusted):
            self.problems = [*self.problems, f"project {trusted}"]
        def read(self, section, model):
            self.problems = [*self.problems, f"{section}.x: refused by {model.__name__}"]
    class Trust:
        def decision(self, cwd):
            return True
    @hookimpl
    def pi_services(register):
        register(Service(SETTINGS, lambda kernel: Settings()))
        register(Service(TRUST, lambda kernel: Trust()))
    @hookimpl
    def pi_settings(register):
        register(SettingsSection("owned", "pathlib:Path"))
        register(SettingsSection("odd", "no_such_module:Model"))
"""


def test_settings_of_user_and_trusted_project_are_read_as_their_owners_would(ward: Ward) -> None:
    ward.install("owned", SETTINGS, builtin=True)
    status, text = ward.doctor()
    assert status == 0
    assert "note  setting            owned.x: refused by Path" in text and "project True" in text
    assert "settings of owned" in text and "no_such_module" in text
    assert "is not JSON" not in text
    assert found(ward)["sessions"]["detail"].startswith(str(ward.folder / "project" / "kept" / "here"))
