"""The schema of block documents: all kinds of blocks that a client may send. Specification 2.5, 2.7, 2.8.

Unknown members and block types are rejected, never ignored. JSON members are camelCase, attributes snake_case.
"""

from collections.abc import Iterator
from typing import Annotated, Any, Final, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
    model_validator,
)
from pydantic.alias_generators import to_camel
from pydantic.config import JsonDict
from pydantic_core import PydanticCustomError

from texts.blank import is_blank
from texts.languages import LANGUAGES, find_language

BLANK = "This must not be blank. Enter a text."
FILLED: Final = {"filled": True}
"""Validation context of a document made from a template, whose paragraphs may be blank."""


def not_blank(text: str) -> str:
    """Returns `text`; raises `PydanticCustomError` if it is blank."""
    if is_blank(text):
        raise PydanticCustomError("blank", BLANK)
    return text


def _not_blank_unless_filled(text: str, info: ValidationInfo) -> str:
    return text if info.context == FILLED else not_blank(text)


def _bounds(longest: int) -> Any:  # noqa: ANN401  # what `Field` returns
    return Field(min_length=1, max_length=longest, json_schema_extra={"pattern": r"\S"})


MAX_TEXT = 100_000
"""Maximum length of a text in characters."""

Text = Annotated[str, _bounds(MAX_TEXT), AfterValidator(not_blank)]
HeadingText = Annotated[str, _bounds(500), AfterValidator(not_blank)]
SignatureLabel = Annotated[str, _bounds(100), AfterValidator(not_blank)]
ParagraphText = Annotated[str, _bounds(MAX_TEXT), AfterValidator(_not_blank_unless_filled)]


class Part(BaseModel):
    """Base class of the objects in a block document."""

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=to_camel, validate_by_name=True)


RecipientKey = Annotated[str, Field(max_length=100)]

Colour = Annotated[str, Field(pattern=r"^#?[0-9A-Fa-f]{6}$", max_length=7, examples=["#0f6a73"])]
"""A colour as `#rrggbb`; the `#` may be left out."""


class Theme(Part):
    """The colours of a document and the style of its header band, by default the classic ones. Specification 2.6."""

    header_style: Literal["line", "band"] = "line"
    primary_color: Colour | None = None
    accent_color: Colour | None = None
    text_color: Colour | None = None
    band_text_color: Colour | None = None


ImageId = Annotated[str, Field(min_length=1, max_length=100, description="`fileId` of an uploaded image")]
LEAST_IMAGE_WIDTH = 20
"""Minimum chosen width of images and logos in points."""


class Logo(Part):
    """A picture at the right of the header band, at most 130 x 60 points. Specification 2.5."""

    file_id: ImageId
    width: Annotated[float, Field(ge=LEAST_IMAGE_WIDTH, le=130)] | None = None


class Heading(Part):
    """Bold section heading, never left alone at the bottom of a page."""

    type: Literal["heading"]
    text: HeadingText


class Paragraph(Part):
    """Text that wraps; a newline in it is a line break."""

    type: Literal["paragraph"]
    text: ParagraphText
    font_size: Annotated[float, Field(ge=7, le=24)] | None = None
    bold: bool = False
    muted: bool = False
    align: Literal["left", "center", "right"] = "left"


class BulletList(Part):
    """Entries below one another, each with a bullet."""

    type: Literal["bulletList"]
    items: Annotated[tuple[Text, ...], Field(min_length=1, max_length=50)]


class Spacer(Part):
    """A vertical gap of `height` points."""

    type: Literal["spacer"]
    height: Annotated[float, Field(ge=1, le=600)]


class PageHeader(Part):
    """The title and subtitle that a page break puts on the page after it."""

    title: Text
    subtitle: Annotated[str, Field(max_length=200)] | None = None


def _without_default(schema: JsonDict) -> None:
    """Removes the default from the schema of a member for which null and an omission have different meanings."""
    schema.pop("default", None)


class PageBreak(Part):
    """The next block starts a page.

    `header` omitted keeps the document's header band, null removes it, an object retitles it; `model_fields_set`
    distinguishes omitted from null. `header_scope` says whether that holds for one page, or up to the next page break.
    """

    type: Literal["pageBreak"]
    header: Annotated[PageHeader | None, Field(json_schema_extra=_without_default)] = None
    header_scope: Literal["page", "section"] = "page"

    @model_validator(mode="after")
    def _scope_of_a_header(self) -> Self:
        if self.header_scope == "section" and "header" not in self.model_fields_set:
            raise PydanticCustomError(
                "no_header",
                "Without a header there is no headerScope. Give `header` (null is allowed), or leave this out.",
                {"at": ("headerScope",)},
            )
        return self


class Image(Part):
    """A picture, `width` points wide. Without `width`, a pixel is a point wide, up to the content width."""

    type: Literal["image"]
    file_id: ImageId
    width: Annotated[float, Field(ge=LEAST_IMAGE_WIDTH, le=483)] | None = None
    align: Literal["left", "center", "right"] = "left"


FieldType = Literal[
    "text", "multilineText", "date", "number", "email", "auMobile", "checkbox", "radio", "dropdown", "initials"
]
DateFormat = Literal["DD/MM/YYYY", "DD/MM/YY", "MM/DD/YYYY", "MM/DD/YY", "YYYY-MM-DD", "MM/YYYY", "MM/YY"]
DEFAULT_DATE_FORMAT: DateFormat = "DD/MM/YYYY"
LEAST_CHOICES = 2
"""Minimum number of options of a radio or dropdown field."""

_ONE_OF_SEVERAL = frozenset({"radio", "dropdown"})
_WITH_OPTIONS = _ONE_OF_SEVERAL | {"checkbox"}
_WITHOUT_PLACEHOLDER = frozenset({"checkbox", "radio", "initials"})
Options = Annotated[tuple[Text, ...], Field(min_length=1, max_length=20)]


class Input(Part):
    """The members of an input, alone or in a row. Specification 2.8. `required`: None means the default of its type."""

    field_type: FieldType
    label: Text
    recipient: RecipientKey
    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]+$", max_length=1000)] | None = Field(
        default=None, description="key of the value, unique in the document; default: a slug of the label"
    )
    required: bool | None = Field(default=None, description="default: true, for a checkbox false")
    placeholder: Annotated[str, Field(max_length=MAX_TEXT)] | None = Field(
        default=None, description="hint shown where the recipient types or chooses"
    )
    options: Options | None = Field(
        default=None,
        validate_default=True,
        description="different texts; at least 2 for radio and dropdown; for a checkbox they make a group of boxes",
    )
    date_format: DateFormat | None = Field(default=None, description="of a date; default: DD/MM/YYYY")

    @property
    def is_required(self) -> bool:
        return self.field_type != "checkbox" if self.required is None else self.required

    @field_validator("placeholder")
    @classmethod
    def _placeholder_of_its_type(cls, placeholder: str | None, given: ValidationInfo) -> str | None:
        type_ = given.data.get("field_type")
        if placeholder is not None and type_ in _WITHOUT_PLACEHOLDER:
            raise PydanticCustomError(
                "no_placeholder",
                "A {type} field takes no placeholder. Leave it out, or put the hint in the label.",
                {"type": type_},
            )
        return placeholder

    @field_validator("options")
    @classmethod
    def _options_of_their_type(cls, options: Options | None, given: ValidationInfo) -> Options | None:
        type_ = given.data.get("field_type")
        if type_ is None:
            return options
        if type_ in _ONE_OF_SEVERAL and len(options or ()) < LEAST_CHOICES:
            raise PydanticCustomError("few_options", "A {type} field needs at least 2 options.", {"type": type_})
        if options is not None and type_ not in _WITH_OPTIONS:
            raise PydanticCustomError(
                "no_options",
                "A {type} field takes no options. Leave them out, or make it a radio, dropdown or checkbox field.",
                {"type": type_},
            )
        told_apart = {" ".join(option.split()) for option in options or ()}
        if len(told_apart) < len(options or ()):
            raise PydanticCustomError("equal_options", "Two options are equal. Give each its own text.")
        return options

    @field_validator("date_format")
    @classmethod
    def _format_of_a_date(cls, format_: DateFormat | None, given: ValidationInfo) -> DateFormat | None:
        type_ = given.data.get("field_type")
        if format_ is not None and type_ not in {None, "date"}:
            raise PydanticCustomError(
                "no_format",
                "A {type} field takes no dateFormat. Leave it out, or make it a date.",
                {"type": type_},
            )
        return format_


class InputField(Input):
    """An input that a recipient fills in, spanning the content width."""

    type: Literal["field"]


class RowField(Input):
    """An input in a row of inputs."""


class FieldRow(Part):
    """Inputs side by side in equal columns, kept whole on one page."""

    type: Literal["fieldRow"]
    fields: Annotated[tuple[RowField, ...], Field(min_length=2, max_length=3)]


class SignatureBlock(Part):
    """The signature area of one recipient: name, date signed and signature, never split across pages."""

    type: Literal["signatureBlock"]
    recipient: RecipientKey
    label: SignatureLabel


Block = Annotated[
    Heading | Paragraph | BulletList | Spacer | PageBreak | Image | InputField | FieldRow | SignatureBlock,
    Field(discriminator="type"),
]


def _language(tag: str) -> str:
    language = find_language(tag)
    if language is None:
        raise PydanticCustomError("language", "This must be one of {tags}.", {"tags": ", ".join(LANGUAGES)})
    return language


Language = Annotated[str, AfterValidator(_language), WithJsonSchema({"type": "string", "enum": [*LANGUAGES]})]
"""A language of the service, as BCP 47 tag (Specification 2.15)."""


class BlockDocument(Part):
    """A whole document: a flow of blocks under a title. Specification 2.5."""

    format: Literal["blocks"]
    title: Text
    subtitle: Annotated[str, Field(max_length=200)] | None = None
    footer_label: Annotated[str, Field(max_length=MAX_TEXT)] | None = None
    theme: Theme | None = None
    logo: Logo | None = None
    language: Language | None = None
    blocks: Annotated[tuple[Block, ...], Field(min_length=1, max_length=500)]

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

    def texts(self) -> Iterator[tuple[str, str]]:
        """Yields the visible texts in reading order, each with its JSON pointer."""
        yield "/title", self.title
        if self.subtitle is not None:
            yield "/subtitle", self.subtitle
        if self.footer_label is not None:
            yield "/footerLabel", self.footer_label
        for at, block in enumerate(self.blocks):
            yield from _texts_of_block(block, f"/blocks/{at}")


def _texts_of_block(block: Block, path: str) -> Iterator[tuple[str, str]]:
    match block:
        case Heading() | Paragraph():
            yield f"{path}/text", block.text
        case BulletList():
            yield from ((f"{path}/items/{at}", item) for at, item in enumerate(block.items))
        case InputField():
            yield from _texts_of_input(block, path)
        case FieldRow():
            for at, field in enumerate(block.fields):
                yield from _texts_of_input(field, f"{path}/fields/{at}")
        case SignatureBlock():
            yield f"{path}/label", block.label
        case PageBreak(header=PageHeader() as header):
            yield f"{path}/header/title", header.title
            if header.subtitle is not None:
                yield f"{path}/header/subtitle", header.subtitle


def _texts_of_input(field: Input, path: str) -> Iterator[tuple[str, str]]:
    yield f"{path}/label", field.label
    if field.placeholder is not None:
        yield f"{path}/placeholder", field.placeholder
    yield from ((f"{path}/options/{at}", option) for at, option in enumerate(field.options or ()))
