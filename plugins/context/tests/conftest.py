"""A prompt builder in a house of its own: agent folder, home, repository."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from pi_api import SETTINGS, Service, Tool, ToolResult
from pi_api.services import PromptInputs
from pi_context.builder import SystemPromptBuilder
from pi_kernel import hookimpl
from pi_testkit import FakeSettings


async def nothing(arguments: dict[str, Any], context: Any) -> ToolResult:
    return ToolResult.text("")


def tool(name: str, snippet: str = "", *guidelines: str) -> Tool:
    return Tool(name, name, {}, nothing, snippet=snippet, guidelines=guidelines)


@dataclass
class GivenSettings:
    """A settings service that says what a test wants: sections by name, raw values by path."""

    sections: dict[str, dict[str, Any]] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)

    def read(self, section: str, model: Any) -> Any:
        return FakeSettings(self.sections).read(section, model)

    def get(self, path: str) -> Any:
        return self.values.get(path)


@dataclass
class House:
    """Folders for a test, and the prompt they make."""

    agent_dir: Path
    home: Path
    cwd: Path
    builder: SystemPromptBuilder
    settings: GivenSettings
    host: Any

    def write(self, where: Path, name: str, text: str) -> Path:
        path = where / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    def skill(self, folder: Path, name: str, description: str = "", **front: str) -> Path:
        lines = "".join(f"{key.replace('_', '-')}: {value}\n" for key, value in front.items())
        text = f"---\nname: {name}\ndescription: {description or f'Does {name}.'}\n{lines}---\n# Body\n"
        return self.write(folder / name, "SKILL.md", text)

    def prompt(self, *tools: Tool, trusted: bool = True, date: str = "2026-02-03", **flags: Any) -> str:
        given = {name.replace("_", "-"): value for name, value in flags.items()}
        return self.builder.build(PromptInputs(self.cwd, tools or (tool("read"),), trusted, given, date))


@pytest.fixture
def house(plugin_host: Callable[..., Any], tmp_path: Path) -> House:
    home, agent_dir = tmp_path / "home", tmp_path / "agent-dir"
    cwd = home / "src" / "app"
    for folder in (agent_dir, cwd, home / "src" / ".git"):
        folder.mkdir(parents=True)
    given = GivenSettings()

    class Settings:
        @hookimpl
        def pi_services(self, register: Callable[[Service[Any]], None]) -> None:
            register(Service(SETTINGS, lambda kernel: given))

    host = plugin_host("pi_context.plugin", settings=Settings(), cwd=cwd)
    return House(agent_dir, home, cwd, SystemPromptBuilder(host.kernel, home), given, host)
