"""`read` shows images, in the size that models take."""

import base64
import struct
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from pi_api.tool import ToolError, ToolResult
from pi_files import images
from pi_testkit import FakeToolContext
from pi_tool_read import picture, reading
from pi_tool_read.tool import read_tool


def png_header(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", width, height)


async def read(folder: Path, content: bytes, *, sees: tuple[str, ...] = ("text", "image")) -> ToolResult:
    (folder / "picture.txt").write_bytes(content)
    session = SimpleNamespace(model=SimpleNamespace(input=sees), state=lambda kind: kind())
    return await read_tool().run({"path": "picture.txt"}, FakeToolContext(folder, session=session))


async def test_an_image_is_known_by_its_content_and_shown_as_it_is(tmp_path: Path) -> None:
    content = png_header(20, 10)
    result = await read(tmp_path, content)
    assert result.plain == "picture.txt: image/png, 20x10 pixels, 24 B"
    (image,) = result.images
    assert (image.mime_type, base64.b64decode(image.data)) == ("image/png", content)


async def test_a_model_without_eyes_is_told(tmp_path: Path) -> None:
    result = await read(tmp_path, png_header(20, 10), sees=("text",))
    assert "The current model does not take images" in result.plain


@pytest.mark.parametrize("content", [png_header(2001, 10), png_header(10, 10) + bytes(3_400_000)])
async def test_without_pillow_a_large_image_is_refused_with_a_remedy(
    tmp_path: Path, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picture, "can_resize", lambda: False)
    with pytest.raises(ToolError, match=r"too large .* at most 2000x2000 and 3\.2 MiB.*pip install pillow"):
        await read(tmp_path, content)


async def test_a_huge_file_that_begins_like_an_image_is_refused_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "WHOLE_FILE", 10)
    monkeypatch.setattr(reading, "MAX_FILE", 20)
    with pytest.raises(ToolError, match="is an image of 24 B, more than 20 B; make a smaller copy"):
        await read(tmp_path, png_header(1, 1))


@pytest.mark.parametrize(
    ("mode", "size", "kind"),
    [("RGB", (3000, 1500), "image/png"), ("RGBA", (100, 5000), "image/png"), ("P", (2500, 2500), "image/png")],
)
async def test_with_pillow_a_large_image_is_made_smaller(
    tmp_path: Path, mode: str, size: tuple[int, int], kind: str
) -> None:
    pillow = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    content = BytesIO()
    pillow.new(mode, size).save(content, "PNG")
    result = await read(tmp_path, content.getvalue())
    (image,) = result.images
    shown = images.inspect(base64.b64decode(image.data))
    assert shown is not None and shown.fits and shown.mime_type == image.mime_type == kind
    assert abs(shown.width / shown.height - size[0] / size[1]) < 0.01
    assert f"shown as {kind} of {shown.width}x{shown.height}" in result.plain


async def test_with_pillow_noise_is_shown_as_jpeg(tmp_path: Path) -> None:
    pillow = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    content = BytesIO()
    pillow.effect_noise((1300, 1300), 90).convert("RGB").save(content, "PNG")
    result = await read(tmp_path, content.getvalue())
    (image,) = result.images
    assert image.mime_type == "image/jpeg"
    assert len(image.data) <= images.MAX_ENCODED


async def test_with_pillow_a_damaged_large_image_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    with pytest.raises(ToolError, match="Pillow cannot read it"):
        await read(tmp_path, png_header(5000, 5000))
