"""Images by their content: which format, how large, and small enough for a model.

Sources: PNG (W3C) IHDR, GIF89a logical screen, JPEG (ITU T.81) frame headers, WebP container (RFC 9649).
"""

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from struct import unpack
from typing import Any

MAX_SIDE = 2000
MAX_ENCODED = 4_500_000
"""Bytes of base64 that model APIs take for one image, with room for the rest of the request."""
MAX_FILE = 128 * 1024 * 1024

_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_BARE = frozenset(range(0xD0, 0xD9)) | {0x01}


@dataclass(frozen=True, slots=True)
class ImageInfo:
    """MIME type and size in pixels; 0 × 0 when the header is damaged."""

    mime_type: str
    width: int = 0
    height: int = 0

    @property
    def fits(self) -> bool:
        return 0 < self.width <= MAX_SIDE and 0 < self.height <= MAX_SIDE


def image_type(beginning: bytes) -> str | None:
    """The MIME type that the first 16 bytes of a file tell: PNG, JPEG, GIF or WebP, else `None`."""
    if beginning.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if beginning.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if beginning.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    return "image/webp" if beginning[:4] == b"RIFF" and beginning[8:12] == b"WEBP" else None


def inspect(data: bytes) -> ImageInfo | None:
    """Format and size of an image; `None` when it is none of the four formats."""
    mime_type = image_type(data[:16])
    if mime_type is None:
        return None
    sizes = {"image/png": _png, "image/jpeg": _jpeg, "image/gif": _gif, "image/webp": _webp}
    return ImageInfo(mime_type, *sizes[mime_type](data))


def encoded_size(size: int) -> int:
    """Bytes that `size` bytes take in base64."""
    return (size + 2) // 3 * 4


def can_resize() -> bool:
    """Whether Pillow is installed."""
    return find_spec("PIL") is not None


def resize(data: bytes) -> tuple[bytes, ImageInfo] | None:
    """A smaller version within the limits, as PNG or else JPEG; `None` when Pillow cannot read the image.

    Needs Pillow. The first frame of an animation is taken.
    """
    # By name, so that type checking does not need Pillow.
    pillow: Any = import_module("PIL.Image")
    try:
        with pillow.open(BytesIO(data)) as opened:
            picture = opened.convert("RGBA" if "A" in opened.getbands() or "transparency" in opened.info else "RGB")
    except (OSError, ValueError, SyntaxError, pillow.DecompressionBombError):
        return None
    side = MAX_SIDE
    while side >= 64:
        picture.thumbnail((side, side))
        for kind, flat in (("PNG", picture), ("JPEG", picture.convert("RGB"))):
            output = BytesIO()
            flat.save(output, kind, **({"quality": 80} if kind == "JPEG" else {}))
            if encoded_size(output.tell()) <= MAX_ENCODED:
                return output.getvalue(), ImageInfo(f"image/{kind.lower()}", picture.width, picture.height)
        side = side * 3 // 4
    return None


def _png(data: bytes) -> tuple[int, int]:
    return unpack(">II", data[16:24]) if len(data) >= 24 and data[12:16] == b"IHDR" else (0, 0)


def _gif(data: bytes) -> tuple[int, int]:
    return unpack("<HH", data[6:10]) if len(data) >= 10 else (0, 0)


def _jpeg(data: bytes) -> tuple[int, int]:
    position = 2
    while position + 9 <= len(data):
        if data[position] != 0xFF:
            return 0, 0
        marker = data[position + 1]
        if marker in _FRAMES:
            height, width = unpack(">HH", data[position + 5 : position + 9])
            return width, height
        if marker == 0xFF:
            position += 1
        elif marker in _BARE:
            position += 2
        else:
            position += 2 + int.from_bytes(data[position + 2 : position + 4], "big")
    return 0, 0


def _webp(data: bytes) -> tuple[int, int]:
    if len(data) < 30:
        return 0, 0
    chunk = data[12:16]
    if chunk == b"VP8X":
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if chunk == b"VP8L" and data[20] == 0x2F:
        bits = int.from_bytes(data[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if chunk == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        width, height = unpack("<HH", data[26:30])
        return width & 0x3FFF, height & 0x3FFF
    return 0, 0
