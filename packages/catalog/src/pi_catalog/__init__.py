"""Skills, prompts and themes: where they lie, what they are, which are switched off."""

from pi_catalog.find import find
from pi_catalog.item import Folder, Item

__all__ = ["Folder", "Item", "find"]
