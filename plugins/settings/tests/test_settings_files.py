"""What happens to the files: tolerated, changed in one place, never lost, never overwritten when not understood."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pi_api import UsageError
from settings_models import RetrySettings

Write = Callable[[str], Path]

TOLERATED = {
    "comments": '// mine\n{"retry": {"maxRetries": 5 /* five */}}',
    "trailing comma": '{"retry": {"maxRetries": 5,},}',
    "byte-order mark": '\ufeff{"retry": {"maxRetries": 5}}',
    "CRLF": '{\r\n"retry":\r\n{"maxRetries": 5}}\r\n',
}


@pytest.mark.parametrize("text", TOLERATED.values(), ids=TOLERATED)
def test_what_people_write_is_read(make: Callable[..., Any], user_file: Write, text: str) -> None:
    user_file(text)
    settings = make()
    assert settings.read("retry", RetrySettings).max_retries == 5
    assert list(settings.problems) == []


@pytest.mark.parametrize("text", ["", " \n", "// nothing yet\n", "{}"])
def test_an_empty_file_says_nothing(make: Callable[..., Any], user_file: Write, text: str) -> None:
    user_file(text)
    settings = make()
    assert (settings.explain("defaultModel")[0].layer, list(settings.problems)) == ("default", [])


MALFORMED = {
    "not JSON": (b'{\n  "retry": {"maxRetries" 5}\n}', "line 2, column 2"),
    "cut off": (b'{"retry": {', "line 1, column 1"),
    "not an object": (b"[1, 2]", "must hold one JSON object"),
    "not UTF-8": ('{"theme": "dark"}'.encode("utf-16"), "is not UTF-8"),
    "merge conflict": (b'<<<<<<< ours\n{"a": 1}\n=======\n{"a": 2}\n>>>>>>> theirs\n', "line 1, column 1"),
}


@pytest.mark.parametrize(("data", "problem"), MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_file_is_reported_and_never_overwritten(
    make: Callable[..., Any], agent_dir: Path, data: bytes, problem: str
) -> None:
    agent_dir.mkdir()
    path = agent_dir / "settings.json"
    path.write_bytes(data)
    settings = make()
    assert settings.read("retry", RetrySettings) == RetrySettings()
    assert str(path) in settings.problems[0] and problem in settings.problems[0]
    with pytest.raises(UsageError, match="nothing was written"):
        settings.set("retry.maxRetries", 4)
    assert path.read_bytes() == data


def test_a_file_that_became_malformed_meanwhile_is_not_overwritten(make: Callable[..., Any], user_file: Write) -> None:
    path = user_file("{}")
    settings = make()
    settings.explain()
    path.write_text("{oops")
    with pytest.raises(UsageError, match="line 1, column 2"):
        settings.set("retry.maxRetries", 4)
    assert path.read_text() == "{oops"


def test_setting_makes_the_file_and_its_folder(make: Callable[..., Any], agent_dir: Path) -> None:
    settings = make()
    settings.set("retry.maxRetries", 4)
    assert json.loads((agent_dir / "settings.json").read_text()) == {"retry": {"maxRetries": 4}}
    assert settings.read("retry", RetrySettings).max_retries == 4


def test_setting_keeps_comments_unknown_keys_mark_and_line_ends(make: Callable[..., Any], user_file: Write) -> None:
    path = user_file('\ufeff{\r\n  // mine\r\n  "unknown": [1],\r\n  "retry": {"mode": "fast"}\r\n}\r\n')
    make().set("retry.maxRetries", 4)
    expected = '\ufeff{\r\n  // mine\r\n  "unknown": [1],\r\n  "retry": {"mode": "fast", "maxRetries": 4}\r\n}\r\n'
    assert path.read_bytes() == expected.encode()


def test_what_another_process_wrote_meanwhile_stays(make: Callable[..., Any], user_file: Write) -> None:
    path = user_file("{}")
    settings = make()
    settings.explain()
    path.write_text('{"theirs": 1}')
    settings.set("ours", 2)
    assert json.loads(path.read_text()) == {"theirs": 1, "ours": 2}
    assert settings.get("theirs") == 1


def test_unsetting_tells_whether_it_was_there(make: Callable[..., Any], user_file: Write) -> None:
    path = user_file('{"a": 1, "b": {"c": 2}}')
    settings = make()
    assert (settings.unset("b.c"), settings.unset("b.c"), settings.unset("nope")) == (True, False, False)
    assert json.loads(path.read_text()) == {"a": 1, "b": {}}


def test_a_wrong_value_is_refused_with_what_is_expected(make: Callable[..., Any], user_file: Write) -> None:
    path = user_file('{"retry": {"mode": "fast"}}')
    settings = make()
    for name, value, reason in [
        ("retry.mode", "later", "'slow' or 'fast', not 'later'"),
        ("retry.maxRetires", 1, "did you mean retry.maxRetries"),
        ("retry", 5, "an object is expected"),
        ("range.low", 11, "low must not exceed high"),
    ]:
        with pytest.raises(UsageError, match=reason):
            settings.set(name, value)
    assert path.read_text() == '{"retry": {"mode": "fast"}}'


def test_a_bad_value_elsewhere_does_not_stand_in_the_way(make: Callable[..., Any], user_file: Write) -> None:
    user_file('{"retry": {"mode": "later"}}')
    settings = make()
    settings.set("retry.maxRetries", 4)
    assert settings.get("retry.maxRetries") == 4


def test_project_settings_need_trust(make: Callable[..., Any], tmp_path: Path) -> None:
    settings = make()
    settings.use_project(str(tmp_path), trusted=False)
    with pytest.raises(UsageError, match="is not trusted; approve it first"):
        settings.set("retry.maxRetries", 4, "project")
    settings.use_project(str(tmp_path), trusted=True)
    settings.set("retry.maxRetries", 4, "project")
    assert json.loads((tmp_path / ".pi" / "settings.json").read_text()) == {"retry": {"maxRetries": 4}}
    assert [path.name for path in (tmp_path / ".pi").iterdir()] == ["settings.json"]


def symlink_or_skip(link: Path, target: Path) -> None:
    """Make a link; skip where none comes of it, as without the right on Windows, and under Wine."""
    try:
        link.symlink_to(target, target_is_directory=target.is_dir())
    except OSError:
        pytest.skip("this system does not let this user make symbolic links")
    if not link.is_symlink():
        pytest.skip("this system makes no symbolic links, though it says so")


def test_a_linked_file_stays_a_link(make: Callable[..., Any], agent_dir: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text('{"a": 1}')
    agent_dir.mkdir()
    link = agent_dir / "settings.json"
    symlink_or_skip(link, real)
    make().set("b", 2)
    assert link.is_symlink() and json.loads(real.read_text()) == {"a": 1, "b": 2}


WRITER = """
import sys
from pi_api import SETTINGS, service
from pi_kernel import Kernel
kernel = Kernel(env={"PI_CODING_AGENT_DIR": sys.argv[1]})
kernel.load(only={"settings"})
for number in range(50):
    service(kernel, SETTINGS).set(f"{sys.argv[2]}.n{number}", number)
kernel.close()
"""


def test_two_processes_writing_at_once_lose_nothing(agent_dir: Path, user_file: Write) -> None:
    path = user_file("{\n  // mine\n}\n")
    command = [sys.executable, "-c", WRITER, str(agent_dir)]
    with subprocess.Popen([*command, "one"]) as one, subprocess.Popen([*command, "two"]) as two:
        assert (one.wait(120), two.wait(120)) == (0, 0)
    text = path.read_text()
    expected = {f"n{number}": number for number in range(50)}
    assert json.loads(text.replace("// mine", "")) == {"one": expected, "two": expected}
    assert "// mine" in text


ADDER = """
import sys
from pi_api import SETTINGS, service
from pi_kernel import Kernel
kernel = Kernel(env={"PI_CODING_AGENT_DIR": sys.argv[1]})
kernel.load(only={"settings"})
for number in range(20):
    service(kernel, SETTINGS).change("list", lambda old: [*(old or []), f"{sys.argv[2]}{number}"])
kernel.close()
"""


def test_two_processes_adding_to_one_list_lose_nothing(agent_dir: Path, user_file: Write) -> None:
    path = user_file("{}")
    command = [sys.executable, "-c", ADDER, str(agent_dir)]
    with subprocess.Popen([*command, "a"]) as one, subprocess.Popen([*command, "b"]) as two:
        assert (one.wait(120), two.wait(120)) == (0, 0)
    expected = [f"{who}{number}" for who in "ab" for number in range(20)]
    assert sorted(json.loads(path.read_text())["list"]) == sorted(expected)


def test_a_change_that_comes_to_a_wrong_value_is_refused(make: Callable[..., Any], user_file: Write) -> None:
    path = user_file('{"retry": {"codes": [1]}}')
    settings = make()
    settings.change("retry.codes", lambda old: [*old, 2])
    with pytest.raises(UsageError, match="nothing was written"):
        settings.change("retry.codes", lambda old: [*old, "x"])
    assert json.loads(path.read_text()) == {"retry": {"codes": [1, 2]}}
