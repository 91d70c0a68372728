"""Findings, each with what it is about, and how they are shown."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pi_api import Finding


@dataclass(frozen=True, slots=True)
class Line:
    """One finding: a short name for programs, a label for people, the plugin that answers for it."""

    name: str
    label: str
    finding: Finding
    required: bool = False
    plugin: str = "doctor"

    @property
    def mark(self) -> str:
        if self.finding.ok:
            return "ok"
        return "FAIL" if self.required else "note"

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "label": self.label,
            "ok": self.finding.ok,
            "required": self.required,
            "detail": self.finding.detail,
            "remedy": self.finding.remedy or None,
            "plugin": self.plugin,
        }


def healthy(lines: Iterable[Line]) -> bool:
    """Nothing required is out of order."""
    return all(line.finding.ok or not line.required for line in lines)


def text(lines: list[Line]) -> str:
    """One line a finding, what to do below it."""
    width = max((len(line.label) for line in lines), default=0)
    shown: list[str] = []
    for line in lines:
        shown.append(f"{line.mark:<4}  {line.label:<{width}}  {line.finding.detail}".rstrip())
        if line.finding.remedy and not line.finding.ok:
            shown.append(f"{'':<4}  {'':<{width}}  -> {line.finding.remedy}")
    return "\n".join(shown)
