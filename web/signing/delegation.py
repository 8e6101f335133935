"""The page on which a recipient passes their turn on to another person."""

from collections.abc import Mapping
from http import HTTPStatus

import structlog
from fastapi import Response
from pydantic_core import to_json

from application.errors import InvalidRequest, RecipientBudgetSpent, RecipientDomainNotAllowed
from application.parse_json import parse_json
from application.schemas.session_actions import DelegateCreate
from application.sessions.delegate import pass_on
from domain.session.value_parsers import many_lines
from domain.shared.errors import AlreadySigned, LinkNotValid, RecipientNotActive, SessionNotActive, TooOften
from domain.shared.limits import MAX_MESSAGE
from domain.texts.combining_marks import MAX_MARKS, has_too_many_marks
from web.errors import OUTAGES
from web.html_response import SHOW, render
from web.page_route import READ, OwnPagesOnly, page_router
from web.sender_identity import find_sender
from web.signing.recipient_access import InjectedVisit, Visit
from web.texts import PAGES

router = page_router("/signing/{recipient_id}/delegate")

log = structlog.get_logger(__name__)

INPUTS = ("name", "email", "reason")
"""The names of the inputs. Programs post this form too: they never change."""

Texts = Mapping[str, str]


@router.api_route("", methods=READ)
async def show_delegation(visit: InjectedVisit) -> Response:
    return await _form(visit, {}, {})


async def _form(visit: Visit, values: Texts, problems: Texts, status: HTTPStatus = HTTPStatus.OK) -> Response:
    """Shows the form, with the posted `values` and the `problems` by the name of the input; "" means the whole form."""
    if visit.access.is_signed or not visit.access.may_delegate:
        return visit.redirect_to_documents()
    return render(
        "delegate.html",
        status,
        session=visit.session,
        recipient=visit.recipient,
        here=visit.access.address,
        host_page=visit.access.host,
        csrf=visit.form_token,
        typed_in="delegate",
        values={name: values.get(name, "") for name in INPUTS},
        problems=problems,
        sender=await find_sender(visit.services, visit.session),
    )


def _problem(name: str, value: str) -> str:
    """Returns the message about an input in the language of the page. The issues of the request are in English."""
    if not value:
        return PAGES.table("delegation_missing")[name]
    if has_too_many_marks(value):
        return PAGES.too_many_marks.format(most=MAX_MARKS)
    return (
        PAGES.reason_too_long.format(limit=MAX_MESSAGE) if name == "reason" else PAGES.table("delegation_invalid")[name]
    )


def _refusal(refused: Exception) -> tuple[Texts, HTTPStatus]:
    """Returns the problem and the status of the page for a limit that is reached."""
    if isinstance(refused, RecipientDomainNotAllowed):
        problem = PAGES.delegation_domains.format(domains=PAGES.names(refused.allowed))
        return {"email": problem}, HTTPStatus.UNPROCESSABLE_ENTITY
    is_spent = isinstance(refused, RecipientBudgetSpent)
    return {"": PAGES.delegation_limit if is_spent else PAGES.delegated_too_often}, HTTPStatus.TOO_MANY_REQUESTS


@router.post("", dependencies=[OwnPagesOnly])
async def delegate(visit: InjectedVisit) -> Response:
    """Passes the turn on, or shows the form again with the typed values and the problems."""
    form = await visit.read_form()
    values = {name: many_lines(form.get(name, "")).strip() for name in INPUTS}
    if SHOW in form:
        return await _form(visit, values, {})
    try:
        wanted = await parse_json(to_json(values), DelegateCreate, visit.services)
        await pass_on(visit.services, visit.session, visit.action(), wanted)
    except InvalidRequest as refused:
        inputs = {issue.path.removeprefix("/") for issue in refused.issues}
        problems = {name: _problem(name, values[name]) for name in inputs}
        return await _form(visit, values, problems, HTTPStatus.UNPROCESSABLE_ENTITY)
    except (RecipientDomainNotAllowed, RecipientBudgetSpent, TooOften) as refused:
        return await _form(visit, values, *_refusal(refused))
    except (AlreadySigned, LinkNotValid, RecipientNotActive, SessionNotActive):
        return visit.redirect_to_documents()  # a change in between, which that page shows
    except OUTAGES as error:
        log.warning("turn not passed on", error=type(error).__name__)
        return await _form(visit, values, {"": PAGES.delegation_not_reached}, HTTPStatus.SERVICE_UNAVAILABLE)
    return visit.redirect_to_documents()
