"""Plans that need no tool."""

from collections.abc import Generator, Mapping
from pathlib import Path

from pi_provider_offline.phrasing import bullets
from pi_provider_offline.understanding import intents
from pi_provider_offline.work import Plan, Result, Step, Toolbox

TEXTS = Path(__file__).parents[1] / "texts"


def say(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """A text that ships with the package, by name."""
    yield from silent()
    return text(slots["say"])


def list_abilities(slots: Mapping[str, str], toolbox: Toolbox) -> Plan:
    """What can be asked, with an example of each."""
    yield from silent()
    rows = [f"{intent.does}: “{intent.examples[0]}”" for intent in intents() if intent.shown]
    return text("abilities").replace("{abilities}", bullets(rows, len(rows)))


def text(name: str) -> str:
    """A text of the folder `texts`."""
    return (TEXTS / f"{name}.md").read_text(encoding="utf-8").strip()


def silent() -> Generator[Step, tuple[Result, ...], None]:
    """A plan of no steps is a generator all the same."""
    yield from ()
