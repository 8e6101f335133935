"""The tool that shows a document before anything is made of it, as it will look."""

from base64 import b64encode
from typing import Annotated, Any

from mcp.types import ImageContent
from pydantic import Field, RootModel

from api.mcp.tool import Answer, Call, Operation, Tool
from application.documents.page_images import page_thumbnails
from application.documents.preview import preview
from application.scopes import Scope
from schemas.base import WHOLE
from schemas.previews import SessionPreview, TemplatePreview

PICTURES = 10
"""Pages that are drawn at once."""

_FIRST: dict[str, Any] = {
    "type": "integer",
    "minimum": 1,
    "default": 1,
    "description": f"the page with which the pictures begin; at most {PICTURES} come at once",
}
First = Annotated[int, Field(ge=1), WHOLE]


class SessionLook(SessionPreview):
    """The document of a session, and where its pictures begin."""

    first_picture: First = 1


class TemplateLook(TemplatePreview):
    """The document of a template, and where its pictures begin."""

    first_picture: First = 1


class Look(RootModel[Annotated[SessionLook | TemplateLook, Field(discriminator="kind")]]):
    """A document to look at."""


async def _preview(call: Call[Look]) -> Answer:
    asked = call.asked.root
    shown, pdf = await preview(call.services, call.caller, asked)
    if pdf is None:
        return Answer.of(shown, "There are no pictures of the pages until these issues are solved.")
    pages = range(asked.first_picture, min(asked.first_picture + PICTURES, shown.page_count + 1))
    pictures = await call.services.pool.run(page_thumbnails, pdf, pages)
    images = [
        ImageContent(type="image", data=b64encode(picture).decode("ascii"), mime_type="image/png")
        for picture in pictures
    ]
    return Answer.of(shown, _note(pages, shown.page_count), images)


def _note(pages: range, count: int) -> str:
    if not pages:
        return f"There is no page {pages.start}: the document has {count}."
    said = f"Pictures of pages {pages.start} to {pages.stop - 1} of {count} follow."
    return said if pages.stop > count else f"{said} firstPicture: {pages.stop} shows the next ones."


PREVIEW = Tool(
    name="preview_document",
    title="Preview document",
    description="""\
Lays out a block document and shows it, with a picture of each page, without keeping anything. Use it before \
create_session and create_template, and again after every change, until it looks right.

`issues` are mistakes for which the document would be refused, each with its `path` in this input; correct all of \
them at once. `warnings` keep nothing from being made, but are worth a correction. `zones` say on which page and \
where each recipient fills in and signs. `kind` is `session` for a final document, `template` for one with \
`{{{variables}}}`, which are declared in `variables`. `recipients` need only their `key` here. Document and blocks \
are those of create_session.""",
    operation=Operation("POST", "/api/v1/Document/Preview"),
    scopes=(Scope.WRITE_SESSIONS, Scope.WRITE_TEMPLATES),
    asked=Look,
    act=_preview,
    own={"firstPicture": _FIRST},
)
