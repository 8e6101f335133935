"""Conversion of a block document to layout blocks, with prepared texts, theme styles and field names."""

from collections.abc import Mapping
from dataclasses import dataclass

from layout.blocks.block import Block
from layout.blocks.controls import DropDown, EntryBox, Option, Options, Underline
from layout.blocks.fields import CheckboxField, Control, FieldBlock, FieldRow, Input, LabelledField
from layout.blocks.hanging_number import HangingNumber
from layout.blocks.image_block import ImageBlock
from layout.blocks.rich_text import rich_text
from layout.blocks.signature_block import SignatureBlock
from layout.blocks.spacer import Spacer
from layout.blocks.text_blocks import BulletList, Heading, Paragraph
from layout.captions import captions_of
from layout.geometry import CONTENT_WIDTH
from layout.paging.hang_numbers import hang_numbers, style_of
from layout.paging.margin_boxes import NO_BAND, Header, HeaderBand, HeaderDesign, build_header_band
from layout.paging.pagination import NO_KEEPS, Keeps, PageBreakMark
from layout.schema import block_document as written
from layout.schema.clauses import Clause, by_id, clauses_of, item_label
from layout.schema.field_names import field_names
from layout.schema.image_file import ImageFile, fit_logo
from layout.schema.input import DEFAULT_DATE_FORMAT
from layout.schema.input import Input as WrittenInput
from layout.text.characters import prepare_line, prepare_text
from layout.text.fonts import FontMetrics, TextStyle
from layout.theme_styles import theme_of
from layout.zone import ZoneType

_NUMBERINGS = {"bullet": "Disc", "number": "Decimal", "letter": "LowerAlpha"}
"""The values of `ListNumbering` in PDF, by style of list."""


@dataclass(frozen=True, slots=True)
class BuiltBlocks:
    """A document as layout blocks, with its header band, its headers and their common design."""

    blocks: tuple[Block | PageBreakMark, ...]
    band: HeaderBand
    headers: tuple[Header, ...]
    design: HeaderDesign
    keeps: Keeps = NO_KEEPS


def build_blocks(document: written.BlockDocument, images: Mapping[str, ImageFile], fonts: FontMetrics) -> BuiltBlocks:
    """Builds the blocks of `document`, in order, up to `MAX_TEXTS`.

    Images missing in `images` (by file id) take no space.
    """
    header = Header(document.title, document.subtitle, "")
    file = images.get(document.logo.file_id) if document.logo else None
    logo = fit_logo(file, document.logo.width) if document.logo and file else None
    design = HeaderDesign(theme_of(document.theme), logo, captions_of(document.language))
    band, clauses = build_header_band(header, design, fonts), tuple(clauses_of(document.blocks))
    numbers = hang_numbers(document.blocks, clauses, design.theme, fonts) if clauses else {}
    builder = _BlockBuilder(design, fonts, band, field_names(document), images, by_id(clauses), numbers)
    parts = [(part, f"/blocks/{index}") for index, part in enumerate(document.laid_out_blocks())]
    blocks = tuple(builder.block(part, path) for part, path in parts)
    own = (_own_header(part, path) for part, path in parts if isinstance(part, written.PageBreak))
    keeps = Keeps(
        frozenset(path for part, path in parts if part.keep_together),
        frozenset(path for part, path in parts if part.keep_with_next),
    )
    return BuiltBlocks(blocks, builder.band, (header, *filter(None, own)), design, keeps)


@dataclass(frozen=True, slots=True)
class _BlockBuilder:
    design: HeaderDesign
    fonts: FontMetrics
    band: HeaderBand
    names: Mapping[str, str]
    images: Mapping[str, ImageFile]
    clauses: Mapping[str, Clause]
    numbers: Mapping[str, HangingNumber]

    def block(self, part: written.Block, path: str) -> Block | PageBreakMark:  # noqa: PLR0911  # one for each kind
        match part:
            case written.Heading():
                text = rich_text(part.text, style_of(part, self.design.theme), self.clauses)
                return Heading(path, *text, self.numbers.get(path), part.level)
            case written.Paragraph():
                align = part.align if "align" in part.model_fields_set else "start"
                text = rich_text(part.text, style_of(part, self.design.theme), self.clauses)
                return Paragraph(path, text.text, text.style, align, text.spans, self.numbers.get(path))
            case written.Spacer():
                return Spacer(path, part.height)
            case written.PageBreak():
                return PageBreakMark(path, self._band(part, path), part.header_scope == "section")
            case written.Image():
                return self._image(part, path)
            case written.BulletList():
                return self._list(part, path)
            case written.InputField():
                return self._field(part, path)
            case written.FieldRow():
                fields = (self._field(field, f"{path}/fields/{at}") for at, field in enumerate(part.fields))
                return FieldRow(path, tuple(fields))
            case written.SignatureBlock():
                name = f"signature:{path.rpartition('/')[2]}"
                label, design = prepare_text(part.label), self.design
                return SignatureBlock(path, name, label, part.recipient, design.theme.signer, design.captions)

    def _list(self, part: written.BulletList, path: str) -> Block:
        body = self._body
        items = [rich_text(item, body, self.clauses, keeps_style=True) for item in part.items]
        texts, spans = tuple(item.text for item in items), tuple(item.spans for item in items)
        shown, numbering = spans if any(spans) else (), _NUMBERINGS[part.style]
        labels = tuple(item_label(at, part.style) for at in range(len(items))) if part.style != "bullet" else ()
        return BulletList(path, texts, body, shown, labels, numbering)

    def _image(self, part: written.Image, path: str) -> Block:
        file = self.images.get(part.file_id)
        if file is None:
            return Spacer(path, 0)  # reported as an issue
        width = file.width_within(CONTENT_WIDTH, part.width)
        return ImageBlock(path, file, width, part.align, self.design.captions)

    def _band(self, part: written.PageBreak, path: str) -> HeaderBand:
        """Returns the band after a page break: unchanged if `header` is omitted, none if null, else the given one."""
        own = _own_header(part, path)
        if own is not None:
            return build_header_band(own, self.design, self.fonts)
        return NO_BAND if "header" in part.model_fields_set else self.band

    def _field(self, part: WrittenInput, path: str) -> FieldBlock:
        type_ = ZoneType(part.field_type)
        date_format = (part.date_format or DEFAULT_DATE_FORMAT) if type_ is ZoneType.DATE else None
        label = prepare_text(part.label)
        entry = Input(self.names[path], label, part.recipient, part.is_required, part.placeholder, date_format)
        if type_ is ZoneType.CHECKBOX and not part.options:
            return CheckboxField(path, entry, self._body)
        return LabelledField(path, entry, self.design.theme.label, self._control(type_, part.options or ()))

    def _control(self, type_: ZoneType, options: tuple[str, ...]) -> Control:
        match type_:
            case ZoneType.MULTILINE_TEXT | ZoneType.INITIALS:
                return EntryBox(type_)
            case ZoneType.DROPDOWN:
                return DropDown(tuple(Option(text, prepare_line(text)) for text in options))
            case ZoneType.CHECKBOX | ZoneType.RADIO:
                return Options(type_, tuple(Option(text, prepare_text(text)) for text in options), self._body)
            case _:
                return Underline(type_)

    @property
    def _body(self) -> TextStyle:
        return self.design.theme.body(None, bold=False, muted=False)


def _own_header(part: written.PageBreak, path: str) -> Header | None:
    own = part.header
    return None if own is None else Header(own.title, own.subtitle, f"{path}/header")
