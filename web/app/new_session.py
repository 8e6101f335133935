"""New sessions from a template: the choice of the template, the form, and the creation of the draft."""

from collections.abc import Sequence
from http import HTTPStatus

from fastapi import Request, Response

from application.caller import Caller
from application.errors import (
    DocumentValidationFailed,
    InvalidRequest,
    InvalidVariableValues,
    RequestIssue,
    TemplateArchived,
    TemplateNotActive,
)
from application.idempotency import Attempt
from application.parse_json import parse_json
from application.schemas.session_from_template import SessionFromTemplate
from application.scopes import Scope
from application.services import Services
from application.templates.create_session import create_session, issues_of_values, with_all_issues
from application.templates.templates import get_template
from domain.session.session import Session
from domain.templates.template import TemplateStatus
from web.app.app_router import app_router
from web.app.current_user import CurrentCaller, CurrentUser, InjectedForm, SignedInUser
from web.app.responses import redirect_with_flash
from web.app.session_form import InputIssue, SessionForm
from web.app.template_pages import PER_PAGE, page_count, page_number
from web.asgi.dependencies import InjectedServices
from web.html_response import render
from web.page_route import READ

router = app_router("/new", read=Scope.WRITE_SESSIONS)

_ACTIVE = frozenset({TemplateStatus.ACTIVE})


@router.api_route("", methods=READ)
async def choose_template(
    request: Request, services: InjectedServices, person: CurrentUser, caller: CurrentCaller
) -> Response:
    """Shows the active templates, the most recently changed first."""
    page = page_number(request)
    listed = await services.templates.list(caller.organisation_id, _ACTIVE, PER_PAGE, (page - 1) * PER_PAGE)
    return render(
        "app/new.html",
        person=person,
        rows=listed.rows,
        total=listed.total,
        page=page,
        pages=page_count(listed.total),
    )


@router.api_route("/{template_id}", methods=READ)
async def show_form(
    services: InjectedServices, person: CurrentUser, caller: CurrentCaller, template_id: str
) -> Response:
    template = await get_template(services.templates, caller.organisation_id, template_id)
    if template.status is not TemplateStatus.ACTIVE:
        return redirect_with_flash(f"/app/templates/{template.template_id}", error="template-not-active")
    return _form_page(person, SessionForm.of(template))


@router.post("/{template_id}")
async def create_draft(
    services: InjectedServices, posted: InjectedForm, caller: CurrentCaller, template_id: str
) -> Response:
    """Creates a draft, and redirects to it; shows the form again if there are issues."""
    template = await get_template(services.templates, caller.organisation_id, template_id)
    form = SessionForm.of(template).entered(posted.form)
    try:
        session = await _create(services, caller, form, posted.attempt)
    except (TemplateArchived, TemplateNotActive):
        return redirect_with_flash(f"/app/templates/{template.template_id}", error="template-not-active")
    except (InvalidRequest, InvalidVariableValues) as refused:
        return _form_page(posted.person, form, form.issues(refused.issues))
    except DocumentValidationFailed as refused:
        found = [RequestIssue(filed.path, filed.issue.message) for filed in refused.issues]
        return _form_page(posted.person, form, form.issues(found))
    return redirect_with_flash(f"/app/sessions/{session.session_id}", done="created")


async def _create(services: Services, caller: Caller, form: SessionForm, attempt: Attempt) -> Session:
    """Creates the draft as the API does. Raises the errors of `create_session`, or `InvalidRequest` with all issues."""
    try:
        request = await parse_json(form.body, SessionFromTemplate, services)
    except InvalidRequest as refused:
        every = await with_all_issues(services.templates, caller.organisation_id, form.body, refused)
        raise InvalidRequest([*issues_of_values(form.template, form.entered_values), *every.issues]) from refused
    return (await create_session(services, caller, request, attempt)).session


def _form_page(person: SignedInUser, form: SessionForm, issues: Sequence[InputIssue] = ()) -> Response:
    problems: dict[str, str] = {}
    for issue in issues:
        problems.setdefault(issue.input_id, issue.message)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if issues else HTTPStatus.OK
    return render("app/new-session.html", status, person=person, entry=form, summary=issues, problems=problems)
