"""Block documents for tests, and how they lie on pages in the shipped fonts."""

from collections.abc import Mapping

from layout.paging.build_blocks import BuiltBlocks, build_blocks
from layout.paging.pagination import PaginatedBlocks, paginate
from layout.schema.block_document import BlockDocument
from layout.schema.image_file import ImageFile
from layout.text.fonts import ShippedFonts

KEYS = frozenset({"client", "consultant"})


def document(*blocks: dict[str, object], **members: object) -> BlockDocument:
    """A document of these blocks, called Agreement unless told."""
    return BlockDocument.model_validate({"format": "blocks", "title": "Agreement", "blocks": blocks, **members})


def laid_out(written: BlockDocument, images: Mapping[str, ImageFile] | None = None) -> PaginatedBlocks:
    built: BuiltBlocks = build_blocks(written, images or {}, ShippedFonts())
    return paginate(built.blocks, built.band, ShippedFonts())


def paragraph(text: str, **members: object) -> dict[str, object]:
    return {"type": "paragraph", "text": text, **members}


def text_field(label: str, **members: object) -> dict[str, object]:
    return {"type": "field", "fieldType": "text", "label": label, "recipient": "client", **members}


def checkbox(label: str, **members: object) -> dict[str, object]:
    return {"type": "field", "fieldType": "checkbox", "label": label, "recipient": "client", **members}


def signature(label: str = "Client", recipient: str = "client") -> dict[str, object]:
    return {"type": "signatureBlock", "label": label, "recipient": recipient}
