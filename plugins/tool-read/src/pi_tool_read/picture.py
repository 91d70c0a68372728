"""Images as blocks for the model, within what model APIs take."""

from base64 import b64encode

from pi_api.messages import Image, Text
from pi_api.tool import ToolError, ToolResult
from pi_api.truncate import format_size
from pi_files.images import MAX_ENCODED, MAX_SIDE, ImageInfo, can_resize, encoded_size, inspect, resize


def show_image(data: bytes, shown: str, *, sees_images: bool) -> ToolResult:
    """The image and a line about it. Too large ones are made smaller where Pillow is installed, else refused."""
    info = inspect(data)
    if info is None or not info.width:
        raise ToolError(f"{shown} begins like an image, but its header is damaged; it cannot be shown")
    about = f"{shown}: {info.mime_type}, {info.width}x{info.height} pixels, {format_size(len(data))}"
    if not info.fits or encoded_size(len(data)) > MAX_ENCODED:
        data, smaller = _smaller(data, shown, info)
        about += f", shown as {smaller.mime_type} of {smaller.width}x{smaller.height}"
        info = smaller
    if not sees_images:
        about += ". [The current model does not take images; switch to one that does to look at it.]"
    return ToolResult((Text(about), Image(b64encode(data).decode("ascii"), info.mime_type)))


def _smaller(data: bytes, shown: str, info: ImageInfo) -> tuple[bytes, ImageInfo]:
    problem = (
        f"{shown} is too large to be shown ({info.width}x{info.height} pixels, {format_size(len(data))}; "
        f"at most {MAX_SIDE}x{MAX_SIDE} and {format_size(MAX_ENCODED * 3 // 4)})"
    )
    if not can_resize():
        raise ToolError(f"{problem}; make a smaller copy and read that, or install Pillow (pip install pillow) for pi")
    resized = resize(data)
    if resized is None:
        raise ToolError(f"{problem}, and Pillow cannot read it; convert it with another program first")
    return resized
