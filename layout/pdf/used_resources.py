"""The resources that pages use: characters, glyphs and images, collected in one pass."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

from layout.frames import Image, Item, Placed, Text, glyphs_of
from layout.schema.image_file import ImageFile
from layout.text.characters import is_plain
from layout.text.fonts import Face, TextStyle
from layout.text.shaped_lines import Glyphs

_TAKEN_APART = 1024  # characters


@dataclass(frozen=True, slots=True)
class UsedResources:
    """Characters of plain text by face, glyphs of shaped text, and images by resource name.

    Each image is the item with the widest rectangle.
    """

    characters: dict[Face, set[str]]
    glyphs: list[Glyphs]
    images: dict[str, Image]

    @classmethod
    def collect(cls, items: Iterable[Item]) -> "UsedResources":
        """Collects the resources of `items`, nested frames included."""
        walk = _Walk()
        walk.over(items)
        used = cls({}, walk.glyphs, walk.images)
        for style, texts in walk.texts.values():  # texts that were not shaped in their paragraph, nearly all plain
            characters = _characters_of(texts)
            if not is_plain("".join(characters)):
                used.glyphs.extend(glyphs for text in texts if (glyphs := glyphs_of(text)))
                characters = _characters_of([text for text in texts if is_plain(text.text)])
            if characters:
                used.characters.setdefault(style.face, set()).update(characters)
        return used


def _characters_of(texts: Sequence[Text]) -> set[str]:
    """Returns the distinct characters of `texts`.

    Texts are long and have few distinct characters, so known ones are stripped in bulk, which is faster.
    """
    rest = "".join([text.text for text in texts])
    characters: set[str] = set()
    while rest:
        characters.update(rest[:_TAKEN_APART])
        rest = rest[_TAKEN_APART:].lstrip("".join(characters))
    return characters


class _Walk:
    def __init__(self) -> None:
        # keyed by identity, as few style objects are shared by thousands of lines and hashing them is slow
        self.texts: dict[int, tuple[TextStyle, list[Text]]] = {}
        self.glyphs: list[Glyphs] = []
        self.images: dict[str, Image] = {}

    def over(self, items: Iterable[Item]) -> None:
        style: TextStyle | None = None
        texts: list[Text] = []
        for item in items:
            if type(item) is Text:
                if item.glyphs is not None:
                    self.glyphs.append(item.glyphs)
                    continue
                if item.style is not style:
                    style = item.style
                    texts = self.texts.setdefault(id(style), (style, []))[1]
                texts.append(item)
            elif isinstance(item, Placed):
                self.over(item.frame.items)
            elif isinstance(item, Image):
                known = self.images.setdefault(resource_name(item.file), item)
                if item.rect.w > known.rect.w:
                    self.images[resource_name(item.file)] = item


@lru_cache(64)
def resource_name(image: ImageFile) -> str:
    """Returns the resource name of an image, derived from its bytes."""
    return f"I{sha256(image.content).hexdigest()[:16]}"
