"""What a system prompt holds, in which order, and that nothing but its inputs decides a byte of it."""

import random
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pi_api import Resource
from pi_api.kinds import RESOURCES

House = Any


def make_tool(name: str, snippet: str = "", *guidelines: str) -> Any:
    from pi_api import Tool

    return Tool(name, name, {}, None, snippet=snippet, guidelines=guidelines)  # type: ignore[arg-type]


def test_all_pieces_stand_in_their_order(house: House) -> None:
    house.write(house.agent_dir, "AGENTS.md", "user rules")
    house.write(house.cwd, "AGENTS.md", "project rules")
    house.write(house.agent_dir, "APPEND_SYSTEM.md", "appended file")
    house.skill(house.agent_dir / "skills", "tidy")
    text = house.prompt(
        make_tool("read", "Read a file", "Read before you edit"), append_system_prompt=["flag one", "flag two"]
    )
    pieces = [
        "You are pi",
        "Tools:\n- read: Read a file",
        "Guidelines:\n- Read before you edit",
        "appended file",
        "flag one",
        "flag two",
        "user rules",
        "project rules",
        "<available_skills>",
        "Current date: 2026-02-03\nWorking directory: ",
    ]
    positions = [text.index(piece) for piece in pieces]
    assert positions == sorted(positions)
    assert text.endswith(f"Working directory: {house.cwd.as_posix()}\n")


def test_a_bare_prompt_is_our_words_the_date_and_the_directory(house: House) -> None:
    text = house.prompt(make_tool("quiet"))
    assert text.startswith("You are pi")
    assert "Tools:" not in text and "Guidelines:" not in text and "skill" not in text
    assert house.builder.problems == []


BASES = [
    ({"flag": "F", "project": "P", "user": "U"}, True, "F"),
    ({"project": "P", "user": "U"}, True, "P"),
    ({"project": "P", "user": "U"}, False, "U"),
    ({"project": " ", "user": "U"}, True, "U"),
    ({"project": "P"}, False, "You are pi"),
]


@pytest.mark.parametrize(("given_texts", "trusted", "expected"), BASES)
def test_the_base_is_the_flag_then_the_projects_then_the_users_then_ours(
    house: House, given_texts: dict[str, str], trusted: bool, expected: str
) -> None:
    for place, folder in (("project", house.cwd / ".pi"), ("user", house.agent_dir)):
        if place in given_texts:
            house.write(folder, "SYSTEM.md", given_texts[place])
    assert house.prompt(trusted=trusted, system_prompt=given_texts.get("flag")).startswith(expected)


def test_texts_on_the_command_line_may_be_files(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    house.write(tmp_path, "base.md", "from a file\r\n")
    assert house.prompt(system_prompt="base.md", append_system_prompt=["./base.md"]).count("from a file\n") == 2
    assert house.prompt(system_prompt="x" * 5000).startswith("xxx")
    assert house.builder.problems == []
    assert house.prompt(system_prompt="typo.md").startswith("typo.md")
    assert "there is no file typo.md" in house.builder.problems[0]


CONTEXT: list[tuple[str, bool, dict[str, Any], str, list[str]]] = [
    ("trusted", True, {}, "inject", ["USER", "OUTER", "INNER"]),
    ("untrusted", False, {}, "inject", ["USER"]),
    ("switched off for this run", True, {"no_context_files": True}, "inject", ["USER"]),
    ("off", True, {}, "off", ["USER"]),
    ("listed", True, {}, "list", ["USER", "- {src}/CLAUDE.md", "- {src}/app/AGENTS.md"]),
    ("listed but untrusted", False, {}, "list", ["USER"]),
]


@pytest.mark.parametrize(("case", "trusted", "flags", "mode", "expected"), CONTEXT, ids=[case[0] for case in CONTEXT])
def test_instruction_files(
    house: House,
    case: str,
    trusted: bool,
    flags: dict[str, Any],
    mode: str,
    expected: list[str],
) -> None:
    house.settings.sections["context"] = {"files": mode}
    house.write(house.agent_dir, "CLAUDE.md", "USER")
    house.write(house.cwd.parent, "CLAUDE.md", "OUTER")
    house.write(house.cwd, "AGENTS.md", "INNER")
    text = house.prompt(trusted=trusted, **flags)
    wanted = [piece.format(src=house.cwd.parent.as_posix()) for piece in expected]
    positions = [text.index(piece) for piece in wanted]
    assert positions == sorted(positions)
    assert [word for word in ("USER", "OUTER", "INNER") if word in text] == [w for w in wanted if w.isupper()]


def test_of_the_instruction_files_in_a_folder_the_first_counts(house: House) -> None:
    for name in ("GEMINI.md", "CLAUDE.md", "AGENTS.md", "AGENTS.override.md"):
        house.write(house.cwd, name, f"text of {name}")
    assert "text of AGENTS.override.md" in house.prompt()
    assert house.prompt().count("text of ") == 1


def test_hidden_instructions_do_not_reach_the_prompt(house: House) -> None:
    house.write(house.cwd, "AGENTS.md", "be kind\u200b\u202e\U000e0041")
    house.skill(house.cwd / ".pi" / "skills", "tidy", "Tidies.\U000e0041\u200b")
    text = house.prompt()
    assert "be kind\n</instructions>" in text and "<description>Tidies.</description>" in text


def test_a_long_instruction_file_is_cut_with_a_notice(house: House) -> None:
    house.write(house.cwd, "AGENTS.md", "line\n" * 20_000)
    text = house.prompt()
    assert "[cut here: only the first 65535 bytes are shown" in text
    assert "AGENTS.md is longer than 65536 bytes" in house.builder.problems[0]


def test_snippets_are_one_line_and_guidelines_stand_once(house: House) -> None:
    tools = [
        make_tool("write", "Write\n a file", "Read first", "Be brief"),
        make_tool("edit", "", "Read first "),
        make_tool("bash", "Run it"),
    ]
    text = house.prompt(*tools)
    assert "Tools:\n- bash: Run it\n- write: Write a file\n" in text
    assert "Guidelines:\n- Read first\n- Be brief\n" in text


NAMES = st.sampled_from(["read", "bash", "edit", "zap", "ls"])
TOOLS = st.lists(
    st.tuples(NAMES, st.text("ab\n", max_size=4), st.lists(st.sampled_from("xyz"), max_size=3)),
    unique_by=lambda t: t[0],
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tools=TOOLS, seed=st.integers())
def test_no_order_of_anything_changes_a_byte(
    house: House, tools: list[Any], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    import os

    kernel = house.builder._kernel
    for name in ("one", "two", "three"):
        house.skill(house.agent_dir / "skills" / "group", name)
    house.skill(house.home / ".agents" / "skills", "one")
    for folder in ("x", "y"):
        text = f"---\nname: twice\ndescription: From {folder}.\n---\n"
        house.write(house.agent_dir / "skills" / "group" / folder, "SKILL.md", text)
        house.write(house.home / "site" / f"pi_test_{folder}", "__init__.py", "")
        house.write(house.home / "site" / f"pi_test_{folder}" / "packed", "SKILL.md", text.replace("twice", "packed"))
    monkeypatch.setattr(sys, "path", [str(house.home / "site"), *sys.path])
    resources = [Resource("skill", "pi_test_x"), Resource("skill", "pi_test_y"), Resource("theme", "pi_api")]
    made = [make_tool(name, snippet, *rules) for name, snippet, rules in tools]
    shuffle = random.Random(seed)
    listdir = os.listdir

    def build(mixed: bool) -> str:
        kernel.registry.forget("test")
        given = list(made)
        order = list(resources)
        if mixed:
            shuffle.shuffle(given)
            shuffle.shuffle(order)
        for resource in order:
            kernel.registry.add(RESOURCES, resource, "test")
        return house.prompt(*given)

    expected = build(mixed=False)
    with monkeypatch.context() as patch:
        patch.setattr(os, "listdir", lambda path: shuffle.sample(names := listdir(path), len(names)))
        assert build(mixed=True) == expected
