"""New invitations (Specification 4.10)."""

from typing import Any, cast

import httpx
import pytest

from application.services import Services
from application.sessions.organisation_actions import find_sending_user
from domain.audit.events import Actor, ActorKind
from domain.session.session import Session
from domain.session.signing_links import find_by_link, link_hash, link_secret
from domain.shared.errors import LinkNotValid
from domain.shared.ids import ClientId, RecipientId, SessionId, UserId
from tests.api.service import STRANGER, Service, issues_by_path
from tests.builders import audit, identifier, submission
from tests.fakes.sessions import LINK_KEY


async def invite(service: Service, session: Any, **body: object) -> httpx.Response:
    return await service.http().post(f"/api/v1/Session/{session['sessionId']}/SendInvitation", json=body)


def held(service: Service, session: Any) -> Session:
    return service.sessions.held[SessionId(session["sessionId"])]


async def signed_by_first(service: Service, session: Any) -> None:
    first = RecipientId(session["recipients"][0]["recipientId"])
    await service.sessions.take(held(service, session).sign(first, submission(), audit()))


async def test_without_a_body_the_next_recipient_is_invited(service: Service) -> None:
    session = await service.create(sendImmediately=True)
    answer = await service.http().post(f"/api/v1/Session/{session['sessionId']}/SendInvitation")
    assert answer.status_code == 200, answer.text
    ada = (await service.http().get(f"/api/v1/Session/{session['sessionId']}")).json()["recipients"][0]
    assert answer.json() == {
        "success": True,
        "sessionId": session["sessionId"],
        "recipientId": ada["recipientId"],
        "recipientEmail": "ada@example.com",
        "sentAt": ada["sentAt"],
    }


async def test_the_next_is_whoever_has_not_signed(service: Service) -> None:
    session = await service.create(sendImmediately=True)
    await signed_by_first(service, session)
    answer = await invite(service, session)
    assert answer.json()["recipientEmail"] == "grace@example.com"


async def test_the_new_link_replaces_the_earlier_one(service: Service) -> None:
    session = await service.create(sendImmediately=True)
    ada = session["recipients"][0]["recipientId"]
    await invite(service, session, recipientId=ada)
    now = held(service, session)
    first, second = (link_secret(LINK_KEY, session["sessionId"], ada, number) for number in (1, 2))
    assert find_by_link(LINK_KEY, now, link_hash(second)).recipient_id == ada
    with pytest.raises(LinkNotValid):
        find_by_link(LINK_KEY, now, link_hash(first))
    events = (await service.http().get(f"/api/v1/Session/{session['sessionId']}/Events")).json()["events"]
    assert [event["type"] for event in events[2:]] == ["recipient.invited", "recipient.invited"]


@pytest.mark.parametrize("members", [("recipientId",), ("recipientEmail",), ("recipientId", "recipientEmail")])
async def test_a_recipient_is_named_by_id_by_address_or_by_both(service: Service, members: tuple[str, ...]) -> None:
    people = [{"key": key, "name": key, "email": f"{key}@example.com", "signingOrder": 1} for key in ("ada", "grace")]
    session = await service.create(recipients=people, files=session_files(), sendImmediately=True)
    grace = session["recipients"][1]
    names = {"recipientId": grace["recipientId"], "recipientEmail": "Grace@Example.com"}
    answer = await invite(service, session, **{member: names[member] for member in members})
    assert answer.json()["recipientId"] == grace["recipientId"]


async def test_a_shared_address_means_the_recipient_in_turn(service: Service) -> None:
    people = [{"key": key, "name": key, "email": "office@example.com"} for key in ("ada", "grace")]
    session = await service.create(recipients=people, sendImmediately=True)
    await signed_by_first(service, session)
    answer = await invite(service, session, recipientEmail="office@example.com")
    assert answer.json()["recipientId"] == session["recipients"][1]["recipientId"]


async def test_an_id_and_an_address_of_different_people_are_refused(service: Service) -> None:
    session = await service.create(sendImmediately=True)
    ada = session["recipients"][0]["recipientId"]
    answer = await invite(service, session, recipientId=ada, recipientEmail="grace@example.com")
    assert (answer.status_code, answer.json()["error"]) == (400, "INVALID_REQUEST")
    assert set(issues_by_path(answer)) == {"/recipientEmail"}


@pytest.mark.parametrize(
    "body",
    [
        {"recipientId": identifier("nobody")},
        {"recipientId": "no identifier"},
        {"recipientEmail": "nobody@example.com"},
        {"recipientId": identifier("nobody"), "recipientEmail": "ada@example.com"},
    ],
)
async def test_an_unknown_recipient_is_not_found(service: Service, body: dict[str, object]) -> None:
    answer = await invite(service, await service.create(sendImmediately=True), **body)
    assert (answer.status_code, answer.json()["error"]) == (404, "RECIPIENT_NOT_FOUND")


async def test_a_recipient_not_in_turn_is_not_invited(service: Service) -> None:
    session = await service.create(sendImmediately=True)
    ada, grace = (r["recipientId"] for r in session["recipients"])
    early = await invite(service, session, recipientId=grace)
    await signed_by_first(service, session)
    late = await invite(service, session, recipientId=ada)
    for answer in (early, late):
        assert (answer.status_code, answer.json()["error"]) == (400, "RECIPIENT_NOT_ACTIVE")


@pytest.mark.parametrize("named", [True, False])
async def test_a_session_that_is_not_open_sends_no_invitation(service: Service, named: bool) -> None:
    session = await service.create()
    body = {"recipientEmail": "ada@example.com"} if named else {}
    answer = await invite(service, session, **body)
    assert (answer.status_code, answer.json()["error"]) == (400, "SESSION_NOT_ACTIVE")


async def test_a_session_whose_run_has_ended_refuses_too(service: Service) -> None:
    session = await service.create(sendImmediately=True)
    await service.generate(await service.complete(session["sessionId"]))
    service.sessions.closed.add(SessionId(session["sessionId"]))
    answer = await invite(service, session)
    assert (answer.status_code, answer.json()["error"]) == (400, "SESSION_NOT_ACTIVE")


async def test_a_body_that_is_wrong_is_refused_with_every_place(service: Service) -> None:
    answer = await invite(
        service, await service.create(sendImmediately=True), recipientId=7, recipientEmail="ada", who="ada"
    )
    assert (answer.status_code, answer.json()["error"]) == (400, "INVALID_REQUEST")
    assert set(issues_by_path(answer)) == {"/recipientId", "/recipientEmail", "/who"}


async def test_another_organisations_session_is_not_found_whatever_the_body(service: Service) -> None:
    session = await service.create(sendImmediately=True)
    path = f"/api/v1/Session/{session['sessionId']}/SendInvitation"
    for body in ({}, {"who": "ada"}):
        answer = await service.http(STRANGER).post(path, json=body)
        assert (answer.status_code, answer.json()["error"]) == (404, "NOT_FOUND")


def session_files() -> list[dict[str, object]]:
    blocks = [{"type": "signatureBlock", "label": key, "recipient": key} for key in ("ada", "grace")]
    return [{"type": "blocks", "document": {"format": "blocks", "title": "Agreement", "blocks": blocks}}]


OLIVIA = UserId("olivia")


class Grants:
    """One program works with the consent of Olivia."""

    async def find_user_of(self, client_id: ClientId) -> UserId | None:
        return OLIVIA if client_id == "program" else None


class SomeServices:
    grants = Grants()


@pytest.mark.parametrize(
    ("kind", "actor", "user"),
    [
        (ActorKind.USER, OLIVIA, OLIVIA),
        (ActorKind.CLIENT, "program", OLIVIA),
        (ActorKind.CLIENT, "own client", None),
        (ActorKind.SYSTEM, "undersign", None),
    ],
)
async def test_the_user_is_the_actor_or_who_consented(kind: ActorKind, actor: str, user: UserId | None) -> None:
    context = audit().model_copy(update={"actor": Actor(kind=kind, id=actor)})
    assert await find_sending_user(cast("Services", SomeServices()), context) == user
