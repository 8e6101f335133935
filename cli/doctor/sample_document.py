"""The document that goes ahead of all others, and letters that fonts must draw. Child processes do the work."""

from layout.schema.document import BlockDocument

LETTERS = "Aé Ω Ж א ع ह ไ 中 あ 한 ☑ €"
"""One of each script whose absence would be noticed first."""

SAMPLE_DOCUMENT = BlockDocument.model_validate(
    {
        "format": "blocks",
        "title": "Preflight",
        "blocks": [
            {"type": "heading", "text": "A document that nobody signs"},
            {"type": "paragraph", "text": f"It is laid out, sealed and verified to see that this works. {LETTERS}"},
            {"type": "field", "fieldType": "text", "label": "Reference", "recipient": "ada"},
            {"type": "signatureBlock", "label": "Nobody", "recipient": "ada"},
        ],
    }
)


def try_fonts() -> tuple[int, str]:
    """How many faces there are, and those of `LETTERS` that none draws; raises what opening one raises."""
    from layout.text.characters import undrawable  # noqa: PLC0415  # loads all fonts, in a child process only
    from layout.text.fonts import Face, characters_of  # noqa: PLC0415  # as above

    return sum(bool(characters_of(face)) for face in Face), undrawable(LETTERS)
