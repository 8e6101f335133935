"""What pages show: the characters and glyphs that fonts must have, and the pictures. Found in one walk."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

from layout.fonts import Face, TextStyle
from layout.frames import Image, Item, Placed, Text, glyphs_of
from layout.images import ImageFile
from layout.shaped_lines import Glyphs


@dataclass(frozen=True, slots=True)
class Shown:
    """The characters of plain text in each face, the glyphs of texts that are shaped, and the pictures by resource
    name, each once, in the order in which they are first shown.
    """

    characters: dict[Face, set[str]]
    glyphs: list[Glyphs]
    images: dict[str, ImageFile]

    @classmethod
    def on(cls, items: Iterable[Item]) -> "Shown":
        """All that `items` show, those in frames too."""
        walk = _Walk()
        walk.over(items)
        characters: dict[Face, set[str]] = {}
        for style, texts in walk.plain.values():
            characters.setdefault(style.face, set()).update("".join(texts))
        return cls(characters, walk.glyphs, walk.images)


class _Walk:
    def __init__(self) -> None:
        # by the style's identity: styles are few and the same for thousands of lines, and hashing them takes time
        self.plain: dict[int, tuple[TextStyle, list[str]]] = {}
        self.glyphs: list[Glyphs] = []
        self.images: dict[str, ImageFile] = {}

    def over(self, items: Iterable[Item]) -> None:
        style: TextStyle | None = None
        plain: list[str] = []
        for item in items:
            if type(item) is Text:
                glyphs = None if item.text.isascii() and item.glyphs is None else glyphs_of(item)
                if glyphs is not None:
                    self.glyphs.append(glyphs)
                    continue
                if item.style is not style:
                    style = item.style
                    plain = self.plain.setdefault(id(style), (style, []))[1]
                plain.append(item.text)
            elif isinstance(item, Placed):
                self.over(item.frame.items)
            elif isinstance(item, Image):
                self.images[name_of(item.file)] = item.file


@lru_cache(64)
def name_of(image: ImageFile) -> str:
    """The resource name of a picture: the same for the same bytes."""
    return f"I{sha256(image.content).hexdigest()[:16]}"
