"""What pages show: the characters and glyphs that fonts must have, and the pictures. Found in one walk."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

from layout.paging.frames import Image, Item, Placed, Text, glyphs_of
from layout.schema.image_file import ImageFile
from layout.text.characters import is_plain
from layout.text.fonts import Face, TextStyle
from layout.text.shaped_lines import Glyphs

_TAKEN_APART = 1024  # characters


@dataclass(frozen=True, slots=True)
class UsedResources:
    """The characters of plain text in each face, the glyphs of texts that are shaped, and the pictures by resource
    name, each once and where it is widest, in the order in which they are first shown.
    """

    characters: dict[Face, set[str]]
    glyphs: list[Glyphs]
    images: dict[str, Image]

    @classmethod
    def collect(cls, items: Iterable[Item]) -> "UsedResources":
        """All that `items` show, those in frames too."""
        walk = _Walk()
        walk.over(items)
        used = cls({}, walk.glyphs, walk.images)
        for style, texts in walk.texts.values():
            used._add(style.face, texts)
        return used

    def _add(self, face: Face, texts: Sequence[Text]) -> None:
        """Adds texts that were not shaped in a paragraph, which nearly always means that they are plain."""
        characters = _characters_of(texts)
        if not is_plain("".join(characters)):
            self.glyphs.extend(glyphs for text in texts if (glyphs := glyphs_of(text)))
            characters = _characters_of([text for text in texts if is_plain(text.text)])
        if characters:
            self.characters.setdefault(face, set()).update(characters)


def _characters_of(texts: Sequence[Text]) -> set[str]:
    """Every character of `texts`. They are long and have few: so some of it is taken apart, and what follows is skipped
    up to the first character that was not among them, which is quicker than looking at each.
    """
    rest = "".join([text.text for text in texts])
    found: set[str] = set()
    while rest:
        found.update(rest[:_TAKEN_APART])
        rest = rest[_TAKEN_APART:].lstrip("".join(found))
    return found


class _Walk:
    def __init__(self) -> None:
        # by the style's identity: styles are few and the same for thousands of lines, and hashing them takes time
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
    """The resource name of a picture: the same for the same bytes."""
    return f"I{sha256(image.content).hexdigest()[:16]}"
