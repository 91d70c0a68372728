"""What an image is, told from its content; the samples are written here byte by byte, from the formats' own rules."""

import struct
import zlib

import pytest
from pi_files.images import ImageInfo, encoded_size, image_type, inspect


def png(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + b"\0" * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    parts = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def jpeg(width: int, height: int, *, frame: int = 0xC0, before: bytes = b"") -> bytes:
    application = b"\xff\xe0" + struct.pack(">H", 16) + b"JFIF\0" + bytes(9)
    sizes = struct.pack(">HBHHB", 17, 8, height, width, 3) + bytes(9)
    return b"\xff\xd8" + application + before + bytes([0xFF, frame]) + sizes + b"\xff\xd9"


def webp(chunk: bytes, data: bytes) -> bytes:
    body = b"WEBP" + chunk + struct.pack("<I", len(data)) + data.ljust(20, b"\0")
    return b"RIFF" + struct.pack("<I", len(body)) + body


GIF = b"GIF89a" + struct.pack("<HH", 640, 480) + bytes(3)
LOSSLESS = (640 - 1) | (480 - 1) << 14


@pytest.mark.parametrize(
    ("data", "info"),
    [
        (png(640, 480), ImageInfo("image/png", 640, 480)),
        (jpeg(640, 480), ImageInfo("image/jpeg", 640, 480)),
        (jpeg(640, 480, frame=0xC2), ImageInfo("image/jpeg", 640, 480)),
        (jpeg(640, 480, before=b"\xff\xff\xfe\0\6\xff\xc0ab"), ImageInfo("image/jpeg", 640, 480)),
        (jpeg(640, 480, before=b"\xff\xc4" + struct.pack(">H", 4) + b"ab"), ImageInfo("image/jpeg", 640, 480)),
        (GIF, ImageInfo("image/gif", 640, 480)),
        (GIF.replace(b"89a", b"87a"), ImageInfo("image/gif", 640, 480)),
        (webp(b"VP8X", bytes(4) + b"\x7f\x02\0\xdf\x01\0"), ImageInfo("image/webp", 640, 480)),
        (webp(b"VP8L", b"\x2f" + LOSSLESS.to_bytes(4, "little")), ImageInfo("image/webp", 640, 480)),
        (webp(b"VP8 ", bytes(3) + b"\x9d\x01\x2a" + struct.pack("<HH", 640, 480)), ImageInfo("image/webp", 640, 480)),
    ],
    ids=lambda value: str(value)[:24] if isinstance(value, ImageInfo) else "",
)  # fmt: skip
def test_format_and_size_come_from_the_content(data: bytes, info: ImageInfo) -> None:
    assert inspect(data) == info
    assert image_type(data[:16]) == info.mime_type


@pytest.mark.parametrize("data", [png(640, 480), jpeg(640, 480), GIF, webp(b"VP8X", b"")])
def test_a_damaged_header_has_no_size(data: bytes) -> None:
    for length in range(13, 20 if data.startswith(b"\xff") else 9, -1):
        found = inspect(data[:length])
        assert found is None or (found.width, found.height) in ((0, 0), (640, 480))


@pytest.mark.parametrize("data", [b"", b"\x89PNG", b"RIFF1234WAVE", b"GIF88a", b"<svg>", b"BM123456"])
def test_other_data_is_no_image(data: bytes) -> None:
    assert inspect(data) is None


@pytest.mark.parametrize(
    ("width", "height", "fits"), [(1, 1, True), (2000, 2000, True), (2001, 1, False), (1, 2001, False), (0, 0, False)]
)
def test_the_longest_side_has_a_limit(width: int, height: int, fits: bool) -> None:
    assert ImageInfo("image/png", width, height).fits is fits


@pytest.mark.parametrize(("size", "encoded"), [(0, 0), (1, 4), (3, 4), (4, 8), (3_375_000, 4_500_000)])
def test_the_size_in_base64(size: int, encoded: int) -> None:
    assert encoded_size(size) == encoded
