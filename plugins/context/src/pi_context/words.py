"""Our own texts for the model; they lie beside the code."""

from pathlib import Path

from pi_catalog.text import visible


def words(name: str) -> str:
    """The text of `NAME.md`."""
    return visible(Path(__file__).with_name(f"{name}.md").read_text("utf-8")).strip()
