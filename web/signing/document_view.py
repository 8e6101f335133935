"""Views of documents as HTML. The `type` of a view or block is the name of its macro in `templates/blocks.html`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from application.stamping.inputs import FieldPlacement
from domain.session.fields import Field
from domain.session.recipients import Recipient
from domain.session.submission import FieldValue, SubmittedContent
from domain.shared.ids import FileId
from layout.schema.block_document import (
    Block,
    BulletList,
    FieldRow,
    Heading,
    Image,
    InputField,
    Paragraph,
    SignatureBlock,
)
from layout.theme_styles import theme_of
from layout.zone import ZoneType
from web.forms import PostedForm
from web.signing.clause_views import ClauseViewer, HeadingView, ListView, ParagraphView
from web.signing.field_views import OthersInputView, OwnInputView, element_ids, view_own_input
from web.signing.page_images import Frame, ImageView, view_image, view_logo
from web.signing.places_on_page import place_of
from web.signing.resolve_link import RecipientAccess
from web.signing.session_documents import SessionDocument


@dataclass(frozen=True, slots=True)
class SignatureView:
    """A signature block of the viewing recipient (`is_own`) or of another, with its place on the pages.

    `png_base64` is the image of the signature of another who has signed.
    """

    type: ClassVar[str] = "signature"
    label: str
    recipient: Recipient
    is_own: bool
    place: str
    png_base64: str | None


InputView = OwnInputView | OthersInputView


@dataclass(frozen=True, slots=True)
class RowView:
    """Inputs side by side on wide screens."""

    type: ClassVar[str] = "field_row"
    fields: tuple[InputView, ...]


BlockView = Block | HeadingView | ImageView | InputView | ListView | ParagraphView | RowView | SignatureView
"""A block without a view of its own is rendered by the macro of its type."""


@dataclass(frozen=True, slots=True)
class DocumentView:
    file_id: FileId
    language: str | None
    title: str
    subtitle: str | None
    logo: ImageView | None
    has_band: bool
    blocks: tuple[BlockView, ...]

    @property
    def headings(self) -> tuple[HeadingView, ...]:
        return tuple(block for block in self.blocks if isinstance(block, HeadingView))


@dataclass(frozen=True, slots=True)
class ViewContext:
    """The viewing recipient, their `form` so far, its `problems` by field key, and the values that others `submitted`.

    `rooms` is the result of `estimate_rooms`.
    """

    access: RecipientAccess
    submitted: Mapping[str, SubmittedContent]
    form: PostedForm
    problems: Mapping[str, str]
    rooms: Mapping[str, int]


def view_documents(documents: Sequence[SessionDocument], viewing: ViewContext) -> tuple[DocumentView, ...]:
    """Returns the views of the documents, with the inputs of the viewing recipient."""
    fields = [blank.field for document in documents for blank in document.blanks_of(viewing.access.recipient)]
    ids = element_ids(fields)
    views = (_DocumentViewer(document, viewing, ids) for document in documents)
    return tuple(viewer.view() for viewer in views)


class _DocumentViewer:
    """Builds the views of the blocks of one document."""

    def __init__(self, document: SessionDocument, viewing: ViewContext, ids: Mapping[str, str]) -> None:
        self._document = document
        self._clauses = ClauseViewer(document.blocks, document.file.file_id)
        self._viewing = viewing
        self._ids = ids
        self._people = {recipient.key: recipient for recipient in viewing.access.session.recipients}
        self._blanks = {
            blank.zone.path: blank for person in self._people.values() for blank in document.blanks_of(person)
        }

        self._signature_places = {
            zone.path: place_of(zone) for zone in document.zones if zone.type is ZoneType.SIGNATURE
        }

    def view(self) -> DocumentView:
        source = self._document.blocks
        blocks = tuple(self._view_block(block, f"/blocks/{at}") for at, block in enumerate(source.blocks))
        return DocumentView(
            file_id=self._document.file.file_id,
            language=source.language,
            title=source.title,
            subtitle=source.subtitle,
            logo=self._view_logo(),
            has_band=theme_of(source.theme).is_band,
            blocks=blocks,
        )

    def _view_logo(self) -> ImageView | None:
        logo = self._document.blocks.logo
        return view_logo(self._document.images[logo.file_id], self._frame(logo.width)) if logo else None

    def _frame(self, width: float | None, align: str = "left") -> Frame:
        return Frame(self._viewing.access.address, self._document.file.file_id, width, align)

    def _view_block(self, block: Block, path: str) -> BlockView:  # noqa: PLR0911  # one for each kind
        match block:
            case Heading():
                return self._clauses.heading(block.text, path)
            case Paragraph():
                return self._clauses.paragraph(block, path)
            case BulletList():
                return self._clauses.list(block)
            case Image():
                return view_image(self._document.images[block.file_id], self._frame(block.width, block.align))
            case InputField():
                return self._view_input(self._blanks[path])
            case FieldRow():
                return RowView(
                    tuple(self._view_input(self._blanks[f"{path}/fields/{at}"]) for at in range(len(block.fields)))
                )
            case SignatureBlock():
                person = self._people[block.recipient]
                place = self._signature_places.get(path, "")
                content = self._viewing.submitted.get(person.key)
                image = content.signature.png_base64 if content else None
                return SignatureView(block.label, person, person == self._viewing.access.recipient, place, image)
            case _:
                return block

    def _view_input(self, blank: FieldPlacement) -> InputView:
        field, viewing = blank.field, self._viewing
        owner = self._people[blank.zone.recipient]
        if owner == viewing.access.recipient:
            problem, room = viewing.problems.get(field.key), viewing.rooms.get(field.key)
            return view_own_input(blank, self._ids[field.key], viewing.form, problem, room)
        return OthersInputView(field, owner.name, self._submitted_value(owner, field))

    def _submitted_value(self, recipient: Recipient, field: Field) -> FieldValue | None:
        content = self._viewing.submitted.get(recipient.key)
        if content is None:
            return None
        empty = FieldValue(file_id=field.file_id, name=field.name, value="")
        return next((v for v in content.values if (v.file_id, v.name) == (field.file_id, field.name)), empty)
