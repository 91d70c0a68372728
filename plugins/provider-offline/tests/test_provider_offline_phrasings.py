"""What people say, the tools that are called for it, and the answers, on a real directory."""

import json
import os
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
from pi_provider_offline.understanding import intents, understand

CASES = tomllib.loads((Path(__file__).parent / "phrasings.toml").read_text(encoding="utf-8"))["case"]


def usable(case: dict[str, Any], kind: str) -> None:
    """Skip what these tools cannot show."""
    if kind == "real" and case.get("plain"):
        pytest.skip("the output of this command is prepared; a real shell would give another")
    if kind == "real" and case.get("posix") and (os.name == "nt" or shutil.which("bash") is None):
        pytest.skip("needs bash")


@pytest.mark.parametrize("case", CASES, ids=[case["ask"][:48] for case in CASES])
async def test_a_request_is_answered_by_calling_tools(
    case: dict[str, Any], talk: Any, project: Path, request: pytest.FixtureRequest
) -> None:
    usable(case, request.node.callspec.params["talk"])
    (project.parent / "bash.json").write_text(json.dumps(case.get("bash", {})), encoding="utf-8")
    answer = await talk.ask(case["ask"])
    made = [(call.name, call.arguments) for call in talk.calls]
    wanted = [next(iter(call.items())) for call in case["calls"]]
    first_of_each = [call for place, call in enumerate(made) if not goes_on(made, place)]
    assert [name for name, _ in first_of_each] == [name for name, _ in wanted], made
    for (_, arguments), (_, expected) in zip(first_of_each, wanted, strict=True):
        assert {name: arguments.get(name) for name in expected} == expected
    for said in case["says"]:
        assert said in answer
    for said in case.get("lacks", []):
        assert said not in answer
    for name, content in case.get("files", {}).items():
        assert (project / name).read_bytes() == content.encode()


def goes_on(made: list[tuple[str, dict[str, Any]]], place: int) -> bool:
    """This call reads on in the file that the call before it read."""
    (before, earlier), (name, arguments) = made[max(place - 1, 0)], made[place]
    return place > 0 and before == name == "read" and earlier["path"] == arguments["path"] and "offset" in arguments


def test_there_are_enough_phrasings() -> None:
    assert len(CASES) >= 60


@pytest.mark.parametrize("intent", intents(), ids=lambda intent: intent.name)
def test_the_examples_of_each_intent_are_understood_as_it(intent: Any) -> None:
    for example in intent.examples:
        found = understand(example)
        assert found is not None, example
        assert found.intent.name == intent.name, example


@pytest.mark.parametrize(
    "dressed",
    [
        "{}?", "{}!", "  {}  ", "please {}", "Please, {}.", "could you {}", "can you please {} for me?", "Hey pi, {}",
        "ok, now {}", "I want you to {}", "{}, please", "{} thanks", "PLEASE {}",
    ],
)  # fmt: skip
@pytest.mark.parametrize("plainly", ["find TODO in src", "count the python files", "read docs/guide.md", "ls"])
def test_courtesies_and_marks_change_nothing(dressed: str, plainly: str) -> None:
    expected, found = understand(plainly), understand(dressed.format(plainly))
    assert found is not None
    assert expected is not None
    assert (found.intent, found.slots) == (expected.intent, expected.slots)


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ('create a file a.txt with "Please? Yes!"', {"path": "a.txt", "text": "Please? Yes!"}),
        ("create a file a.txt with “curly”", {"path": "a.txt", "text": "curly"}),
        ("replace 'a b' with `c d` in f.py", {"old": "a b", "new": "c d", "path": "f.py"}),
        ("READ Docs/Guide.MD", {"path": "Docs/Guide.MD"}),
        ("ls ..", {"dir": ".."}),
        ("what is in .", {"dir": "."}),
        (r"read C:\code\a.py", {"path": r"C:\code\a.py"}),
        ("read ~/notes.txt", {"path": "~/notes.txt"}),
    ],
)
def test_slots_keep_what_the_user_wrote(text: str, slots: dict[str, str]) -> None:
    found = understand(text)
    assert found is not None
    assert dict(found.slots) == slots
