"""The JSON editor of sessions and templates: the text, its issues at their lines, and one page of its preview."""

import base64
import gzip
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import NamedTuple

from fastapi import Response

from application.documents.body_preview import BodyPreview, PreviewedDocument
from application.documents.json_lines import lines_of
from application.documents.page_images import page_svg_gz
from application.errors import RequestIssue
from application.services import Services
from web.app.current_user import SignedInUser
from web.app.pages_with_fields import DocumentPages, build_document_pages
from web.forms import PostedForm
from web.html_response import render

_JSON_LINE = re.compile(r"line (\d+)")


@dataclass(frozen=True, slots=True)
class Editor:
    """A page with the editor. `path` is the address of its form, `preview` that of its previews."""

    person: SignedInUser
    path: str
    preview: str
    title: str
    lead: str
    submit: str
    back: tuple[str, str]
    here: str


class LineIssue(NamedTuple):
    """An issue or a warning, with the line of the text (from 1) that it is about."""

    line: int
    path: str
    message: str


@dataclass(frozen=True, slots=True)
class ShownPreview:
    """The preview as it is shown: issues, warnings, and page `number` (from 1) of `pages`.

    `page` is None if the preview has no pages.
    """

    issues: Sequence[LineIssue]
    warnings: Sequence[LineIssue]
    number: int
    pages: int
    page: DocumentPages | None


class EditedText(NamedTuple):
    """The text in the editor, and the page (from 1) of its preview."""

    text: str
    number: int = 1

    @staticmethod
    def of(form: PostedForm) -> "EditedText":
        """Returns the posted text, and the page that the pressed button names, or else the page that was shown."""
        number = form.get("page") or form.get("at", "1")
        is_number = number.isascii() and number.isdigit() and len(number) < 6
        return EditedText(form.get("body", "").replace("\r\n", "\n"), max(int(number), 1) if is_number else 1)

    @property
    def body(self) -> bytes:
        return self.text.encode()


def as_text(body: object) -> str:
    """Returns `body` as indented JSON."""
    return json.dumps(body, ensure_ascii=False, indent=2)


async def render_editor(
    services: Services, editor: Editor, edited: EditedText, preview: BodyPreview, *, is_refused: bool = False
) -> Response:
    """Shows the editor with its text and preview. `is_refused`: the text was not saved, because it has issues."""
    shown = await _shown(services, edited, preview)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if is_refused else HTTPStatus.OK
    context = {"person": editor.person, "editor": editor, "text": edited.text, "shown": shown, "is_refused": is_refused}
    return render("app/json-editor.html", status, **context)


async def render_preview(services: Services, edited: EditedText, preview: BodyPreview) -> Response:
    """Returns the preview alone, for the script of the editor."""
    return render("app/json-preview.html", shown=await _shown(services, edited, preview))


async def _shown(services: Services, edited: EditedText, preview: BodyPreview) -> ShownPreview:
    text, pages = edited.text, sum(document.page_count for document in preview.documents)
    number = min(edited.number, max(pages, 1))
    # A text that exceeds the limits of the API has one issue without a path, so it is not searched for paths.
    places = [issue.path for issue in (*preview.issues, *preview.warnings) if issue.path]
    lines = lines_of(text, places) if places else {}

    def at_lines(issues: Sequence[RequestIssue]) -> tuple[LineIssue, ...]:
        found = (LineIssue(lines.get(issue.path) or _line_in(issue.message), *issue) for issue in issues)
        return tuple(sorted(found, key=lambda issue: issue.line))

    page = await _page(services, preview.documents, number) if pages else None
    return ShownPreview(at_lines(preview.issues), at_lines(preview.warnings), number, pages, page)


def _line_in(message: str) -> int:
    """Returns the line that the message of a JSON syntax error names; 1 if it names none."""
    found = _JSON_LINE.search(message)
    return int(found[1]) if found else 1


async def _page(services: Services, documents: Sequence[PreviewedDocument], number: int) -> DocumentPages:
    """Returns page `number` of all `documents`, as the only page of its document. Its image is a data URL."""
    for document in documents:
        if number <= document.page_count:
            break
        number -= document.page_count
    packed = await services.pool.run(page_svg_gz, document.pdf, number)
    image = f"data:image/svg+xml;base64,{base64.b64encode(gzip.decompress(packed)).decode()}"
    addresses = [""] * document.page_count
    built = build_document_pages(document.title, "preview", addresses, document.zones, document.names)
    return replace(built, pages=(replace(built.pages[number - 1], address=image),))
