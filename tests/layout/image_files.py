"""Small pictures as files, for tests."""

from io import BytesIO

from PIL import Image

from layout.schema.image_file import ImageFile


def encoded(picture: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    written = BytesIO()
    picture.save(written, kind, **options)  # type: ignore[arg-type]
    return written.getvalue()


def shades(width: int, height: int, mode: str = "RGB") -> Image.Image:
    """A picture whose pixels all differ from their neighbours, smoothly."""
    across = Image.linear_gradient("L").rotate(90).resize((width, height))
    down = Image.linear_gradient("L").resize((width, height))
    return Image.merge("RGBA", (across, down, across, down)).convert(mode)


def image_file(width: int, height: int, file_name: str = "") -> ImageFile:
    """A PNG of that many pixels."""
    return ImageFile(encoded(Image.new("RGB", (width, height), "#c8963e")), width, height, file_name)


PICTURES = {
    "wide": image_file(900, 90),
    "tall": image_file(30, 700),
    "small": image_file(7, 5),
    "large": image_file(600, 600),
}
"""Pictures of all proportions, by file id."""
