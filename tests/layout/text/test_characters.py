"""Which characters can be drawn, and how texts are made ready."""

import subprocess
import sys

import pytest

from layout.text.characters import prepare_line, prepare_text, undrawable, undrawable_texts
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
        "e\u0301 and o\u0308 that compose, x\u0302 that does not",
        "السَّلَامُ عَلَيْكُمْ، ۱۲۳ and שָׁלוֹם with \u2067isolates\u2069 and marks\u200f",
        "हिन्दी क्षत्रिय, ไทย น้ำ, বাংলা தமிழ் తెలుగు ಕನ್ನಡ മലയാളം ગુજરાતી ਪੰਜਾਬੀ සිංහල ខ្មែរ ລາວ မြန်မာ አማርኛ Հայերեն",
        "日本国「は」。 中文 繁體 한국어 ㄅㄆ",
        "🙂 👍🏽 👨‍👩‍👧 🇳🇴 1️⃣ ☑ ☐ ★ → ♫ 𝛼 ⚖️",
        "10\u202f000\u00a0€, soft\u00adhyphen, thin\u2009space, a tab\t, a line end\r\n",
    ],
)
def test_the_scripts_of_the_world_can_be_drawn(text: str) -> None:
    assert undrawable(text) == ""


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("bell\x07 escape\x1b bell\x07", "\x07\x1b"),  # each once, in order
        ("turned\u202eround", "\u202e"),  # it would read otherwise than it is stored
        ("nobody's \ue000, nothing's \uffff", "\ue000\uffff"),
        ("cuneiform 𒀀 beside 日本", "𒀀"),
    ],
)
def test_what_cannot_be_drawn_is_named(text: str, named: str) -> None:
    assert undrawable(text) == named


def test_every_text_of_a_document_is_looked_at() -> None:
    written = document(
        paragraph("𒀀"),
        text_field("𒀁", placeholder="𒀂"),
        signature("𒀃"),
        {"type": "heading", "text": "fine"},
        {"type": "pageBreak", "header": {"title": "𒀄", "subtitle": "𒀅"}},
        title="𒀆",
        subtitle="𒀇",
        footerLabel="𒀈",
    )

    assert undrawable_texts(written) == (
        ("/title", "𒀆"),
        ("/subtitle", "𒀇"),
        ("/footerLabel", "𒀈"),
        ("/blocks/0/text", "𒀀"),
        ("/blocks/1/label", "𒀁"),
        ("/blocks/1/placeholder", "𒀂"),
        ("/blocks/2/label", "𒀃"),
        ("/blocks/4/header/title", "𒀄"),
        ("/blocks/4/header/subtitle", "𒀅"),
    )


def test_a_document_without_such_characters_has_none_to_name() -> None:
    assert undrawable_texts(document(paragraph("Ada Lovelace"), signature())) == ()


def test_text_is_composed_and_its_spaces_are_plain() -> None:
    assert prepare_text("e\u0301\u2009b\tc\u202fd\r\ne\rf\u00adg") == "é b c\u00a0d\ne\nfg"


def test_a_text_that_is_not_plain_keeps_its_hints_and_wide_spaces() -> None:
    assert prepare_text("日\u3000本\u200b語 ไ\u200bท\u00ad") == "日\u3000本\u200b語 ไ\u200bท"


def test_whoever_did_not_ask_first_finds_question_marks() -> None:
    assert prepare_text("𒀀𒀁: é\x07") == "??: é?"


def test_a_text_on_one_line_has_spaces_for_line_ends() -> None:
    assert prepare_line("one\ntwo") == "one two"


def test_asking_does_not_load_what_draws() -> None:
    program = (
        "import sys, layout.schema.block_document, layout.schema.issues, layout.zone, layout.text.fonts; "
        "import layout.text.characters; layout.text.characters.undrawable('é'); print('pymupdf' in sys.modules)"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "False"
