"""Every route of a session in every status, while its run goes on and after it (Specification 4.1 to 4.11)."""

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

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
ENDED = ("completedAndGenerated", "declined", "expired")
"""Statuses of sessions whose runs end, archived or not."""

ROUTES = {
    "read": ("GET", ""), "events": ("GET", "/Events"), "send": ("POST", "/Send"), "invite": ("POST", "/SendInvitation"),
    "edit": ("PATCH", ""), "extend": ("PATCH", ""), "correct": ("PATCH", "/Recipient/{second}"),
    "remind": ("POST", "/SendReminder"),
    "restore": ("POST", "/Restore"), "archive": ("DELETE", ""), "delete": ("DELETE", "?permanent=true"),
    "documents": ("GET", "/Documents"), "document": ("GET", "/Document/{file}"), "certificate": ("GET", "/Certificate"),
}  # fmt: skip

BODIES = {"edit": {"name": "Lease"}, "extend": {"expiryDays": 60}, "correct": {"name": "Grace Brewster"}}

NOT_SIGNED = dict.fromkeys(("documents", "document", "certificate"), "409 SESSION_NOT_COMPLETED")
ALWAYS = {"read": "200 {status}", "events": "200", "delete": "200 deleted", "archive": "200 cancelled"}
LEAST = {
    **ALWAYS,
    **NOT_SIGNED,
    "send": "400 NOT_A_DRAFT",
    "invite": "400 SESSION_NOT_ACTIVE",
    "edit": "400 NOT_A_DRAFT",
    "extend": "400 NOT_A_DRAFT",
    "correct": "400 SESSION_NOT_ACTIVE",
    "remind": "400 SESSION_NOT_ACTIVE",
    "restore": "400 NOT_ARCHIVED",
}
"""What is answered unless a status says otherwise."""

NOT_READY = dict.fromkeys(("documents", "document"), "409 DOCUMENT_NOT_READY")
HANDED_OUT = dict.fromkeys(("documents", "document", "certificate"), "200")
CHANGEABLE = dict.fromkeys(("invite", "remind"), "200")
TABLE: dict[str, dict[str, str]] = {
    "draft": {**LEAST, "send": "200 pending", "edit": "200 draft", "extend": "200 draft"},
    "pending": {**LEAST, **CHANGEABLE, "extend": "200 pending", "correct": "200 pending"},
    "inProgress": {**LEAST, **CHANGEABLE, "extend": "200 inProgress", "correct": "200 inProgress"},
    "completed": {**LEAST, **NOT_READY, "certificate": "200"},
    "completedAndGenerated": {**LEAST, **HANDED_OUT}, "declined": LEAST, "expired": LEAST,
}  # fmt: skip
ARCHIVED = {**LEAST, "archive": "400 ALREADY_ARCHIVED", "restore": "200 {before}"}
"""What is answered of every archived session."""


class Case(NamedTuple):
    """In which status the session is or was before it was archived, and whether its run has ended."""

    status: str
    archived: bool
    closed: bool


def rows() -> list[Any]:
    found = []
    for status, answers in TABLE.items():
        for archived in (False, True):
            for closed in (False, True) if status in ENDED else (False,):
                for route, answer in (ARCHIVED if archived else answers).items():
                    expected = answer.format(status="cancelled" if archived else status, before=status)
                    name = f"{route} {'archived ' if archived else ''}{status}{', run ended' if closed else ''}"
                    found.append(pytest.param(Case(status, archived, closed), route, expected, id=name))
    return found


@pytest.mark.parametrize(("case", "route", "expected"), rows())
async def test_every_route_in_every_status(service: Service, case: Case, route: str, expected: str) -> None:
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


def test_the_table_leaves_nothing_out() -> None:
    assert TABLE.keys() == SITUATIONS.keys()
    assert all(answers.keys() == ROUTES.keys() for answers in (*TABLE.values(), ARCHIVED))
