"""The engine has its own words in every language of the service."""

import pymupdf
import pytest

from domain.texts.languages import LANGUAGES
from layout.captions import CAPTIONS
from layout.engine import ZoneValue, render, stamp
from layout.schema.block_document import BlockDocument


def rendered(**members: object) -> tuple[bytes, BlockDocument]:
    blocks = [
        {"type": "field", "fieldType": "checkbox", "label": "Read", "recipient": "ada", "name": "read"},
        {"type": "signatureBlock", "label": "Ada", "recipient": "ada"},
    ]
    document = BlockDocument.model_validate({"format": "blocks", "title": "Lease", "blocks": blocks, **members})
    result = render(document, ["ada"])
    assert result.pdf is not None, result.issues
    read = next(zone for zone in result.zones if zone.name == "read")
    return stamp(result.pdf, [ZoneValue(zone=read, ticked=True)]), document


def test_every_language_has_all_words() -> None:
    assert list(CAPTIONS) == list(LANGUAGES)
    for captions in CAPTIONS.values():
        assert all(captions)
        page = captions.page_of.format(number=7, total=12)
        assert "7" in page.replace("12", "")
        assert "12" in page


@pytest.mark.parametrize("language", LANGUAGES)
def test_captions_alternatives_and_tags_are_in_the_language_of_the_document(language: str) -> None:
    words = CAPTIONS[language]
    pdf, _ = rendered(language=language)

    with pymupdf.open("pdf", pdf) as file:
        printed = "".join(sorted("".join(page.get_text() for page in file)))
        tags = "".join(file.xref_object(number) for number in range(1, file.xref_length()))
        assert file.xref_get_key(file.pdf_catalog(), "Lang") == ("string", language)
        assert f"<rdf:li>{language}</rdf:li>" in file.get_xml_metadata()
    assert set(words.name + words.date_signed + words.signature) - set("\u0640") <= set(printed) | set(" ’")
    for spoken in (f"Read: {words.ticked}", words.empty):
        assert spoken in tags or spoken.encode("utf-16-be").hex().upper() in tags.upper()


def test_a_document_in_english_is_that_of_a_document_without_a_language() -> None:
    assert rendered(language="en")[0] == rendered()[0]
