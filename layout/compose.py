"""From the vocabulary to blocks that can be laid out: texts ready to draw, styles of the theme, names of fields."""

from collections.abc import Mapping
from dataclasses import dataclass

from layout import document as written
from layout.bands import BARE, Band, Header, band_of
from layout.blocks.block import Block
from layout.blocks.field import CheckboxField, Input, TextField
from layout.blocks.heading import Heading
from layout.blocks.paragraph import Paragraph
from layout.blocks.signature_block import SignatureBlock
from layout.blocks.spacer import Spacer
from layout.characters import ready
from layout.flow import Break
from layout.fonts import FontMetrics
from layout.names import field_names
from layout.theme import Theme


@dataclass(frozen=True, slots=True)
class Composed:
    """A document as blocks, with the band that its pages have and the headers by the JSON pointer of their object."""

    blocks: tuple[Block | Break, ...]
    band: Band
    headers: tuple[Header, ...]


def compose(document: written.BlockDocument, theme: Theme, fonts: FontMetrics) -> Composed:
    """Every block of `document`, in order."""
    header = Header(document.title, document.subtitle, "")
    composer = _Composer(theme, fonts, band_of(header, theme, fonts), field_names(document))
    blocks = tuple(composer.block(part, f"/blocks/{index}") for index, part in enumerate(document.blocks))
    retitled = (
        own
        for index, part in enumerate(document.blocks)
        if isinstance(part, written.PageBreak) and (own := _own_header(part, f"/blocks/{index}"))
    )
    return Composed(blocks, composer.band, (header, *retitled))


@dataclass(frozen=True, slots=True)
class _Composer:
    theme: Theme
    fonts: FontMetrics
    band: Band
    names: Mapping[str, str]

    def block(self, part: written.Block, path: str) -> Block | Break:
        match part:
            case written.Heading():
                return Heading(path, ready(part.text), self.theme.heading)
            case written.Paragraph():
                style = self.theme.body(part.font_size, bold=part.bold, muted=part.muted)
                return Paragraph(path, ready(part.text), style, part.align)
            case written.Spacer():
                return Spacer(path, part.height)
            case written.PageBreak():
                return Break(path, self._band(part, path))
            case written.InputField():
                return self._field(part, path)
            case written.SignatureBlock():
                name = f"signature:{path.rpartition('/')[2]}"
                return SignatureBlock(path, name, ready(part.label), part.recipient, self.theme.signer)

    def _band(self, part: written.PageBreak, path: str) -> Band:
        """Spec 2.7: header omitted keeps the document's band, null removes it, an object retitles the page."""
        own = _own_header(part, path)
        if own is not None:
            return band_of(own, self.theme, self.fonts)
        return BARE if "header" in part.model_fields_set else self.band

    def _field(self, part: written.InputField, path: str) -> Block:
        label = ready(part.label)
        entry = Input(self.names[path], label, part.recipient, part.is_required, part.placeholder)
        if part.field_type == "checkbox":
            return CheckboxField(path, entry, self.theme.body(None, bold=False, muted=False))
        return TextField(path, entry, self.theme.label)


def _own_header(part: written.PageBreak, path: str) -> Header | None:
    own = part.header
    return None if own is None else Header(own.title, own.subtitle, f"{path}/header")
