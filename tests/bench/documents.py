"""Generated block documents: mixed blocks of pseudo-words, new ones for every seed, in letters of many languages."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

Document = dict[str, object]

PAGES = {"1 page": 10, "10 pages": 94, "100 pages": 500}
"""Blocks of the three documents."""

_WORDS_OF_A_PARAGRAPH = {"1 page": 75, "10 pages": 115, "100 pages": 260}
_VOCABULARY = 1_500

SYLLABLES = {
    "English": "th an in er on re st en at ed or ti hi as to nd ou ea ng al",
    "Polish": "prze ść ni czy ół są wi ków ną ję zy rzę ło dź pa to mia ści gę ka",
    "Greek": "και το ύ αν ός ει τη ρά σμ ου ία πα λό θε ώ νι χέ δο με φή",
    "Cyrillic": "ст но то на ен ов ни ра во ко ре ло пра ть ый щи жё де ми эт",
    "Arabic": "ال من في ها ما لا كت با سل مح نو را عم دي ته قا شر بي يو فا",
    "Hebrew": "של את הו מי לא כי יש בר תו נו רי שו דב אל חו קו ים מט לב צה",
    "Thai": "ที่ ปรึก ษา ตกลง ให้ บริการ ตาม ระบุ ไว้ ใน ภาค ผนวก แก่ บริษัท เดือน ละ เจ็ด พัน ยูโร และ",
    "Hindi": "का में की से ने पर यह क्या स्थि त्र ज्ञा प्रा वि ना ली दे श्री मु हो ता",
}


@dataclass(frozen=True, slots=True)
class Text:
    """A source of words that are new for each seed; some are frequent, most are rare."""

    chance: random.Random
    words: tuple[str, ...]
    weights: tuple[float, ...]

    @classmethod
    def of(cls, language: str, seed: int) -> "Text":
        chance = random.Random(f"{language} {seed}")  # noqa: S311  # reproducible words, no secrets
        syllables = SYLLABLES[language].split()
        words = tuple("".join(chance.choices(syllables, k=chance.randint(1, 4))) for _ in range(_VOCABULARY))
        return cls(chance, words, tuple(1 / rank for rank in range(1, _VOCABULARY + 1)))

    def sentence(self, words: int) -> str:
        return " ".join(self.chance.choices(self.words, self.weights, k=words)).capitalize() + "."

    def paragraph(self, words: int) -> str:
        return " ".join(self.sentence(self.chance.randint(6, 18)) for _ in range(max(1, words // 12)))


def mixed(size: str, seed: int) -> Document:
    """Returns the document of that many pages: headings, paragraphs, lists, fields and signatures."""
    text = Text.of("English", seed)
    words = _WORDS_OF_A_PARAGRAPH[size]
    blocks = [block for _, block in zip(range(PAGES[size] - 1), _blocks(text, words), strict=False)]
    blocks.append({"type": "signatureBlock", "label": text.sentence(3), "recipient": "client"})
    return _document(text, blocks)


def running(language: str, seed: int, paragraphs: int = 90, words: int = 200) -> Document:
    """Nothing but paragraphs in one language, about ten pages."""
    text = Text.of(language, seed)
    blocks = [{"type": "paragraph", "text": text.paragraph(words)} for _ in range(paragraphs)]
    return _document(Text.of("English", seed), blocks)


def counted(blocks: int, seed: int) -> Document:
    """Returns the same mixture in that many blocks."""
    text = Text.of("English", seed)
    return _document(text, [block for _, block in zip(range(blocks), _blocks(text, 60), strict=False)])


def _document(text: Text, blocks: list[dict[str, object]]) -> Document:
    return {
        "format": "blocks",
        "title": text.sentence(2)[:24],
        "subtitle": text.sentence(8),
        "footerLabel": text.sentence(4),
        "blocks": blocks,
    }


def _blocks(text: Text, words: int) -> Iterator[dict[str, object]]:
    number = 0
    while True:
        number += 1
        yield {"type": "heading", "text": f"{number}. {text.sentence(4)}"}
        for _ in range(3):
            yield {"type": "paragraph", "text": text.paragraph(words)}
        yield {"type": "bulletList", "items": [text.sentence(14) for _ in range(4)]}
        yield {"type": "paragraph", "text": text.paragraph(words)}
        yield _field("text", text, f"entry-{number}")
        yield {"type": "paragraph", "text": text.paragraph(words // 2), "fontSize": 9, "muted": True}
        yield {"type": "spacer", "height": 12}
        yield _field("checkbox", text, f"tick-{number}")


def _field(type: str, text: Text, name: str) -> dict[str, object]:
    return {"type": "field", "fieldType": type, "label": text.sentence(3), "name": name, "recipient": "client"}
