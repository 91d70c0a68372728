"""Where pi keeps its things, on every platform; and which plugins the user's settings switch off."""

from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

import pytest
from pi_kernel.paths import agent_dir, choose_agent_dir, disabled_plugins, plugins_disabled_by

HOME = PurePosixPath("/home/ada")
WIN = PureWindowsPath(r"C:\Users\Ada Lovelace")


@pytest.mark.parametrize(
    ("env", "home", "existing", "expected"),
    [
        ({}, HOME, (), "/home/ada/.pi/agent"),
        ({"XDG_CONFIG_HOME": "/cfg"}, HOME, (), "/cfg/pi/agent"),
        ({"XDG_CONFIG_HOME": "/cfg"}, HOME, ("/home/ada/.pi/agent",), "/home/ada/.pi/agent"),
        ({"XDG_CONFIG_HOME": "relative"}, HOME, (), "/home/ada/.pi/agent"),
        ({"PI_CODING_AGENT_DIR": "/else where"}, HOME, ("/home/ada/.pi/agent",), "/else where"),
        ({"PI_CODING_AGENT_DIR": "~/mine"}, HOME, (), "/home/ada/mine"),
        ({"APPDATA": "/ignored"}, HOME, (), "/home/ada/.pi/agent"),
        ({}, WIN, (), r"C:\Users\Ada Lovelace\.pi\agent"),
        ({"APPDATA": r"C:\Roam"}, WIN, (), r"C:\Users\Ada Lovelace\.pi\agent"),
        ({"APPDATA": r"C:\Roam"}, WIN, (r"C:\Roam\pi\agent",), r"C:\Roam\pi\agent"),
        (
            {"APPDATA": r"C:\Roam"},
            WIN,
            (r"C:\Roam\pi\agent", r"C:\Users\Ada Lovelace\.pi\agent"),
            r"C:\Users\Ada Lovelace\.pi\agent",
        ),
        ({"XDG_CONFIG_HOME": r"C:\cfg"}, WIN, (), r"C:\Users\Ada Lovelace\.pi\agent"),
        ({"PI_CODING_AGENT_DIR": r"~\mine"}, WIN, (), r"C:\Users\Ada Lovelace\mine"),
        ({"PI_CODING_AGENT_DIR": r"\\server\share\pi"}, WIN, (), r"\\server\share\pi"),
    ],
)
def test_the_agent_dir(env: dict[str, str], home: PurePath, existing: tuple[str, ...], expected: str) -> None:
    chosen = choose_agent_dir(env, home, lambda path: str(path) in existing)
    assert str(chosen) == expected
    assert type(chosen) is type(home)


def test_the_agent_dir_of_this_machine_follows_the_variable(tmp_path: Path) -> None:
    assert agent_dir({"PI_CODING_AGENT_DIR": str(tmp_path)}) == tmp_path


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('{"plugins": {"disabled": ["a", "b"]}}', {"a", "b"}),
        ('\ufeff{"plugins": {"disabled": ["a"]}}\r\n', {"a"}),
        ('{"plugins": {"disabled": ["a", 3, null]}}', {"a"}),
        ('{"plugins": {"disabled": "a"}}', None),
        ('{"plugins": []}', set()),
        ("{broken", set()),
        ("", set()),
    ],
)
def test_switched_off_plugins_are_read_from_whatever_the_file_holds(
    tmp_path: Path, text: str, names: set[str] | None
) -> None:
    file = tmp_path / "settings.json"
    file.write_text(text, "utf-8", newline="")
    found = disabled_plugins(file)
    assert names is None or found == names


def test_without_a_settings_file_nothing_is_switched_off(tmp_path: Path) -> None:
    assert disabled_plugins(tmp_path / "settings.json") == frozenset()


@pytest.mark.parametrize(
    ("text", "names"), [("", set()), ("a", {"a"}), ("a, b\tc,,", {"a", "b", "c"}), (" tool-bash\n", {"tool-bash"})]
)
def test_the_environment_names_plugins_between_commas_or_blanks(text: str, names: set[str]) -> None:
    assert plugins_disabled_by({"PI_DISABLED_PLUGINS": text}) == names
