"""Conversations of several turns: what was spoken of, what stands around a request, tools that fail or are absent."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from pi_api.messages import AssistantMessage, Text, ToolCall, ToolResultMessage, UserMessage
from pi_api.provider import Request, ToolSchema
from pi_api.stream import Done, TextDelta, ToolCallDelta
from pi_api.usage import Usage
from pi_provider_offline.conversation import next_move
from pi_provider_offline.provider import MODEL, OfflineProvider
from pi_provider_offline.work import Step

FOOTER = "(This is the offline model."


async def test_it_says_once_who_it_is(talk: Any) -> None:
    assert FOOTER in await talk.ask("find TODO")
    assert FOOTER not in await talk.ask("read config.toml")
    assert FOOTER not in await talk.ask("hello")


@pytest.mark.parametrize("question", ["hello", "who are you?", "what can you do"])
async def test_it_does_not_say_it_twice_in_one_answer(talk: Any, question: str) -> None:
    assert FOOTER not in await talk.ask(question)


async def test_it_is_the_file_spoken_of_last(talk: Any) -> None:
    await talk.ask("read docs/guide.md")
    answer = await talk.ask("how many words are in it?")
    assert "(“it” is `docs/guide.md`.)" in answer
    assert "has 7 words" in answer
    await talk.ask("replace five with six in docs/guide.md")
    assert "The timeout is six seconds." in await talk.ask("show that file")


async def test_a_file_can_be_changed_step_by_step(talk: Any, project: Path) -> None:
    await talk.ask('create a file list.txt with "one"')
    assert "I could not create" in await talk.ask('create a file src with "x"')
    await talk.ask('append "two" to list.txt')
    await talk.ask('append "three" to list.txt')
    await talk.ask("replace two with 2 in list.txt")
    assert (project / "list.txt").read_text(encoding="utf-8") == "one\n2\nthree\n"
    assert "has 3 lines" in await talk.ask("how many lines does list.txt have?")


async def test_a_replacement_is_one_edit_however_often_and_wherever(talk: Any, project: Path) -> None:
    text = "a same\nb\nsame same\n" * 3
    (project / "many.txt").write_text(text, encoding="utf-8", newline="\n")
    assert "9 times" in await talk.ask("replace same with other in many.txt")
    assert (project / "many.txt").read_text(encoding="utf-8") == text.replace("same", "other")
    assert [call.name for call in talk.calls].count("edit") == 1


async def test_long_files_are_read_to_their_end(talk: Any, project: Path) -> None:
    lines = "\n".join(f"line {n}" for n in range(1, 203))
    (project / "long.txt").write_text(lines + "\n\n\n", encoding="utf-8", newline="\n")
    assert "`long.txt` has 204 lines" in await talk.ask("how many lines does long.txt have")
    assert "line 202" in await talk.ask("show the last 3 lines of long.txt")


async def test_git_questions_on_a_real_repository(talk: Any, project: Path, request: pytest.FixtureRequest) -> None:
    if request.node.callspec.params["talk"] == "plain":
        pytest.skip("the plain tools have no shell")
    if os.name == "nt" or shutil.which("bash") is None or shutil.which("git") is None:
        pytest.skip("needs bash and git")
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.invalid"]
    for words in (["init", "-q", "-b", "trunk"], ["add", "."], [*identity, "commit", "-q", "-m", "All of it"]):
        subprocess.run(["git", *words], cwd=project, check=True, env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull})
    assert "trunk" in await talk.ask("which branch am I on?")
    assert "There are no unstaged changes." in await talk.ask("git diff")
    await talk.ask("replace 8080 with 9090 in config.toml")
    assert " M config.toml" in await talk.ask("what changed?")
    assert "+port = 9090" in await talk.ask("show the diff")
    assert "All of it" in await talk.ask("show the last 2 commits")
    assert "config.toml" in await talk.ask("what was the last commit?")


async def test_empty_files_and_directories(talk: Any, project: Path) -> None:
    (project / "empty.txt").write_text("", encoding="utf-8")
    (project / "hollow").mkdir()
    assert "has 0 lines" in await talk.ask("how many lines does empty.txt have?")
    assert "`empty.txt` has nothing to show" in await talk.ask("read empty.txt")
    assert "`hollow` is empty." in await talk.ask("list the files in hollow")
    assert "are 0 files in `hollow`" in await talk.ask("how many files are in hollow?")


async def test_a_file_that_ends_with_a_bracketed_line_is_counted_whole(talk: Any, project: Path) -> None:
    (project / "unit.ini").write_text("[Unit]\na=1\n\n[Install]\n", encoding="utf-8")
    assert "has 4 lines" in await talk.ask("how many lines does unit.ini have?")


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("what is in the directory nowhere?", "I cannot list `nowhere`"),
        ("how many files are in nowhere", "Looking for files in `nowhere` failed"),
        ("which files mention x in nowhere", "Searching `nowhere` failed"),
        ("count lines of nowhere.txt", "I cannot read `nowhere.txt`"),
        ("replace a with b in nowhere.txt", "I cannot read `nowhere.txt`"),
        ("append x to nowhere.txt", "I cannot read `nowhere.txt`"),
        ("overwrite src with x", "I could not write `src`"),
        ("show the first lines of nowhere.txt", "I cannot read `nowhere.txt`"),
        ("show the last lines of nowhere.txt", "I cannot read `nowhere.txt`"),
        ("how many folders are in nowhere", "I cannot list `nowhere`"),
    ],
)
async def test_a_tool_that_fails_is_told_in_its_own_words(talk: Any, question: str, says: str) -> None:
    answer = await talk.ask(question)
    assert says in answer
    assert "```" in answer


@pytest.mark.parametrize(
    ("question", "tools", "says"),
    [
        ("find TODO", ["read"], "To search files I need the tool `grep` or `bash`"),
        ("how many python files are there", [], "I need the tool `find` or `bash`"),
        ("run the tests", ["ls"], "To run a command I need the tool `bash`"),
        ("read config.toml", ["ls"], "I need the tool `read` or `bash`"),
        ("create a file x.txt with y", ["read"], "I need the tool `write`"),
        ("replace 8080 with 1 in config.toml", ["read"], "I need the tool `edit`"),
        ("how big is config.toml", ["read"], "`config.toml` holds about 36 bytes of text in 3 lines."),
        ("read nothing.txt", ["read"], "I cannot read `nothing.txt`"),
        ("hello", [], "Hello."),
    ],
)
async def test_without_a_tool_it_says_which_it_needs(talk: Any, question: str, tools: list[str], says: str) -> None:
    assert says in await talk.ask(question, tools)


@pytest.mark.parametrize(
    ("question", "command"),
    [
        ("how many python files are there in src", "find src -type f -name '*.py' -not -path '*/.git/*'"),
        ("find TODO", "grep -rnIF --exclude-dir=.git -e TODO -- ."),
        ("grep todo src", "grep -rnIF --exclude-dir=.git -i -e todo -- src"),
        ("what is in this directory", "ls -Ap -- ."),
        ("show the first 3 lines of 'my file'", "sed -n 1,3p -- 'my file'"),
        ("count lines of a.py", "wc -l -- a.py"),
        ("read a.py", "sed -n '1,$p' -- a.py"),
        ("create a directory -x", "mkdir -p -- -x"),
    ],
)
def test_the_shell_does_what_other_tools_would(question: str, command: str) -> None:
    step = next_move((UserMessage(question, 0),), frozenset({"bash"}))
    assert isinstance(step, Step)
    assert [(call.tool, call.arguments) for call in step.calls] == [("bash", {"command": command})]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('<file name="/p/a.md">\n# One\n</file>\n\nhow many lines does this file have?', "(“this file” is `/p/a.md`.)"),
        ("some text\nthat was piped in\nfind TODO", "I took the last line for the request: “find TODO”."),
    ],
)
async def test_what_stands_around_a_request_is_not_the_request(talk: Any, text: str, says: str) -> None:
    assert says in await talk.ask(text)


async def test_a_file_attached_without_a_word_is_read(talk: Any, project: Path) -> None:
    path = project / "config.toml"
    answer = await talk.ask(f'<file name="{path}">\nport = 8080\n</file>')
    assert "port = 8080" in answer
    assert [call.arguments["path"] for call in talk.calls] == [str(path)]


def test_messages_of_plugins_behind_the_users_own_are_passed_over() -> None:
    step = next_move((UserMessage("find TODO", 0), UserMessage("The date is Tuesday.", 0)), frozenset({"grep"}))
    assert isinstance(step, Step)


def answer(*calls: ToolCall, text: str = "") -> AssistantMessage:
    content = (*((Text(text),) if text else ()), *calls)
    return AssistantMessage(content, "offline", "offline", "offline", Usage(), "toolUse" if calls else "stop", 0)


def test_a_request_made_while_tools_run_replaces_the_one_before() -> None:
    call = ToolCall("1", "grep", {})
    history = (
        UserMessage("find TODO", 0),
        answer(call),
        ToolResultMessage("1", "grep", (Text("a.py\n1: TODO"),), False, 0),
        UserMessage("read a.py", 0),
    )
    step = next_move(history, frozenset({"grep", "read"}))
    assert isinstance(step, Step)
    assert [call.tool for call in step.calls] == ["read"]


def test_a_call_without_a_result_counts_as_failed() -> None:
    history = (UserMessage("what is in src", 0), answer(ToolCall("1", "ls", {})))
    assert "The call was interrupted." not in str(next_move(history, frozenset({"ls", "read"})))
    history = (UserMessage("ls", 0), answer(ToolCall("1", "ls", {})))
    assert "The call was interrupted." in str(next_move(history, frozenset({"ls"})))


@pytest.mark.parametrize(
    ("output", "says"),
    [
        ("Exit status 1.", "“xyz” does not occur in this directory."),
        ("", "“xyz” does not occur in this directory."),
        ("grep: nowhere: No such file or directory\nExit status 2.", "Searching this directory failed"),
    ],
)
def test_a_shell_that_found_nothing_has_not_failed(output: str, says: str) -> None:
    call = ToolCall("1", "bash", {})
    found = ToolResultMessage("1", "bash", (Text(output),), True, 0)
    assert says in str(next_move((UserMessage("search for xyz", 0), answer(call), found), frozenset({"bash"})))


def test_nothing_asked_is_answered_with_what_can_be_asked() -> None:
    assert "I do not understand" in str(next_move((), frozenset()))


async def events_of(text: str, *before: Any) -> list[Any]:
    grep = ToolSchema("grep", "", {"type": "object", "properties": {}})
    request = Request(MODEL, "You are pi.", (*before, UserMessage(text, 0)), (grep,))
    return [event async for event in OfflineProvider(env={}).stream(request)]


async def test_answers_come_in_small_pieces_and_are_the_same_each_time() -> None:
    events = await events_of("what can you do")
    pieces = [event.delta for event in events if isinstance(event, TextDelta)]
    assert len(pieces) > 20
    assert max(map(len, pieces)) <= 17
    again = await events_of("what can you do")
    assert again[:-1] == events[:-1]
    calls = [event.delta for event in await events_of("find TODO") if isinstance(event, ToolCallDelta)]
    assert len(calls) > 2


async def test_usage_is_simulated_and_grows_with_the_conversation() -> None:
    (*_, first) = await events_of("find TODO")
    (*_, later) = await events_of("find TODO", UserMessage("hello", 0), answer(text="Hello."))
    assert isinstance(first, Done) and isinstance(later, Done)
    assert first.message.usage.input > 0
    assert first.message.usage.output > 0
    assert first.message.usage.cache_read == 0 < later.message.usage.cache_read
    used = later.message.usage
    assert used.total_tokens == used.input + used.output + used.cache_read
    assert used.cost.total == 0
