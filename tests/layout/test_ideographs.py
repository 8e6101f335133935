"""Ideographs have the shapes of the document's language, in text, captions and recipients' values alike."""

import pymupdf
import pytest

from layout.engine import ZoneValue, render, stamp
from layout.schema.block_document import BlockDocument

NAMES = ("髙橋 直子", "田中 直子", "佐藤 さくら", "陳 國榮", "张 伟", "骨角海令直")


def shapes_in(language: str | None, text: str, name: str) -> set[str]:
    """Returns the regional variants of the fonts in a document that `name` has signed."""
    blocks = [{"type": "paragraph", "text": text}, {"type": "signatureBlock", "label": "乙", "recipient": "ada"}]
    members = {} if language is None else {"language": language}
    document = BlockDocument.model_validate({"format": "blocks", "title": "契約", "blocks": blocks, **members})
    result = render(document, ["ada"])
    assert result.pdf is not None
    zone = next(zone for zone in result.zones if zone.name.endswith(":name"))
    with pymupdf.open("pdf", stamp(result.pdf, [ZoneValue(zone=zone, text=name)])) as file:
        fonts = {font[3] for page in file for font in page.get_fonts()}
    return {name.partition("CJK-")[2].partition("-")[0] for name in fonts if "CJK-" in name}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("language", "text", "shapes"),
    [
        ("ja", "賃貸借契約", "Japanese"),
        ("ja", "Lease, in Latin letters", "Japanese"),
        ("zh-Hans", "合同条款", "Simplified"),
        ("zh-Hans", "「優の良品」", "Simplified"),
        (None, "これは賃貸借契約です。", "Japanese"),
    ],
)
def test_all_have_the_shapes_of_the_document(language: str | None, text: str, shapes: str, name: str) -> None:
    assert shapes_in(language, text, name) == {shapes}


def test_letters_of_the_document_tell_its_language_where_it_names_none() -> None:
    assert shapes_in(None, "임대차 계약 契約", "田中 直子") == {"Korean"}
