"""Each route of a session where it is accepted and where it is refused (Specification 4.1 to 4.11).

Rules for each status are those of the domain, and tested in `tests/domain/test_transitions.py`.
"""

from collections.abc import Awaitable, Callable
from typing import NamedTuple

import httpx
import pytest

from domain.session.session import Session
from domain.shared.ids import RecipientId
from tests.api.service import Service
from tests.builders import audit, submission

Situation = Callable[[Service, Session], Awaitable[Session]]


async def drafted(_: Service, session: Session) -> Session:
    return session


async def sent(service: Service, session: Session) -> Session:
    return await service.sessions.take(session.send(audit(session.created_at)))


async def half_signed(service: Service, session: Session) -> Session:
    session = await sent(service, session)
    return await service.sessions.take(session.sign(first(session), submission("ada"), audit(session.updated_at)))


async def all_signed(service: Service, session: Session) -> Session:
    return await service.complete((await sent(service, session)).session_id)


async def generated(service: Service, session: Session) -> Session:
    return await service.generate(await all_signed(service, session))


async def declined(service: Service, session: Session) -> Session:
    session = await sent(service, session)
    return await service.sessions.take(session.decline(first(session), "No.", audit(session.updated_at)))


async def expired(service: Service, session: Session) -> Session:
    session = await sent(service, session)
    assert session.expires_at
    return await service.sessions.take(session.expire(audit(session.expires_at)))


def first(session: Session) -> RecipientId:
    return session.recipients[0].recipient_id


SITUATIONS: dict[str, Situation] = {
    "draft": drafted, "pending": sent, "inProgress": half_signed, "completed": all_signed,
    "completedAndGenerated": generated, "declined": declined, "expired": expired,
}  # fmt: skip
ROUTES = {
    "read": ("GET", ""), "events": ("GET", "/Events"), "send": ("POST", "/Send"), "invite": ("POST", "/SendInvitation"),
    "edit": ("PATCH", ""), "extend": ("PATCH", ""), "correct": ("PATCH", "/Recipient/{second}"),
    "remind": ("POST", "/SendReminder"), "open": ("POST", "/Recipient/{second}/SigningUrl"),
    "restore": ("POST", "/Restore"), "archive": ("DELETE", ""), "delete": ("DELETE", "?permanent=true"),
    "documents": ("GET", "/Documents"), "document": ("GET", "/Document/{file}"), "certificate": ("GET", "/Certificate"),
}  # fmt: skip

BODIES = {"edit": {"name": "Lease"}, "extend": {"expiryDays": 60}, "correct": {"name": "Grace Brewster"}}


class Case(NamedTuple):
    """In which status the session is or was before it was archived, and whether its run has ended."""

    status: str
    archived: bool = False
    closed: bool = False


GENERATED, PENDING, DRAFT = Case("completedAndGenerated", closed=True), Case("pending"), Case("draft")
DECLINED, ARCHIVED = Case("declined", closed=True), Case("pending", archived=True)
FILES: dict[Case, str] = {
    GENERATED: "200",
    Case("completed"): "409 DOCUMENT_NOT_READY",
    Case("inProgress"): "409 SESSION_NOT_COMPLETED",
}

ANSWERS: dict[str, dict[Case, str]] = {
    "read": {PENDING: "200 pending", GENERATED: "200 completedAndGenerated", ARCHIVED: "200 cancelled"},
    "events": {DRAFT: "200", ARCHIVED: "200"},
    "send": {DRAFT: "200 pending", PENDING: "400 NOT_A_DRAFT"},
    "invite": {PENDING: "200", DRAFT: "400 SESSION_NOT_ACTIVE"},
    "edit": {DRAFT: "200 draft", PENDING: "400 NOT_A_DRAFT"},
    "extend": {DRAFT: "200 draft", PENDING: "200 pending", DECLINED: "400 NOT_A_DRAFT"},
    "correct": {Case("inProgress"): "200 inProgress", DRAFT: "400 SESSION_NOT_ACTIVE"},
    "remind": {PENDING: "200", ARCHIVED: "400 SESSION_NOT_ACTIVE"},
    "restore": {
        ARCHIVED: "200 pending",
        Case("expired", archived=True, closed=True): "200 expired",
        PENDING: "400 NOT_ARCHIVED",
    },
    "archive": {
        PENDING: "200 cancelled",
        GENERATED: "200 cancelled",
        ARCHIVED: "400 ALREADY_ARCHIVED",
        Case("declined", archived=True, closed=True): "400 ALREADY_ARCHIVED",
    },
    "delete": {PENDING: "200 deleted", DECLINED: "200 deleted", ARCHIVED: "200 deleted"},
    "open": {
        **dict.fromkeys((Case("inProgress"), Case("completed"), GENERATED), "200"),
        PENDING: "400 RECIPIENT_NOT_ACTIVE",
        **dict.fromkeys((DRAFT, DECLINED, Case("expired"), ARCHIVED), "400 SESSION_NOT_ACTIVE"),
    },
    "documents": FILES,
    "document": FILES,
    "certificate": {GENERATED: "200", Case("completed"): "200", DECLINED: "409 SESSION_NOT_COMPLETED"},
}


@pytest.mark.parametrize(
    ("route", "case", "expected"),
    [(route, case, answer) for route, answers in ANSWERS.items() for case, answer in answers.items()],
)
async def test_a_route_accepts_and_refuses(service: Service, route: str, case: Case, expected: str) -> None:
    session = await arranged(service, case)
    answer = await ask(service, session, route)
    assert told(answer) == expected, answer.text


async def arranged(service: Service, case: Case) -> Session:
    """A session in that situation."""
    return await service.prepare(case, lambda: arrange(service, case))


async def arrange(service: Service, case: Case) -> Session:
    created = await service.create(expiryDays=30)
    session = await SITUATIONS[case.status](service, service.sessions.held[created["sessionId"]])
    if case.archived:
        session = await service.sessions.take(session.archive(audit(session.updated_at)))
    if case.closed:
        service.sessions.closed.add(session.session_id)
    return session


async def ask(service: Service, session: Session, route: str) -> httpx.Response:
    method, rest = ROUTES[route]
    named = rest.format(file=session.files[0].file_id, second=session.recipients[1].recipient_id)
    path = f"/api/v1/Session/{session.session_id}{named}"
    return await service.http().request(method, path, json=BODIES.get(route))


def told(answer: httpx.Response) -> str:
    """The status of the answer, and its error or the status of the session in it."""
    body = answer.json() if answer.headers["content-type"] == "application/json" else {}
    return f"{answer.status_code} {body.get('error') or body.get('status') or ''}".strip()


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("status", ["pending", "declined"])
@pytest.mark.parametrize("archived", [False, True])
async def test_every_route_of_a_deleted_session_is_404(
    service: Service, archived: bool, status: str, route: str
) -> None:
    session = await arranged(service, Case(status, archived, closed=status == "declined"))
    await ask(service, session, "delete")
    assert told(await ask(service, session, route)) == "404 NOT_FOUND"


def test_each_route_has_answers() -> None:
    assert ANSWERS.keys() == ROUTES.keys()
