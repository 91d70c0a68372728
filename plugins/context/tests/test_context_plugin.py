"""What the plugin offers, and that people hear of what was left out."""

from typing import Any

from pi_api import PROMPT, service
from pi_api.events import Notice, SystemPrompt
from pi_api.kinds import FLAGS, SETTINGS_SECTIONS
from pi_api.services import PromptInputs

House = Any


def test_it_offers_its_flags_and_owns_its_section(house: House) -> None:
    assert [(flag.name, flag.value.short, flag.value.kind) for flag in house.host.kernel.all(FLAGS)] == [
        ("system-prompt", "", "text"),
        ("append-system-prompt", "", "list"),
        ("no-context-files", "nc", "switch"),
        ("skill", "", "list"),
        ("no-skills", "ns", "switch"),
    ]
    assert house.host.get(SETTINGS_SECTIONS, "context").model == "pi_context.settings:ContextSettings"


async def test_what_was_left_out_is_told_once(house: House) -> None:
    house.write(house.cwd, "AGENTS.md", "line\n" * 20_000)
    session = house.host.session()
    heard: list[str] = []
    session.bus.on(Notice, lambda notice: heard.append(notice.text))
    await session.start()
    for _ in range(2):
        text = service(house.host.kernel, PROMPT).build(PromptInputs(house.cwd, (), True, {}, "2026-02-03"))
        await session.bus.emit(SystemPrompt(text))
    house.host.check()
    assert len(heard) == 1 and "AGENTS.md is longer than 65536 bytes" in heard[0]
