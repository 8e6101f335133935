"""Block documents for tests, and how they lie on pages in the shipped fonts."""

from collections.abc import Mapping

from layout.engine import render
from layout.paging.build_blocks import BuiltBlocks, build_blocks
from layout.paging.pagination import PaginatedBlocks, paginate
from layout.schema.block_document import BlockDocument
from layout.schema.image_file import ImageFile
from layout.text.fonts import ShippedFonts

KEYS = frozenset({"client", "consultant"})
Written = dict[str, object]
"""A block as JSON."""


def document(*blocks: Written, **members: object) -> BlockDocument:
    """A document of these blocks, called Agreement unless told."""
    return BlockDocument.model_validate({"format": "blocks", "title": "Agreement", "blocks": blocks, **members})


def laid_out(written: BlockDocument, images: Mapping[str, ImageFile] | None = None) -> PaginatedBlocks:
    built: BuiltBlocks = build_blocks(written, images or {}, ShippedFonts())
    return paginate(built.blocks, built.band, ShippedFonts(), built.keeps)


def paragraph(text: object, **members: object) -> Written:
    return {"type": "paragraph", "text": text, **members}


def text_field(label: str, **members: object) -> Written:
    return field("text", label, **members)


def checkbox(label: str, **members: object) -> Written:
    return field("checkbox", label, **members)


def field(type_: str, label: str = "Label", **members: object) -> Written:
    """An input of that type, with options if it needs some."""
    options = {"options": ["Yes", "No"]} if type_ in {"radio", "dropdown"} else {}
    return {"type": "field", "fieldType": type_, "label": label, "recipient": "client", **options, **members}


def row(*fields: Written) -> Written:
    return {"type": "fieldRow", "fields": [{name: one[name] for name in one if name != "type"} for one in fields]}


def heading(text: object, **members: object) -> Written:
    return {"type": "heading", "text": text, **members}


def rendered_pdf(*blocks: Written, images: Mapping[str, ImageFile] | None = None, **members: object) -> bytes:
    """The PDF of a document of these blocks, which has no issue."""
    rendered = render(document(*blocks, **members), KEYS, images or {})
    assert rendered.pdf is not None, rendered.issues
    return rendered.pdf


def signature(label: str = "Client", recipient: str = "client") -> Written:
    return {"type": "signatureBlock", "label": label, "recipient": recipient}
