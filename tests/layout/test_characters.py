"""Which characters can be drawn, and how texts are made ready."""

import subprocess
import sys

import pytest

from layout.characters import on_one_line, ready, undrawable, undrawable_texts
from tests.layout.documents import document, paragraph, signature, text_field


@pytest.mark.parametrize(
    "text",
    [
        "Plain letters (and brackets) \\ 100 %\nOn two lines",
        "Zażółć gęślą jaźń, Příliš žluťoučký kůň, Ðögg æðir ýmsa",
        "Đặng Thị Nguyễn Phương",
        "Ελληνικά κείμενα, πολυτονικό: ἀρχῇ",
        "Съешь ещё этих мягких французских булок",
        "“quotes” ‘single’ – — … • § © ™ № € £ ₹ ½ ² → ≤",
        "e\u0301 and o\u0308 that compose",
        "10\u202f000\u00a0€, soft\u00adhyphen, thin\u2009space, a tab\t, a line end\r\n",
    ],
)
def test_latin_greek_and_cyrillic_can_be_drawn(text: str) -> None:
    assert undrawable(text) == ""


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("السلام", "السلام"),  # joins, and runs from right to left
        ("שלום", "שלום"),
        ("हिन्दी", "हिन्दी"),
        ("ไทย", "ไทย"),
        ("日本 and 日", "日本"),  # each once, in order
        ("🙂", "🙂"),
        ("x\u0302", "\u0302"),  # a circumflex on x composes with nothing
        ("bell\x07 escape\x1b", "\x07\x1b"),
        ("turned\u202eround", "\u202e"),
    ],
)
def test_what_would_come_out_wrong_is_named(text: str, named: str) -> None:
    assert undrawable(text) == "".join(dict.fromkeys(named))


def test_every_text_of_a_document_is_looked_at() -> None:
    written = document(
        paragraph("日"),
        text_field("本", placeholder="語"),
        signature("中"),
        {"type": "heading", "text": "fine"},
        {"type": "pageBreak", "header": {"title": "文", "subtitle": "字"}},
        title="国",
        subtitle="家",
        footerLabel="人",
    )

    assert undrawable_texts(written) == (
        ("/title", "国"),
        ("/subtitle", "家"),
        ("/footerLabel", "人"),
        ("/blocks/0/text", "日"),
        ("/blocks/1/label", "本"),
        ("/blocks/1/placeholder", "語"),
        ("/blocks/2/label", "中"),
        ("/blocks/4/header/title", "文"),
        ("/blocks/4/header/subtitle", "字"),
    )


def test_a_document_without_such_characters_has_none_to_name() -> None:
    assert undrawable_texts(document(paragraph("Ada Lovelace"), signature())) == ()


def test_text_is_composed_and_its_spaces_are_plain() -> None:
    assert ready("e\u0301\u2009b\tc\u202fd\r\ne\rf\u00adg") == "é b c\u00a0d\ne\nfg"


def test_whoever_did_not_ask_first_finds_question_marks() -> None:
    assert ready("日本: é") == "??: é"


def test_a_text_on_one_line_has_spaces_for_line_ends() -> None:
    assert on_one_line("one\ntwo") == "one two"


def test_asking_does_not_load_what_draws() -> None:
    program = (
        "import sys, layout.document, layout.issues, layout.zones, layout.fonts, layout.characters; "
        "layout.characters.undrawable('é'); print('pymupdf' in sys.modules)"
    )

    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert answer.stdout.strip() == "False"
