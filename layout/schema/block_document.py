"""The schema of block documents: all kinds of blocks that a client may send. Specification 2.5, 2.7, 2.8.

Unknown members and block types are rejected, never ignored. JSON members are camelCase, attributes snake_case.
"""

from collections.abc import Iterator
from functools import cached_property
from itertools import chain, islice
from typing import Annotated, Literal, Self, cast

from pydantic import AfterValidator, Field, WithJsonSchema, model_validator
from pydantic.config import JsonDict
from pydantic_core import PydanticCustomError

from domain.texts.languages import LANGUAGES, find_language
from layout.schema.block_part import BlockPart
from layout.schema.clauses import ClausePart
from layout.schema.input import Input
from layout.schema.part import (
    MAX_TEXT,
    Part,
    RecipientKey,
    SignatureLabel,
    Text,
)
from layout.schema.runs import Content, HeadingContent, ItemContent, ParagraphContent, joined, references_in, texts_in

_POINTS = "in points"
_ONE_LINE = "It must fit on one line, of about 30 characters."
_RUNS = "A string, or an array of runs."
_SUBTITLE = "Smaller text under the title, at most 200 characters."

# The pattern bounds the length. A maximum that pydantic checks would hide its message.
Colour = Annotated[str, Field(pattern=r"^#?[0-9A-Fa-f]{6}$", json_schema_extra={"maxLength": 7}, examples=["#0f6a73"])]
"""A colour as `#rrggbb`; the `#` may be left out."""


class Theme(Part):
    """The colours of a document and the style of its header band, by default the classic ones. Specification 2.6."""

    header_style: Literal["line", "band"] = Field(
        default="line",
        description="`line`: a coloured title with a rule under it. `band`: a filled band across the top.",
    )
    primary_color: Colour | None = Field(
        default=None, description="Colour of the title and the rule under it, or of the band."
    )
    accent_color: Colour | None = Field(
        default=None, description="Colour of section headings, and of the stripe under a band."
    )
    text_color: Colour | None = Field(default=None, description="Colour of body text.")
    band_text_color: Colour | None = Field(
        default=None, description="Colour of title and subtitle on a band. Default: white."
    )


ImageId = Annotated[str, Field(min_length=1, max_length=100, description="`fileId` of an uploaded image")]
MIN_IMAGE_WIDTH = 20
"""Minimum chosen width of images and logos in points."""


class Logo(Part):
    """A picture at the right of the header band, at most 130 x 60 points. Specification 2.5."""

    file_id: ImageId
    width: Annotated[float, Field(ge=MIN_IMAGE_WIDTH, le=130)] | None = Field(
        default=None,
        description=f"Width {_POINTS}. Default: the largest that fits the slot of 130 x 60 points.",
        examples=[90],
    )


class Heading(ClausePart):
    """A section heading, on the page of the content that follows it."""

    type: Literal["heading"]
    text: HeadingContent = Field(description=f"At most 500 characters. {_RUNS}", examples=["1. Services"])

    def contents(self, path: str) -> Iterator[tuple[str, Content]]:
        yield f"{path}/text", self.text


Align = Literal["left", "center", "right"]
_POSITION = "Position between the margins."


class Paragraph(ClausePart):
    """A text, which wraps."""

    type: Literal["paragraph"]
    text: ParagraphContent = Field(
        description=f"A newline starts a new line. {_RUNS}", examples=["The consultant advises the client."]
    )
    font_size: Annotated[float, Field(ge=7, le=24)] | None = Field(
        default=None, description=f"Font size {_POINTS}. null: the usual size.", examples=[11]
    )
    bold: bool = Field(default=False, description="Bold text.")
    muted: bool = Field(default=False, description="Grey text.")
    align: Align = Field(default="left", description=_POSITION)

    def contents(self, path: str) -> Iterator[tuple[str, Content]]:
        yield f"{path}/text", self.text


class BulletList(BlockPart):
    """A list with bullets, numbers or letters."""

    type: Literal["bulletList"]
    items: Annotated[tuple[ItemContent, ...], Field(min_length=1, max_length=50)] = Field(
        description=f"Its texts. {_RUNS}"
    )
    style: Literal["bullet", "number", "letter"] = Field(default="bullet", description="What stands before each text.")

    def contents(self, path: str) -> Iterator[tuple[str, Content]]:
        yield from ((f"{path}/items/{at}", item) for at, item in enumerate(self.items))


class Spacer(BlockPart):
    """An empty space."""

    type: Literal["spacer"]
    height: Annotated[float, Field(ge=1, le=600)] = Field(description=f"Height {_POINTS}.", examples=[12])


class PageHeader(Part):
    """The title and subtitle that a page break puts on the page after it."""

    title: Text = Field(description=f"Title in the header. {_ONE_LINE}", examples=["Annex A"])
    subtitle: Annotated[str, Field(max_length=200)] | None = Field(
        default=None, description=f"{_SUBTITLE} null: no subtitle."
    )


def _without_default(schema: JsonDict) -> None:
    """Removes the default from the schema of a member for which null and an omission have different meanings."""
    schema.pop("default", None)


class PageBreak(BlockPart):
    """The next block starts a new page."""

    type: Literal["pageBreak"]
    header: PageHeader | None = Field(  # `model_fields_set` distinguishes left out from null
        default=None,
        json_schema_extra=_without_default,
        description=(
            "Left out: the page has the header of the document. null: it has none, and its content begins at the top "
            "margin. An object: its header has another title and subtitle."
        ),
    )
    header_scope: Literal["page", "section"] = Field(
        default="page",
        description=("Pages with `header`. `page`: the next one. `section`: all up to the next `pageBreak`."),
    )

    def contents(self, path: str) -> Iterator[tuple[str, Content]]:
        if self.header is not None:
            yield f"{path}/header/title", self.header.title
            if self.header.subtitle is not None:
                yield f"{path}/header/subtitle", self.header.subtitle

    @model_validator(mode="after")
    def _scope_of_a_header(self) -> Self:
        if self.header_scope == "section" and "header" not in self.model_fields_set:
            raise PydanticCustomError(
                "no_header",
                "Without a header there is no headerScope. Give `header` (null is allowed), or leave this out.",
                {"at": ("headerScope",)},
            )
        return self


class Image(BlockPart):
    """A picture."""

    type: Literal["image"]
    file_id: ImageId
    width: Annotated[float, Field(ge=MIN_IMAGE_WIDTH, le=483)] | None = Field(
        default=None, description=f"Width {_POINTS}. Default: one point per pixel, at most 483.", examples=[240]
    )
    align: Align = Field(default="left", description=_POSITION)


_INPUT_TOO_TALL = "This input with its label is taller than a page and is never split. Shorten the label."


class InputField(Input, BlockPart):
    """An input over the whole width."""

    type: Literal["field"]

    @property
    def too_tall(self) -> str:
        if self.options is not None:
            what = "This input with its options is taller than a page and is never split."
            return f"{what} Shorten its texts, or make two inputs of it."
        return _INPUT_TOO_TALL


class RowField(Input):
    """An input in a row of inputs."""


class FieldRow(BlockPart):
    """Inputs side by side, on one page."""

    type: Literal["fieldRow"]
    fields: Annotated[tuple[RowField, ...], Field(min_length=2, max_length=3)] = Field(
        description="Inputs without `type`."
    )

    @property
    def too_tall(self) -> str:
        what = "This row of inputs is taller than a page and is never split."
        return f"{what} Shorten labels and options, or put the inputs below one another."

    def contents(self, path: str) -> Iterator[tuple[str, Content]]:
        for at, field in enumerate(self.fields):
            yield from field.contents(f"{path}/fields/{at}")


class SignatureBlock(BlockPart):
    """Name, date of signing and signature of a recipient, on one page."""

    type: Literal["signatureBlock"]
    recipient: RecipientKey = Field(description="Key of the recipient who signs.", examples=["client"])
    label: SignatureLabel = Field(description="Text above the signature area.", examples=["For the client"])

    @property
    def too_tall(self) -> str:
        return _INPUT_TOO_TALL

    def contents(self, path: str) -> Iterator[tuple[str, Content]]:
        yield f"{path}/label", self.label


Block = Annotated[
    Heading | Paragraph | BulletList | Spacer | PageBreak | Image | InputField | FieldRow | SignatureBlock,
    Field(discriminator="type"),
]


_BY_NAME = {name.split()[0].lower(): tag for tag, name in LANGUAGES.items()}


def _language(tag: str) -> str:
    language = find_language(tag)
    if language is None:
        meant = find_language(tag.replace("_", "-")) or _BY_NAME.get(tag.strip().lower())
        advice = f" Perhaps “{meant}” is meant." if meant else ""
        raise PydanticCustomError("language", f"This must be one of {', '.join(LANGUAGES)}.{advice}")
    return language


Language = Annotated[str, AfterValidator(_language), WithJsonSchema({"type": "string", "enum": [*LANGUAGES]})]
"""A language of the service, as BCP 47 tag (Specification 2.15)."""


MAX_TEXTS = 5_000
"""Maximum number of texts of a document: each item of a list, option and label is laid out and tagged by itself."""


class BlockDocument(Part):
    """A document: a flow of blocks under a title, laid out on A4 pages. Specification 2.5."""

    format: Literal["blocks"]
    title: Text = Field(
        description=f"Title in the header of every page. {_ONE_LINE}", examples=["Consulting agreement"]
    )
    subtitle: Annotated[str, Field(max_length=200)] | None = Field(default=None, description=_SUBTITLE)
    footer_label: Annotated[str, Field(max_length=MAX_TEXT)] | None = Field(
        default=None, description="Text at the foot of every page, before “page X of Y”. Default: the title."
    )
    theme: Theme | None = Field(default=None, description="Colours of the document. null: the classic theme.")
    logo: Logo | None = Field(default=None, description="Image at the right of every page header. null: no logo.")
    language: Language | None = Field(
        default=None, description="Language of captions, text alternatives and the PDF. null: that of the session."
    )
    blocks: Annotated[tuple[Block, ...], Field(min_length=1, max_length=500)] = Field(
        description="The content, in order."
    )

    def in_language(self, default: str | None) -> Self:
        """Returns the document, in the language `default` if it names none."""
        return self if self.language or default is None else self.model_copy(update={"language": default})

    def image_ids(self) -> dict[str, str]:
        """Returns the file ids of images, by the JSON pointer of each reference."""
        logo = {"/logo/fileId": self.logo.file_id} if self.logo else {}
        shown = {
            f"/blocks/{at}/fileId": block.file_id for at, block in enumerate(self.blocks) if isinstance(block, Image)
        }
        return logo | shown

    def inputs(self) -> Iterator[tuple[str, InputField | RowField]]:
        """Yields the inputs in document order, each with its JSON pointer."""
        for at, block in enumerate(self.blocks):
            if isinstance(block, InputField):
                yield f"/blocks/{at}", block
            elif isinstance(block, FieldRow):
                yield from ((f"/blocks/{at}/fields/{number}", field) for number, field in enumerate(block.fields))

    def bound(self) -> Iterator[tuple[str, InputField | RowField | SignatureBlock]]:
        """Yields inputs and signature blocks, which name a recipient, each with its JSON pointer."""
        yield from self.inputs()
        for at, block in enumerate(self.blocks):
            if isinstance(block, SignatureBlock):
                yield f"/blocks/{at}", block

    @cached_property
    def has_runs(self) -> bool:
        """Whether a text has runs."""
        return any(not isinstance(content, str) for _, content in self.contents())

    def texts(self) -> Iterator[tuple[str, str]]:
        """Yields the visible strings in reading order, each with its JSON pointer. Each run is one."""
        if not self.has_runs:
            return cast("Iterator[tuple[str, str]]", self.contents())
        return chain.from_iterable(texts_in(content, path) for path, content in self.contents())

    def whole_texts(self) -> Iterator[tuple[str, str]]:
        """Yields the visible texts in reading order, each with its JSON pointer. All runs of a text are one."""
        if not self.has_runs:
            return cast("Iterator[tuple[str, str]]", self.contents())
        return ((path, joined(content)) for path, content in self.contents())

    def references(self) -> Iterator[tuple[str, str]]:
        """Yields the ids that references name, each with its JSON pointer."""
        if not self.has_runs:
            return iter(())
        return chain.from_iterable(references_in(content, path) for path, content in self.contents())

    def contents(self) -> Iterator[tuple[str, Content]]:
        """Yields the visible texts in reading order, each with its JSON pointer."""
        yield "/title", self.title
        if self.subtitle is not None:
            yield "/subtitle", self.subtitle
        if self.footer_label is not None:
            yield "/footerLabel", self.footer_label
        for at, block in enumerate(self.blocks):
            yield from block.contents(f"/blocks/{at}")

    def exceeding_text(self) -> tuple[str, str] | None:
        """Returns JSON pointer and text where the document exceeds `MAX_TEXTS`; None if it does not."""
        return next(islice(self.whole_texts(), MAX_TEXTS, None), None)

    def laid_out_blocks(self) -> tuple[Block, ...]:
        """Returns the blocks, without those from the one in which `MAX_TEXTS` are exceeded."""
        exceeding = self.exceeding_text()
        return self.blocks if exceeding is None else self.blocks[: int(exceeding[0].split("/")[2])]
