"""Every contract test can fail: what breaks one rule is found by the test of that rule."""

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from pi_api import ErrorKind, ProviderFailure, Request, SettingsSection, Text, Tool, ToolError, ToolResult
from pi_api.shell import ShellHost, ShellOutcome
from pi_api.stream import Done, Failed, Start, StreamEvent, TextDelta, TextEnd, TextStart
from pi_testkit import FAKE_MODEL, Call, Fail, FakeProvider, FakeToolContext, Turn, build_message
from pi_testkit.contracts import ProviderContract, SettingsContract, ShellTierContract, ToolContract
from pydantic import BaseModel, Field


async def broken_by(test: Callable[..., Any], *arguments: Any) -> bool:
    """Whether a contract test finds fault."""
    try:
        made = test(*arguments)
        if inspect.isawaitable(made):
            await made
    except (AssertionError, pytest.fail.Exception, Exception) as found:
        return not isinstance(found, TypeError) or "argument" not in str(found)
    return False


async def fine(params: dict[str, Any], context: Any) -> ToolResult:
    return ToolResult.text("fine")


GOOD_TOOL = Tool("word_count", "Count the words of a text.", {"text": {"type": "string"}}, fine)
GOOD_CALL: dict[str, Any] = {"text": "a"}


def running(answer: Any) -> Tool:
    async def run(params: dict[str, Any], context: Any) -> Any:
        if isinstance(answer, BaseException):
            raise answer
        return answer

    return replace(GOOD_TOOL, run=run)


async def deaf(params: dict[str, Any], context: Any) -> ToolResult:
    try:
        await asyncio.sleep(3600)
    except asyncio.CancelledError:
        return ToolResult.text("so what")
    return ToolResult.text("")


NAME = ToolContract.test_the_name_suits_every_provider
SNIPPET = ToolContract.test_the_snippet_is_one_short_line
GUIDELINES = ToolContract.test_guidelines_are_single_lines_that_name_the_tool
SCHEMA = ToolContract.test_the_schema_is_a_valid_json_schema_of_an_object
CALL = ToolContract.test_a_good_call_is_valid_and_answers
REFUSAL = ToolContract.test_a_refusal_is_a_tool_error_that_explains_itself
CANCEL = ToolContract.test_a_cancelled_call_ends
GIVEN = (FakeToolContext(Path()), GOOD_CALL)
NEEDS_A = {"type": "object", "required": ["a"]}
BROKEN_TOOLS: list[tuple[str, Callable[..., Any], Tool, tuple[Any, ...]]] = [
    ("name", NAME, replace(GOOD_TOOL, name="word count"), ()),
    ("long name", NAME, replace(GOOD_TOOL, name="x" * 65), ()),
    ("description", ToolContract.test_the_description_says_something, replace(GOOD_TOOL, description="Counts."), ()),
    ("snippet", SNIPPET, replace(GOOD_TOOL, snippet="a\nb"), ()),
    ("long snippet", SNIPPET, replace(GOOD_TOOL, snippet="x" * 161), ()),
    ("guideline", GUIDELINES, replace(GOOD_TOOL, guidelines=("Be nice",)), ()),
    ("type", SCHEMA, replace(GOOD_TOOL, parameters={"a": {"type": "text"}}), ()),
    ("required", SCHEMA, replace(GOOD_TOOL, parameters=NEEDS_A), ()),
    ("no JSON", SCHEMA, replace(GOOD_TOOL, parameters={"a": {"enum": (1, 2)}}), ()),
    ("invalid call", CALL, GOOD_TOOL, (FakeToolContext(Path()), {})),
    ("no result", CALL, running(None), GIVEN),
    ("empty result", CALL, running(ToolResult(())), GIVEN),
    ("huge result", CALL, running(ToolResult.text("x" * 70_000)), GIVEN),
    ("details", CALL, running(ToolResult.text("x", details={1: 2})), GIVEN),
    ("raises", CALL, running(ToolError("no, not this one at all")), GIVEN),
    ("no refusal", REFUSAL, GOOD_TOOL, GIVEN),
    ("short refusal", REFUSAL, running(ToolError("no")), GIVEN),
    ("raw refusal", REFUSAL, running(ToolError("[Errno 2] No such file or directory: 'a'")), GIVEN),
    ("accepts anything", ToolContract.test_wrong_arguments_do_not_pass_the_schema, GOOD_TOOL, (GOOD_CALL,)),
    ("ends at once", CANCEL, GOOD_TOOL, GIVEN),
    ("deaf", CANCEL, replace(GOOD_TOOL, run=deaf), GIVEN),
]  # fmt: skip


@pytest.mark.parametrize(("test", "tool", "rest"), [c[1:] for c in BROKEN_TOOLS], ids=[c[0] for c in BROKEN_TOOLS])
async def test_a_broken_tool_is_found(test: Callable[..., Any], tool: Tool, rest: tuple[Any, ...]) -> None:
    assert await broken_by(test, ToolContract(), tool, *rest)


class Scripted(FakeProvider):
    """A provider that streams exactly the events it is given."""

    def __init__(self, *events: Any, raises: BaseException | None = None) -> None:
        super().__init__()
        self.events = events
        self.raises = raises

    async def stream(self, request: Request, **hooks: Any) -> AsyncIterator[StreamEvent]:
        for event in self.events:
            yield event
        if self.raises:
            raise self.raises


DONE = Done(build_message(FAKE_MODEL, "hello"))
FAILED = Failed(
    build_message(FAKE_MODEL, stop="error", error_message="m", error_kind="network"),
    ProviderFailure(ErrorKind.NETWORK, "m"),
)
ENDS = ProviderContract.test_a_good_answer_ends_in_one_done
ADDS_UP = ProviderContract.test_the_pieces_add_up_to_the_message
FAILS = ProviderContract.test_a_failure_is_the_last_event_and_nothing_is_raised
HELLO = (Start(), TextStart(0), TextDelta(0, "hel"), TextDelta(0, "lo"), TextEnd(0, "hello"))
BROKEN_PROVIDERS: list[tuple[str, Callable[..., Any], FakeProvider]] = [
    ("no end", ENDS, Scripted(*HELLO)),
    ("two ends", ENDS, Scripted(*HELLO, DONE, DONE)),
    ("fails", ENDS, Scripted(FAILED)),
    ("another model's answer", ENDS, Scripted(Done(replace(DONE.message, model="x")))),
    ("call without saying so", ENDS, Scripted(Done(replace(DONE.message, stop_reason="toolUse")))),
    ("no start", ADDS_UP, Scripted(*HELLO[1:], DONE)),
    ("a piece is missing", ADDS_UP, Scripted(*HELLO[:2], *HELLO[3:], DONE)),
    ("never closed", ADDS_UP, Scripted(*HELLO[:4], DONE)),
    ("wrong index", ADDS_UP, Scripted(Start(), TextStart(1), TextDelta(1, "hello"), TextEnd(1, "hello"), DONE)),
    ("another text", ADDS_UP, Scripted(*HELLO, Done(build_message(FAKE_MODEL, Text("bye"))))),
    ("raises", FAILS, Scripted(raises=OSError("socket"))),
    ("does not fail", FAILS, Scripted(*HELLO, DONE)),
    ("no error text", FAILS, Scripted(Failed(replace(FAILED.message, error_message=None), FAILED.failure))),
    ("another kind", FAILS, Scripted(Failed(replace(FAILED.message, error_kind="auth"), FAILED.failure))),
    ("no payload", ProviderContract.test_hooks_see_the_payload_and_the_response, Scripted(*HELLO, DONE)),
]
ASKING = Request(FAKE_MODEL, "", ())


@pytest.mark.parametrize(("test", "provider"), [c[1:] for c in BROKEN_PROVIDERS], ids=[c[0] for c in BROKEN_PROVIDERS])
async def test_a_broken_provider_is_found(test: Callable[..., Any], provider: FakeProvider) -> None:
    assert await broken_by(test, ProviderContract(), provider, ASKING)


async def test_a_provider_that_shows_keys_or_shares_models_is_found() -> None:
    class Telling(FakeProvider):
        secret_variables = ("lower_case",)

        def unavailable(self, env: Mapping[str, str]) -> str | None:
            return f"bad key {env.get('KEY')}" if "KEY" in env else "no"

        def models(self) -> Sequence[Any]:
            return [FAKE_MODEL, FAKE_MODEL]

    telling = Telling()
    telling.secret_variables = ("lower_case",)
    contract = ProviderContract()
    for test in (
        contract.test_it_never_shows_a_key,
        contract.test_its_models_are_its_own_and_have_different_ids,
        contract.test_it_says_in_a_sentence_why_it_cannot_be_used,
        contract.test_the_variables_of_its_keys_are_names,
    ):
        assert await broken_by(test, telling), test.__name__


async def test_a_stream_left_open_is_found() -> None:
    class Counting(ProviderContract):
        def open_connections(self, provider: Any) -> int:
            return 1

    for name in ("test_leaving_a_stream_early_closes_it", "test_cancelling_a_stream_closes_it"):
        assert await broken_by(getattr(Counting(), name), FakeProvider(["a", "b"]), ASKING), name
        assert not await broken_by(getattr(ProviderContract(), name), FakeProvider(["a", "b"]), ASKING), name


class BadShell:
    """Does everything wrong: no output, exit code 1, another directory, and it hangs on to what it runs."""

    name = ""

    def unavailable(self, env: Mapping[str, str]) -> str | None:
        return "no"

    def open(self, host: ShellHost) -> Any:
        return self

    async def run(self, request: Any, on_output: Any) -> ShellOutcome:
        await on_output(b"x")
        return ShellOutcome("exited", 1, Path("/elsewhere"), "bad")

    async def close(self) -> None:
        raise RuntimeError("cannot close")


def shell_tests() -> list[str]:
    return [name for name in vars(ShellTierContract) if name.startswith("test_")]


@pytest.mark.parametrize("name", shell_tests())
async def test_a_broken_shell_tier_is_found(name: str, tmp_path: Path) -> None:
    test = getattr(ShellTierContract(), name)
    given = {"tier": BadShell(), "shell": BadShell(), "tmp_path": tmp_path}
    assert await broken_by(test, *(given[one] for one in inspect.signature(test).parameters))


class BadSettings(BaseModel):
    """A section with a field that must be given and one nobody describes."""

    needed: int = Field(description="a number")
    mute: int = 1


class MuteSettings(BaseModel):
    """A section with a field nobody describes."""

    mute: int = 1


@dataclass(frozen=True)
class PlainSettings:
    """A section without pydantic, with a field nobody describes."""

    a: dict[str, int] = field(default_factory=dict)


SECTIONS = [
    (SettingsContract.test_the_model_is_found_under_its_dotted_name, "x", "json:loads", ()),
    (SettingsContract.test_every_field_has_a_default, "x", "bad_settings:BadSettings", ()),
    (SettingsContract.test_every_field_is_described, "x", "bad_settings:MuteSettings", ()),
    (SettingsContract.test_every_field_is_described, "x", "bad_settings:PlainSettings", ()),
    (SettingsContract.test_environment_variables_lead_to_fields, "x", "bad_settings:PlainSettings", (("PI_X", "a.b"),)),
    (SettingsContract.test_environment_variables_lead_to_fields, "x", "bad_settings:MuteSettings", (("PI_X", "nope"),)),
    (SettingsContract.test_environment_variables_lead_to_fields, "x", "bad_settings:MuteSettings", (("pi_x", "mute"),)),
]


@pytest.mark.parametrize(("test", "name", "model", "env"), SECTIONS)
async def test_a_broken_settings_section_is_found(
    test: Callable[..., Any], name: str, model: str, env: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys
    from types import ModuleType

    module = ModuleType("bad_settings")
    vars(module).update({"BadSettings": BadSettings, "MuteSettings": MuteSettings, "PlainSettings": PlainSettings})
    monkeypatch.setitem(sys.modules, "bad_settings", module)
    assert await broken_by(test, SettingsContract(), SettingsSection(name, model, env=env))


async def test_what_keeps_the_contract_is_not_found_fault_with() -> None:
    contract = ToolContract()
    assert not await broken_by(contract.test_the_name_suits_every_provider, GOOD_TOOL)
    assert not await broken_by(
        contract.test_a_good_call_is_valid_and_answers, GOOD_TOOL, FakeToolContext(Path()), GOOD_CALL
    )
    script = [Turn("hello", Call("read"))] * 2
    assert not await broken_by(ProviderContract().test_the_pieces_add_up_to_the_message, FakeProvider(script), ASKING)
    assert not await broken_by(FAILS, ProviderContract(), FakeProvider([Turn("half", Fail())]), ASKING)
