"""A project to ask about, tools to answer with, and the loop between them and the model."""

import importlib.util
import json
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from pi_api.messages import AssistantMessage, Message, ToolCall, ToolResultMessage, UserMessage
from pi_api.provider import Request, ToolSchema
from pi_api.stream import Done
from pi_api.tool import Tool, ToolError, ToolResult
from pi_provider_offline.provider import MODEL, OfflineProvider
from pi_testkit import FakeToolContext

HERE = Path(__file__).parent
NAMES = ("bash", "edit", "find", "grep", "ls", "read", "write")
TURNS = 80
PAGE = 5


@dataclass
class Talk:
    """A conversation with the offline model, its tools run in `cwd`."""

    cwd: Path
    tools: dict[str, Tool]
    context: FakeToolContext
    provider: OfflineProvider
    messages: list[Message] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)

    async def ask(self, text: str, tools: Iterable[str] = NAMES) -> str:
        """Say something, run the calls that follow, give the answer; `calls` holds those calls."""
        offered = {name: self.tools[name] for name in tools if name in self.tools}
        self.messages.append(UserMessage(text, 0))
        self.calls.clear()
        for _ in range(TURNS):
            answer = await self.turn(offered)
            self.messages.append(answer)
            if not answer.tool_calls:
                return answer.text
            for call in answer.tool_calls:
                self.calls.append(call)
                self.messages.append(await self.result(offered, call))
        raise AssertionError(f"still calling tools after {TURNS} turns: {self.calls[-1]}")

    async def turn(self, offered: Mapping[str, Tool]) -> AssistantMessage:
        schemas = [ToolSchema(tool.name, tool.description, tool.schema) for tool in offered.values()]
        events = [event async for event in self.provider.stream(Request(MODEL, "", tuple(self.messages), schemas))]
        assert isinstance(events[-1], Done), events[-1]
        return events[-1].message

    async def result(self, offered: Mapping[str, Tool], call: ToolCall) -> ToolResultMessage:
        assert call.name in offered, f"{call.name} was not offered"
        schema = offered[call.name].schema
        assert set(schema["required"]) <= set(call.arguments) <= set(schema["properties"]), call
        try:
            result = await offered[call.name].run(call.arguments, self.context)
        except ToolError as error:
            result = ToolResult.text(str(error), is_error=True)
        return ToolResultMessage(call.id, call.name, result.content, result.is_error, 0)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The project of tree.toml in a folder of its own."""
    root = tmp_path / "project"
    for name, content in tomllib.loads((HERE / "tree.toml").read_text(encoding="utf-8")).items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8", newline="\n")
    return root


@pytest.fixture(params=["plain", "real"])
def talk(request: pytest.FixtureRequest, project: Path, plugin_host: Callable[..., Any]) -> Talk:
    """A conversation; once with plain tools of these tests, once with the tools of pi where they are installed."""
    provider = OfflineProvider(env={})
    if request.param == "plain":
        tools = {tool.name: tool for tool in PlainTools(project).all()}
        return Talk(project, tools, FakeToolContext(project), provider)
    modules = [f"pi_tool_{name}.plugin" for name in NAMES]
    missing = [module for module in modules if importlib.util.find_spec(module.partition(".")[0]) is None]
    if missing:
        pytest.skip(f"not installed here: {', '.join(missing)}")
    shell = ["pi_shell_posix.plugin"] if importlib.util.find_spec("pi_shell_posix") else []
    host = plugin_host(*modules, *shell, cwd=project)
    tools = {name: host.tool(name) for name in NAMES}
    return Talk(project, tools, FakeToolContext(project, session=host.session()), provider)


class PlainTools:
    """The least that tools of these names must do; `bash` knows what was prepared in `bash.json` beside the project."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def path_of(self, params: Mapping[str, Any]) -> Path:
        path = self.root / params.get("path", ".")
        if not path.exists():
            raise ToolError(f"{params.get('path')} does not exist")
        return path

    def files(self, base: Path, glob: str) -> list[str]:
        found = [base] if base.is_file() else [one for one in base.rglob(glob) if one.is_file()]
        return sorted(one.relative_to(self.root).as_posix() for one in found)

    def ls(self, params: Mapping[str, Any]) -> str:
        path = self.path_of(params)
        if not path.is_dir():
            raise ToolError(f"{params['path']} is no directory")
        return "\n".join(sorted(one.name + "/" * one.is_dir() for one in path.iterdir())) or "(empty)"

    def find(self, params: Mapping[str, Any]) -> str:
        return "\n".join(self.files(self.path_of(params), params["pattern"])) or "No files found matching pattern"

    def grep(self, params: Mapping[str, Any]) -> str:
        wanted, fold = params["pattern"], str.lower if params.get("ignoreCase") else str
        rows = [
            f"{name}:{number}: {line}"
            for name in self.files(self.path_of(params), params.get("glob", "*"))
            for number, line in enumerate((self.root / name).read_text(encoding="utf-8").splitlines(), 1)
            if fold(wanted) in fold(line)
        ]
        return "\n".join(rows) or "No matches found"

    def read(self, params: Mapping[str, Any]) -> str:
        path = self.path_of(params)
        if path.is_dir():
            raise ToolError(f"{params['path']} is a directory")
        lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
        first = params.get("offset", 1)
        last = first + min(params.get("limit", PAGE), PAGE) - 1
        more = f"\n\n[Lines {first}-{last} of {len(lines)} shown. Go on with offset={last + 1}.]"
        return "\n".join(lines[first - 1 : last]) + (more if last < len(lines) else "")

    def write(self, params: Mapping[str, Any]) -> str:
        path = self.root / params["path"]
        if path.is_dir():
            raise ToolError(f"{params['path']} is a directory")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(params["content"], encoding="utf-8", newline="\n")
        return "Written."

    def edit(self, params: Mapping[str, Any]) -> str:
        path = self.path_of(params)
        text = path.read_text(encoding="utf-8")
        for one in params["edits"]:
            if text.count(one["oldText"]) != 1:
                raise ToolError(f"oldText occurs {text.count(one['oldText'])} times in {params['path']}")
            text = text.replace(one["oldText"], one["newText"])
        path.write_text(text, encoding="utf-8", newline="\n")
        return "Edited."

    def bash(self, params: Mapping[str, Any]) -> str:
        prepared = json.loads((self.root.parent / "bash.json").read_text(encoding="utf-8"))
        output, status = prepared.get(params["command"], ["command not found", 127])
        if status:
            raise ToolError(f"{output}\nExit status {status}.")
        return str(output)

    def all(self) -> list[Tool]:
        """Every one of them; `read` gives at most `PAGE` lines at once, so that long files take several turns."""
        return [
            plain("ls", self.ls, "", "path"),
            plain("find", self.find, "pattern", "path limit"),
            plain("grep", self.grep, "pattern", "path glob literal ignoreCase limit"),
            plain("read", self.read, "path", "offset limit"),
            plain("write", self.write, "path content", ""),
            plain("edit", self.edit, "path edits", ""),
            plain("bash", self.bash, "command", "timeout"),
        ]


def plain(name: str, act: Callable[[Mapping[str, Any]], str], needed: str, other: str) -> Tool:
    async def run(params: dict[str, Any], context: Any) -> ToolResult:
        return ToolResult.text(act(params))

    properties: dict[str, Any] = {one: {} for one in f"{needed} {other}".split()}
    return Tool(name, name, {"type": "object", "properties": properties, "required": needed.split()}, run)
