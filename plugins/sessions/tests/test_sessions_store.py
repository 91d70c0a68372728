"""Which session the flags ask for."""

import os
from pathlib import Path
from typing import Any

import pytest
from pi_api import Leave, UsageError
from pi_api.services import OpenedSession
from pi_kernel.tree import SessionTree, directory_name, new_session_path
from pi_sessions.listing import session_table
from pi_sessions.store import SessionFiles

WHEN = "2026-01-0{}T00:00:00.000Z"


class Place:
    """A store with a project and another one, and sessions in both."""

    def __init__(self, tmp_path: Path) -> None:
        self.here, self.there = tmp_path / "here", tmp_path / "over there"
        self.here.mkdir()
        self.there.mkdir()
        self.root = tmp_path / "sessions"
        self.store = SessionFiles(self.root)

    def session(self, cwd: Path, session_id: str, text: str = "hello", name: str = "") -> Path:
        path = new_session_path(self.root / directory_name(str(cwd)), session_id)
        with SessionTree.create(path, str(cwd)) as tree:
            tree.append("message", {"message": {"role": "user", "content": text, "timestamp": 1}})
            if name:
                tree.rename(name)
        return path

    def open(self, **flags: Any) -> OpenedSession:
        opened = self.store.open(self.here, {name.replace("_", "-"): value for name, value in flags.items()})
        opened.tree.close()
        return opened


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_without_flags_a_session_is_new_and_leaves_no_file_until_something_is_said(place: Place) -> None:
    opened = place.store.open(place.here, {})
    assert (opened.reason, opened.tree.header.cwd) == ("new", str(place.here))
    assert not list(place.root.rglob("*.jsonl"))
    opened.tree.append("message", {"message": {"role": "user", "content": "x", "timestamp": 1}})
    (file,) = place.root.rglob("*.jsonl")
    assert file.parent.name == directory_name(str(place.here))
    opened.tree.close()


def test_no_session_keeps_nothing(place: Place) -> None:
    opened = place.store.open(place.here, {"no-session": True, "name": "x"})
    opened.tree.append("message", {"message": {"role": "user", "content": "x", "timestamp": 1}})
    assert not place.root.exists()


def test_continue_takes_the_one_used_last_here_and_starts_anew_when_there_is_none(place: Place) -> None:
    assert place.open(**{"continue": True}).reason == "new"
    place.session(place.here, "first")
    place.session(place.here, "second")
    place.session(place.there, "elsewhere")
    opened = place.open(**{"continue": True})
    assert (opened.reason, opened.tree.header.id) == ("resume", "second")


@pytest.mark.parametrize("wanted", ["abc-1", "abc-", "{path}"])
def test_a_session_is_found_by_id_by_its_beginning_and_by_path(place: Place, wanted: str) -> None:
    path = place.session(place.here, "abc-1")
    place.session(place.here, "xyz")
    opened = place.open(session=wanted.format(path=path))
    assert (opened.reason, opened.tree.header.id) == ("resume", "abc-1")


def test_a_path_is_relative_to_the_working_directory(place: Place) -> None:
    path = place.session(place.here, "abc")
    assert place.open(session=os.path.relpath(path, place.here)).tree.header.id == "abc"


def test_an_exact_id_wins_over_longer_ones(place: Place) -> None:
    place.session(place.here, "abc")
    place.session(place.here, "abcd")
    assert place.open(session="abc").tree.header.id == "abc"


@pytest.mark.parametrize(
    ("flags", "complaint"),
    [
        ({"session": "ab"}, "2 sessions begin with 'ab'"),
        ({"session": "nothing"}, "`pi -r`"),
        ({"session": "elsewhere"}, "--fork elsewhere"),
        ({"session": "abc", "continue": True}, "--session and --continue contradict"),
        ({"fork": "abc", "no_session": True}, "--fork and --no-session contradict"),
        ({"session_id": "-bad"}, "'-bad' is no session id"),
        ({"session_id": "a/b"}, "'a/b' is no session id"),
    ],
)
def test_what_cannot_be_met_is_refused_with_the_way_out(place: Place, flags: dict[str, Any], complaint: str) -> None:
    place.session(place.here, "abc")
    place.session(place.here, "abd")
    place.session(place.there, "elsewhere")
    with pytest.raises(UsageError, match=complaint):
        place.open(**flags)


def test_a_session_id_opens_exactly_that_one_or_makes_it(place: Place) -> None:
    place.session(place.here, "abcd")
    assert place.open(session_id="abcd").reason == "resume"
    opened = place.open(session_id="abc")
    assert (opened.reason, opened.tree.header.id) == ("new", "abc")


def test_a_fork_is_a_copy_here_that_names_its_origin(place: Place) -> None:
    source = place.session(place.there, "elsewhere", "what was said")
    before = source.read_bytes()
    opened = place.store.open(place.here, {"fork": "elsew"})
    assert (opened.reason, opened.previous) == ("fork", source)
    assert opened.tree.header.cwd == str(place.here)
    assert opened.tree.header.id != "elsewhere"
    assert [entry.data["message"]["content"] for entry in opened.tree.path()] == ["what was said"]
    opened.tree.append("message", {"message": {"role": "user", "content": "more", "timestamp": 1}})
    opened.tree.close()
    assert source.read_bytes() == before


def test_a_session_whose_directory_is_gone_says_how_to_go_on(place: Place) -> None:
    place.session(place.there, "gone")
    place.there.rmdir()
    path = next(place.root.rglob("*gone*"))
    with pytest.raises(UsageError, match="--fork"):
        place.open(session=str(path))
    assert place.open(fork=str(path)).tree.header.cwd == str(place.here)


def test_resume_without_a_screen_lists_newest_first_and_says_how_to_open(place: Place) -> None:
    place.session(place.here, "first", "a  long\nstory " * 20)
    place.session(place.here, "second", name="named one")
    with pytest.raises(Leave) as leave:
        place.open(resume=True)
    first, second, _, hint = leave.value.text.splitlines()
    assert ("second" in first, "named one" in first) == (True, True)
    assert "a long story" in second
    assert second.endswith("…")
    assert "pi --session second" in hint
    assert leave.value.status == 0


def test_an_empty_list_says_so(place: Place) -> None:
    assert str(place.here) in session_table([], place.here)


def test_a_name_is_stored(place: Place) -> None:
    opened = place.store.open(place.here, {"name": "my work"})
    assert opened.tree.name == "my work"
    opened.tree.close()


@pytest.mark.parametrize("through", ["flag", "setting"])
def test_a_chosen_folder_holds_sessions_of_all_directories_apart(place: Place, tmp_path: Path, through: str) -> None:
    chosen = tmp_path / "all of them"
    flags = {"session-dir": str(chosen)} if through == "flag" else {}
    store = SessionFiles(place.root, "" if through == "flag" else str(chosen))
    for cwd in (place.here, place.there):
        opened = store.open(cwd, flags)
        opened.tree.append("message", {"message": {"role": "user", "content": cwd.name, "timestamp": 1}})
        opened.tree.close()
    assert len(list(chosen.glob("*.jsonl"))) == 2
    again = store.open(place.here, {**flags, "continue": True})
    assert again.tree.header.cwd == str(place.here)
    again.tree.close()
    if through == "setting":
        assert len(store.list()) == 2
        assert [info.first_text for info in store.list(place.there)] == ["over there"]


def test_a_second_run_on_one_session_is_refused(place: Place) -> None:
    path = place.session(place.here, "abc")
    with SessionTree.open(path), pytest.raises(Exception, match="fork"):
        place.open(session="abc")


def test_a_foreign_file_is_refused_and_left_alone(place: Place) -> None:
    notes = place.here / "notes.txt"
    notes.write_text("my notes\n", "utf-8")
    with pytest.raises(Exception, match=r"notes\.txt"):
        place.open(session="./notes.txt")
    assert notes.read_text("utf-8") == "my notes\n"
