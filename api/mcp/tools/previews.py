"""The tool that previews a document."""

from base64 import b64encode
from typing import Annotated, Any

from mcp.types import ImageContent
from pydantic import Field, RootModel

from api.mcp.resources import GUIDE
from api.mcp.tool import Answer, Call, tool
from application.documents.page_images import page_thumbnails
from application.preview import preview
from application.schemas.previews import SessionPreview, TemplatePreview
from application.scopes import Scope
from layout.schema.part import WHOLE

MAX_PICTURES = 10
"""Maximum pages that are drawn in one call."""

_FIRST: dict[str, Any] = {
    "type": "integer",
    "minimum": 1,
    "default": 1,
    "description": f"the first page to return a picture of; one call returns at most {MAX_PICTURES}",
}
First = Annotated[int, Field(ge=1), WHOLE]

_BLOCKS = "\n\n" + GUIDE.read()[GUIDE.read().index("## The document") : GUIDE.read().index("## Recipients")].rstrip()
"""The part of the guide on documents: not every client passes resources to its language model."""


class SessionLook(SessionPreview):
    first_picture: First = 1


class TemplateLook(TemplatePreview):
    first_picture: First = 1


class Look(RootModel[Annotated[SessionLook | TemplateLook, Field(discriminator="kind")]]):
    pass


@tool(
    "Preview document",
    "POST /api/v1/Document/Preview",
    Scope.WRITE_SESSIONS,
    Scope.WRITE_TEMPLATES,
    own={"firstPicture": _FIRST},
    appendix=_BLOCKS,
    stores_nothing=True,
)
async def preview_document(call: Call[Look]) -> Answer:
    """Lays out a block document and returns a picture of each page. Stores nothing.

    Use it before create_session and create_template, and after every change, until the pages look right.

    `issues` are mistakes for which the document would be refused, each with its `path` in this input; correct all of
    them at once. `warnings` do not prevent creation; correct them too if possible. `zones` are the places of the inputs
    and signatures of each recipient. `kind` is `session` for a final document, `template` for one with
    `{{{variables}}}`, which are declared in `variables`. `recipients` need only their `key` here.
    """
    look = call.arguments.root
    shown, pdf = await preview(call.services, call.caller, look)
    if pdf is None:
        return Answer.of(shown, "There are no pictures of the pages until these issues are solved.")
    pages = range(look.first_picture, min(look.first_picture + MAX_PICTURES, shown.page_count + 1))
    images = [
        ImageContent(type="image", data=b64encode(picture).decode("ascii"), mime_type="image/png")
        for picture in await call.services.pool.run(page_thumbnails, pdf, pages)
    ]
    return Answer.of(shown, _note(pages, shown.page_count), images)


def _note(pages: range, count: int) -> str:
    if not pages:
        return f"There is no page {pages.start}: the document has {count}."
    note = f"Pictures of pages {pages.start} to {pages.stop - 1} of {count} follow."
    return note if pages.stop > count else f"{note} Pass firstPicture: {pages.stop} for the next ones."
