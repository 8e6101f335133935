"""A new session from JSON: the body of Create Session, with a preview."""

from fastapi import Response

from application.documents.body_preview import BodyPreview, issues_in, preview_session, read_body
from application.errors import DocumentValidationFailed, InvalidRequest
from application.scopes import Scope
from application.sessions.create import create_session
from asgi.dependencies import InjectedServices
from domain.session.labels import ExternalIdTaken
from schemas.session_create import EXAMPLE, SessionCreate
from web.app.app_router import app_router
from web.app.current_user import CurrentCaller, CurrentUser, InjectedForm, SignedInUser, attempt_of
from web.app.json_editor import EditedText, Editor, as_text, render_editor, render_preview
from web.app.responses import redirect_with_flash
from web.page_route import READ
from web.texts import APP

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
        created = await create_session(services, caller, draft, attempt_of(caller, "create", edited.text))
    except (InvalidRequest, DocumentValidationFailed, ExternalIdTaken) as refused:
        return await render_editor(services, editor, edited, BodyPreview(issues_in(refused)), is_refused=True)
    return redirect_with_flash(f"/app/sessions/{created.session.session_id}", done="created")


@router.post("/preview")
async def show_preview(services: InjectedServices, posted: InjectedForm, caller: CurrentCaller) -> Response:
    """Returns the preview alone, for the script."""
    edited = EditedText.of(posted.form)
    return await render_preview(services, edited, await preview_session(services, caller, edited.body))
