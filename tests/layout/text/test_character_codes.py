"""Characters as single bytes."""

from layout.text.character_codes import CLOSE, OPEN, FontEncoding
from layout.text.fonts import Face


def shown(codes: FontEncoding, text: str) -> str:
    """What a reader makes of `text` once it is written and encoded."""
    read = ""
    for page, run in codes.runs(text):
        characters = {byte: chr(code) for code, byte in codes.pages[page].items()}
        read += "".join(characters[byte] for byte in codes.encode(run))
    return read


def test_latin_1_keeps_its_own_codes() -> None:
    assert FontEncoding("aé").encode("aé") == b"a\xe9"


def test_parentheses_and_backslashes_of_a_text_need_no_escaping() -> None:
    codes = FontEncoding("a(b)\\")
    assert codes.encode(f"{OPEN}a(b)\\{CLOSE} Tj") == b"(a\x03b\x04\x05) Tj"
    assert shown(codes, "a(b)\\") == "a(b)\\"


def test_no_text_is_written_with_a_line_end_or_a_delimiter() -> None:
    text = "".join(map(chr, range(0x400, 0x400 + 220))) + "()\\"
    codes = FontEncoding(text)
    written = b"".join(codes.encode(run) for _, run in codes.runs(text))
    assert not set(written) & set(b"\r\n()\\\x00")


def test_other_scripts_take_codes_that_are_free() -> None:
    text = "Жизнь (life) ζωή"
    assert len(FontEncoding(text).pages) == 1
    assert shown(FontEncoding(text), text) == text


def test_more_characters_than_bytes_need_further_pages() -> None:
    # 16 of the plain text and 700 others; 249 fit on a page
    text = "plain (text) \\ " + "".join(map(chr, range(0xC0, 0xC0 + 700)))
    codes = FontEncoding(text)
    assert len(codes.pages) == 3
    assert shown(codes, text) == text


def test_the_same_characters_in_another_order_have_the_same_codes() -> None:
    assert FontEncoding("ЖЗИ").pages == FontEncoding("ИЗЖЖ").pages


def test_each_face_and_page_has_a_font_of_its_own() -> None:
    codes = FontEncoding("a", prefix="S")
    assert {codes.font(face, page) for face in Face for page in (0, 1)} == {
        f"S{face}{page}" for face in "RBIJ" for page in (0, 1)
    }
