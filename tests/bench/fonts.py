"""The engine's own fonts as files, for the others to use."""

from functools import cache
from pathlib import Path
from tempfile import gettempdir

from layout.text.fonts import Face, font_file


@cache
def folder() -> Path:
    """Returns a folder with the regular and the bold face."""
    made = Path(gettempdir()) / "undersign-bench-fonts"
    made.mkdir(exist_ok=True)
    for face in (Face.REGULAR, Face.BOLD):
        (made / f"{face.value}.ttf").write_bytes(font_file(face))
    return made


def path(face: Face) -> str:
    return str(folder() / f"{face.value}.ttf")
