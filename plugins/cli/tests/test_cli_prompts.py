"""What the first message is made of."""

import base64
import os
import sys
import threading
from pathlib import Path

import pytest
from pi_api import Image, Prompt, UsageError
from pi_cli import prompts
from pi_cli.prompts import build_prompts

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a b.md").write_bytes("\ufeffzażółć\r\n".encode())
    (tmp_path / "empty.txt").write_bytes(b"")
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9")
    (tmp_path / "dot.jpg").write_bytes(PNG)
    return tmp_path


def shown(folder: Path, name: str, body: str) -> str:
    return f'<file name="{folder / name}">{body}</file>'


def test_standard_input_files_and_the_first_word_make_one_message(folder: Path) -> None:
    first, second = build_prompts("piped\n", ["a b.md"], ["explain", "and again"], folder)
    assert first == Prompt(
        f"piped\n\n\n{shown(folder, 'a b.md', chr(10) + 'zażółć' + chr(13) + chr(10) + chr(10))}\n\nexplain"
    )
    assert second == Prompt("and again")


@pytest.mark.parametrize("stdin", ["", " \n"])
def test_nothing_said_is_no_prompt(folder: Path, stdin: str) -> None:
    assert build_prompts(stdin, [], [], folder) == []
    assert build_prompts(stdin, ["empty.txt"], [], folder) == []


@pytest.mark.parametrize("messages", [[""], ["  ", "\n"]])
def test_a_blank_message_is_no_prompt(folder: Path, messages: list[str]) -> None:
    assert build_prompts("", [], messages, folder) == []
    assert build_prompts("", [], [*messages, "ask"], folder) == [Prompt("ask")]


@pytest.mark.skipif(sys.platform == "win32", reason="needs named pipes in the file system")
def test_what_comes_out_of_a_pipe_is_a_file_too(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    writer = threading.Thread(target=(folder / "pipe").write_text, args=("from a process",), daemon=True)
    writer.start()
    (prompt,) = build_prompts("", ["pipe"], [], folder)
    writer.join(60)
    assert "from a process" in prompt.text and "left out" not in prompt.text


def test_an_image_is_told_by_its_content_and_attached(folder: Path) -> None:
    (prompt,) = build_prompts("", ["dot.jpg"], ["what is it"], folder)
    assert prompt.images == (Image(base64.b64encode(PNG).decode(), "image/png"),)
    assert prompt.text == f"{shown(folder, 'dot.jpg', '')}\n\nwhat is it"


def test_bytes_that_are_no_utf_8_never_fail(folder: Path) -> None:
    (prompt,) = build_prompts("", ["latin.txt"], [], folder)
    assert "caf\ufffd" in prompt.text


def test_a_large_file_is_cut_and_the_rest_counted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prompts, "TEXT_LIMIT", 4)
    (folder / "big.txt").write_text("123456789", "utf-8")
    (prompt,) = build_prompts("", ["big.txt"], [], folder)
    assert "\n1234\n[5 more bytes left out]" in prompt.text


def test_a_huge_image_is_only_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prompts, "IMAGE_LIMIT", len(PNG) - 1)
    (prompt,) = build_prompts("", ["dot.jpg"], [], folder)
    assert prompt.images == ()
    assert "left out" in prompt.text


@pytest.mark.parametrize("name", ["missing.md", "."])
def test_a_file_that_cannot_be_read_is_named(folder: Path, name: str) -> None:
    with pytest.raises(UsageError, match=f"@{name}"):
        build_prompts("", [name], [], folder)
