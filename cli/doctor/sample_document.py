"""The sample document, and a font check that runs in a child process."""

from layout.schema.block_document import BlockDocument

LETTERS = "Aé Ω Ж א ع ह ไ 中 あ 한 ☑ €"
"""A letter of each of the most common scripts."""

SAMPLE_DOCUMENT = BlockDocument.model_validate(
    {
        "format": "blocks",
        "title": "Preflight",
        "blocks": [
            {"type": "heading", "text": "A sample document"},
            {"type": "paragraph", "text": f"It is laid out, sealed and verified by undersign doctor. {LETTERS}"},
            {"type": "field", "fieldType": "text", "label": "Reference", "recipient": "ada"},
            {"type": "signatureBlock", "label": "Signature", "recipient": "ada"},
        ],
    }
)


def try_fonts() -> tuple[int, str]:
    """Returns the number of faces, and the letters that none draws; raises if a font cannot be opened."""
    from layout.text.characters import undrawable
    from layout.text.fonts import Face, characters_of

    return sum(bool(characters_of(face)) for face in Face), undrawable(LETTERS)
