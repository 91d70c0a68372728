"""The texts that the model reads, one file each."""

from functools import cache
from importlib.resources import files


@cache
def text(name: str) -> str:
    """The text of a file beside this one, without its last newline; fields are filled in with `str.format`."""
    return files(__name__).joinpath(f"{name}.md").read_text("utf-8").rstrip("\n")
