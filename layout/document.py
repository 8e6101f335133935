"""The block vocabulary: what a client may write. Spec: 2.5 Block document object, 2.7 Block types, 2.8 Fields.

Unknown members and unknown block types are refused, never dropped. JSON members are camelCase, attributes snake_case.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel


class Part(BaseModel):
    """Base of everything inside a block document."""

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=to_camel, validate_by_name=True)


Colour = Annotated[str, Field(pattern=r"^#?[0-9A-Fa-f]{6}$", examples=["#0f6a73"])]
"""A colour as `#rrggbb`; the `#` may be left out."""


class Theme(Part):
    """The colours of a document and the style of its header band; what is omitted stays classic. Spec: 2.6."""

    header_style: Literal["line", "band"] = "line"
    primary_color: Colour | None = None
    accent_color: Colour | None = None
    text_color: Colour | None = None
    band_text_color: Colour | None = None


ImageId = Annotated[str, Field(min_length=1, max_length=100, description="`fileId` of an uploaded image")]


LEAST_IMAGE_WIDTH = 20
"""Points that images and logos are wide at least, where their width is chosen."""


class Logo(Part):
    """A picture at the right of the header band, at most 130 x 60 points. Spec: 2.5."""

    file_id: ImageId
    width: Annotated[float, Field(ge=LEAST_IMAGE_WIDTH, le=130)] | None = None


class Heading(Part):
    """Bold section heading, never left alone at the bottom of a page."""

    type: Literal["heading"]
    text: Annotated[str, Field(min_length=1, max_length=500)]


class Paragraph(Part):
    """Text that wraps; a newline in it is a line break. `font_size` in points."""

    type: Literal["paragraph"]
    text: Annotated[str, Field(min_length=1)]
    font_size: Annotated[float, Field(ge=7, le=24)] | None = None
    bold: bool = False
    muted: bool = False
    align: Literal["left", "center", "right"] = "left"


class Spacer(Part):
    """A vertical gap of `height` points."""

    type: Literal["spacer"]
    height: Annotated[float, Field(ge=1, le=600)]


class PageHeader(Part):
    """The title and subtitle that a page break puts on the page after it."""

    title: Annotated[str, Field(min_length=1)]
    subtitle: Annotated[str, Field(max_length=200)] | None = None


class PageBreak(Part):
    """The next block starts a page.

    `header` omitted keeps the document's header band, null removes it, an object retitles it; `model_fields_set`
    tells omitted from null.
    """

    type: Literal["pageBreak"]
    header: PageHeader | None = None


class Image(Part):
    """A picture, `width` points wide; without it a point for a pixel, as far as the page has room."""

    type: Literal["image"]
    file_id: ImageId
    width: Annotated[float, Field(ge=LEAST_IMAGE_WIDTH, le=483)] | None = None
    align: Literal["left", "center", "right"] = "left"


class InputField(Part):
    """An input that a recipient fills in, spanning the content width. Spec: 2.8.

    `required` None means the type's default: true, for a checkbox false. `name` None means a slug of the label.
    """

    type: Literal["field"]
    field_type: Literal["text", "checkbox"]
    label: Annotated[str, Field(min_length=1)]
    recipient: str
    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]+$")] | None = None
    required: bool | None = None
    placeholder: str | None = None

    @property
    def is_required(self) -> bool:
        return self.field_type != "checkbox" if self.required is None else self.required


class SignatureBlock(Part):
    """Where one recipient signs: name, date signed and signature, never split across pages."""

    type: Literal["signatureBlock"]
    recipient: str
    label: Annotated[str, Field(min_length=1, max_length=100)]


Block = Annotated[
    Heading | Paragraph | Spacer | PageBreak | Image | InputField | SignatureBlock, Field(discriminator="type")
]


class BlockDocument(Part):
    """A whole document: a flow of blocks under a title. Spec: 2.5."""

    format: Literal["blocks"]
    title: Annotated[str, Field(min_length=1)]
    subtitle: Annotated[str, Field(max_length=200)] | None = None
    footer_label: str | None = None
    theme: Theme | None = None
    logo: Logo | None = None
    blocks: Annotated[tuple[Block, ...], Field(min_length=1, max_length=500)]

    def image_ids(self) -> dict[str, str]:
        """The images that it shows, by the JSON pointer of each reference."""
        logo = {"/logo/fileId": self.logo.file_id} if self.logo else {}
        shown = {
            f"/blocks/{at}/fileId": block.file_id for at, block in enumerate(self.blocks) if isinstance(block, Image)
        }
        return logo | shown
