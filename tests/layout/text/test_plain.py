"""Which characters are plain, found out from the fonts and the Unicode database."""

import unicodedata

import pytest

from layout.text.characters import is_plain, plain_characters
from layout.text.fonts import Face, characters_of

_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN", "RLE", "RLO", "LRE", "LRO", "PDF", "RLI", "LRI", "FSI", "PDI"})
_NO_MARK_OF_THEIR_OWN = frozenset({"Mn", "Mc", "Me", "Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_JOINING = (range(0x0900, 0x0980), range(0x0E00, 0x0E80), range(0x1CD0, 0x1D00), range(0xA8E0, 0xA900))


def _stands_alone(code: int) -> bool:
    character = chr(code)
    return (
        unicodedata.category(character) not in _NO_MARK_OF_THEIR_OWN
        and unicodedata.bidirectional(character) not in _RIGHT_TO_LEFT
        and not any(code in block for block in _JOINING)
    )


def test_plain_is_what_every_face_has_and_what_stands_alone() -> None:
    shared = frozenset.intersection(*(characters_of(face) for face in Face))
    assert plain_characters() == {ord("\n"), *filter(_stands_alone, shared)}


@pytest.mark.parametrize(
    ("text", "plain"), [("Zażółć\nΕλλάδα – «Да»", True), ("שלום", False), ("e\u0301", False), ("तो", False)]
)
def test_a_text_is_plain_if_all_its_characters_are(text: str, plain: bool) -> None:
    assert is_plain(text) is plain
