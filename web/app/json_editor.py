"""The JSON editor of sessions and templates: the text, its issues at their lines, and one page of its preview."""

import base64
import gzip
import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from itertools import islice
from typing import NamedTuple

from fastapi import Response

from application.documents.page_images import page_svg_gz
from application.errors import DocumentValidationFailed, InvalidRequest, RequestIssue
from application.preview import BodyPreview, PreviewedDocument, issues_in, preview_session, read_body
from application.schemas.session_create import EXAMPLE, SessionCreate
from application.scopes import Scope
from application.services import Services
from application.sessions.create import create_session
from application.validation_issues import pointer
from domain.ports.process_pool import lower_priority
from domain.session.labels import ExternalIdTaken
from domain.shared.whole_numbers import read_whole_number
from web.app.app_router import app_router
from web.app.current_user import CurrentCaller, CurrentUser, InjectedForm, PreviewForm, SignedInUser
from web.app.pages_with_fields import DocumentPages, build_document_pages
from web.app.responses import redirect_with_flash
from web.asgi.dependencies import InjectedServices
from web.forms import PostedForm
from web.html_response import render
from web.page_route import READ
from web.texts import APP

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
"""Matches a string, a punctuation mark or another scalar of valid JSON."""


def lines_of(text: str, pointers: Collection[str]) -> dict[str, int]:
    """Returns the line (from 1) of each of `pointers` in the valid JSON `text`.

    The line of a member is that of its name. A missing value has the line of the nearest object or array around it.
    """
    # the whole body has the first place; bodies beyond the limits have no issue of another one
    places = dict(_places(text) if any(pointers) else islice(_places(text), 1))
    lines: dict[str, int] = {}
    for wanted in pointers:
        nearest = wanted
        while nearest and nearest not in places:
            nearest = nearest.rpartition("/")[0]
        lines[wanted] = text.count("\n", 0, places.get(nearest, 0)) + 1
    return lines


def _places(text: str) -> Iterator[tuple[str, int]]:
    """Yields the JSON pointer of each value in `text` with its offset."""
    open_marks: list[str] = []
    steps: list[int | str] = []
    is_name_next = False
    for token in _TOKEN.finditer(text):
        written = token[0]
        if written == ":":
            is_name_next = False
        elif written == ",":
            is_name_next = open_marks[-1] == "{"
            if not is_name_next:
                steps[-1] = int(steps[-1]) + 1
        elif written in {"}", "]"}:
            open_marks.pop()
            steps.pop()
        elif is_name_next:
            steps[-1] = json.loads(written)
            yield pointer(steps), token.start()
        else:
            if not open_marks or open_marks[-1] == "[":
                yield pointer(steps), token.start()
            if written in {"{", "["}:
                open_marks.append(written)
                steps.append("" if written == "{" else 0)
                is_name_next = written == "{"


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
        return EditedText(form.get("body", "").replace("\r\n", "\n"), read_whole_number(number) or 1)

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
        found = (LineIssue(lines.get(issue.path, issue.line), issue.path, issue.message) for issue in issues)
        return tuple(sorted(found, key=lambda issue: issue.line))

    page = await _page(services, preview.documents, number) if pages else None
    return ShownPreview(at_lines(preview.issues), at_lines(preview.warnings), number, pages, page)


async def _page(services: Services, documents: Sequence[PreviewedDocument], number: int) -> DocumentPages:
    """Returns page `number` of all `documents`, as the only page of its document. Its image is a data URL."""
    for document in documents:
        if number <= document.page_count:
            break
        number -= document.page_count
    lower_priority()
    packed = await services.pool.run(page_svg_gz, document.pdf, number)
    image = f"data:image/svg+xml;base64,{base64.b64encode(gzip.decompress(packed)).decode()}"
    addresses = [""] * document.page_count
    built = build_document_pages(document.title, "preview", addresses, document.zones, document.names)
    return replace(built, pages=(replace(built.pages[number - 1], address=image),))


router = app_router("/new/json", read=Scope.WRITE_SESSIONS)

_OF_APPS = {"sendImmediately", "callbackUrl"}
_START = EditedText(as_text({name: member for name, member in EXAMPLE.items() if name not in _OF_APPS}))
"""The text of a new page: the example of the API."""


def _editor(person: SignedInUser) -> Editor:
    return Editor(
        person=person,
        path="/app/new/json",
        preview="/app/new/json/preview",
        title=APP.json_session,
        lead=APP.json_session_lead,
        submit=APP.create_draft,
        back=("/app/new", APP.new),
        here="sessions",
    )


@router.api_route("", methods=READ)
async def show_editor(services: InjectedServices, person: CurrentUser, caller: CurrentCaller) -> Response:
    preview = await preview_session(services, caller, _START.body)
    return await render_editor(services, _editor(person), _START, preview)


@router.post("")
async def create_draft(services: InjectedServices, posted: InjectedForm, caller: CurrentCaller) -> Response:
    """Creates a draft, and redirects to it. Shows the page again if there are issues, or for a preview.

    The draft is never sent at once, even if the text requests it: a user reviews it first.
    """
    edited, editor = EditedText.of(posted.form), _editor(posted.person)
    if posted.form.get("do") != "create":
        preview = await preview_session(services, caller, edited.body)
        return await render_editor(services, editor, edited, preview)
    try:
        request = await read_body(services, caller, edited.body, SessionCreate)
        draft = request.model_copy(update={"send_immediately": False})
        created = await create_session(services, caller, draft, posted.attempt)
    except (InvalidRequest, DocumentValidationFailed, ExternalIdTaken) as refused:
        return await render_editor(services, editor, edited, BodyPreview(issues_in(refused)), is_refused=True)
    return redirect_with_flash(f"/app/sessions/{created.session.session_id}", done="created")


@router.post("/preview")
async def show_preview(services: InjectedServices, posted: PreviewForm, caller: CurrentCaller) -> Response:
    """Returns the preview alone, for the script."""
    edited = EditedText.of(posted.form)
    return await render_preview(services, edited, await preview_session(services, caller, edited.body))
