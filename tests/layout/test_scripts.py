"""Agreements in the scripts of the world: their text can be searched and copied, and their bytes are deterministic."""

import hashlib
import os
import subprocess
import sys
import unicodedata

import pytest

from layout.engine import ZoneValue, render, stamp
from layout.pdf.pymupdf_file import text_of as mupdf_text_of
from layout.text.font_fallback import INVISIBLE
from tests.layout.documents import KEYS, document, text_field
from tests.layout.reading import check, fonts_of, structure_of, text_of
from tests.layout.scripts import READ_FROM_RIGHT, SCRIPTS, sent_in, signed_in


def letters(text: str) -> str:
    """What is to be seen of `text`, without spaces: readers put them where they like."""
    turning = "\u202a\u202b\u202c"  # poppler marks what runs from right to left
    kept = (character for character in text if character not in INVISIBLE and character not in turning)
    return unicodedata.normalize("NFC", "".join("".join(kept).split()))


@pytest.mark.poppler
@pytest.mark.parametrize("script", SCRIPTS)
def test_the_text_can_be_copied_in_the_order_it_is_read(script: str) -> None:
    sent = sent_in(script)
    assert sent.issues == ()
    pdf = sent.pdf or b""
    for text in (text_of(pdf), mupdf_text_of(pdf), "".join(structure_of(pdf))):
        for words in (SCRIPTS[script].heading, SCRIPTS[script].text, SCRIPTS[script].consent):
            assert letters(words) in letters(text)


@pytest.mark.poppler
@pytest.mark.parametrize("script", SCRIPTS)
def test_stamped_values_can_be_copied_too(script: str) -> None:
    assert letters(SCRIPTS[script].name) in letters(text_of(signed_in(script)))


@pytest.mark.poppler
@pytest.mark.parametrize("script", SCRIPTS)
def test_the_file_is_sound_and_its_fonts_are_inside(script: str) -> None:
    signed = signed_in(script)
    check(signed)
    for line in fonts_of(signed):
        assert line.split()[-5:-2] == ["yes", "yes", "yes"]  # embedded, a subset, with Unicode


@pytest.mark.parametrize("script", sorted(READ_FROM_RIGHT))
def test_what_is_read_from_right_to_left_begins_at_the_right(script: str) -> None:
    rendered = sent_in(script)
    box = next(zone for zone in rendered.zones if zone.type == "checkbox")
    signature, name = (
        next(zone for zone in rendered.zones if zone.name.endswith(end)) for end in ("signature", "name")
    )
    assert box.x > 500
    assert signature.x > name.x


@pytest.mark.poppler
def test_a_name_takes_the_shapes_of_the_language_of_the_labels() -> None:
    """直 is written otherwise in Japan than in China, and the name alone does not tell where it is from."""
    rendered = render(document(text_field("お名前")), KEYS)
    assert rendered.pdf is not None
    stamped = stamp(rendered.pdf, [ZoneValue(rendered.zones[0], text="直美")])
    cjk = [line.split()[0].partition("+")[2] for line in fonts_of(stamped) if "CJK" in line]
    assert cjk == ["NotoSansCJK-Japanese-Regular"] * 2  # the label's and the name's


def test_the_same_text_gives_the_same_bytes_in_another_process() -> None:
    program = (
        "import hashlib; from tests.layout.scripts import SCRIPTS, signed_in; "
        "print(hashlib.sha256(b''.join(map(signed_in, SCRIPTS))).hexdigest())"
    )
    other = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "7"},
    )

    assert other.stdout.strip() == hashlib.sha256(b"".join(map(signed_in, SCRIPTS))).hexdigest()


@pytest.mark.poppler
def test_equal_letters_of_a_ligature_are_copied_each() -> None:
    """Readers drop a letter at the place of its equal, as bold type used to be made so."""
    words = (
        "الله",
        "عبد الله",
        "اللهم",
        "لله",
        "بالله",
        "والله",
        "اللجنة",
        "ﷲ",
        "لآلئ",
        "الآن",
        "فيلل",
        "ففف",
        "Müller",
        "office",
    )
    pdf = render(document(*(text_field(word) for word in words)), KEYS).pdf or b""
    for text in (text_of(pdf), mupdf_text_of(pdf)):
        assert [word for word in words if letters(word) not in letters(text)] == []
