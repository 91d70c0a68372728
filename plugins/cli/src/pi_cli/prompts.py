"""What the first message is made of: standard input, files, words."""

from collections.abc import Sequence
from pathlib import Path

from pi_api import Image, Prompt, UsageError

TEXT_LIMIT = 16 * 1024 * 1024
"""Bytes of an `@file` that are passed on; more is left out with a note."""

IMAGE_LIMIT = 128 * 1024 * 1024
"""Bytes above which an image is only named."""


def build_prompts(stdin: str, files: Sequence[str], messages: Sequence[str], cwd: Path) -> list[Prompt]:
    """The prompts to send in order: standard input, files and the first message make one, each further message another.

    What is blank counts for nothing. `UsageError` when a file is not there.
    """
    parts: list[str] = [stdin] if stdin.strip() else []
    images: list[Image] = []
    for name in files:
        text, image = attach(name, cwd)
        parts += [text] if text else []
        images += [image] if image else []
    said = [message for message in messages if message.strip()]
    parts += said[:1]
    first = [Prompt("\n\n".join(parts), tuple(images))] if parts or images else []
    return first + [Prompt(message) for message in said[1:]]


def attach(name: str, cwd: Path) -> tuple[str, Image | None]:
    """A file as text for a message, or as an image with the text that names it; an empty file is nothing."""
    from base64 import b64encode

    from pi_files.images import image_type
    from pi_files.paths import resolve_existing

    path = Path(resolve_existing(name, cwd, Path.home(), lambda candidate: Path(candidate).exists()))
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            data = file.read(IMAGE_LIMIT)
    except OSError as error:
        raise UsageError(f"@{name}: {error.strerror}: {path}") from error
    # The size of a pipe, as in `@<(git diff)`, is 0 whatever comes out of it.
    size = max(size, len(data))
    if size == 0:
        return "", None
    mime_type = image_type(data)
    if mime_type and size > IMAGE_LIMIT:
        return f'<file name="{path}">[image of {size} bytes left out: larger than {IMAGE_LIMIT}]</file>', None
    if mime_type:
        return f'<file name="{path}"></file>', Image(b64encode(data).decode("ascii"), mime_type)
    text = data[:TEXT_LIMIT].decode("utf-8-sig", "replace")
    note = f"\n[{size - TEXT_LIMIT} more bytes left out]" if size > TEXT_LIMIT else ""
    return f'<file name="{path}">\n{text}{note}\n</file>', None
