"""Expiry, reminders and warnings of a new session (Specification 2.1, 4.6)."""

from datetime import timedelta
from typing import Any

import httpx
import pytest

from domain.ports.session_requests import ArchiveRequest
from domain.ports.temporal import NotRunning
from domain.session.session import Session
from domain.session.waiting_for import RetryStatus, SideEffect
from domain.shared.ids import RecipientId, SessionId
from domain.shared.times import rfc3339
from tests.api.service import Service, document, issues_by_path, session_request
from tests.api.templates import create_from, make
from tests.builders import NOON, audit

CHOSEN = {"expiryDays": 30, "reminderEnabled": True, "reminderFrequency": "daily"}
CLOCKS = ("expiryDate", "nextReminderAt")


async def read(service: Service, session_id: str) -> Any:
    return (await service.http().get(f"/api/v1/Session/{session_id}")).json()


def held(service: Service, session: Any) -> Session:
    return service.sessions.held[SessionId(session["sessionId"])]


async def test_by_default_a_session_has_no_expiry_and_no_reminders(service: Service) -> None:
    session = await service.create(sendImmediately=True)
    assert (session["expiryDays"], session["reminderEnabled"], session["reminderFrequency"]) == (None, False, "weekly")
    assert [session[clock] for clock in CLOCKS] == [None, None]


async def test_the_clocks_of_a_draft_start_when_it_is_sent(service: Service) -> None:
    session = await service.create(**CHOSEN)
    await service.http().post(f"/api/v1/Session/{session['sessionId']}/Send")

    shown, sent_at = await read(service, session["sessionId"]), held(service, session).sent_at

    assert CHOSEN.items() <= session.items()
    assert [session[clock] for clock in CLOCKS] == [None, None]
    assert sent_at
    assert shown["expiryDate"] == rfc3339(sent_at + timedelta(days=30))
    assert shown["nextReminderAt"] == rfc3339(sent_at + timedelta(days=1))
    assert shown["waitingFor"].startswith("Waiting for the signature of Ada Lovelace, until ")


async def test_a_code_before_opening_is_asked_for_where_the_client_wants_it(service: Service) -> None:
    usual, strict = await service.create(), await service.create(recipientVerification="emailCode")
    assert (usual["recipientVerification"], strict["recipientVerification"]) == ("none", "emailCode")
    assert held(service, strict).recipient_verification == "emailCode"


async def test_recipients_may_pass_a_session_on_where_the_client_wants_it(service: Service) -> None:
    usual, open_ = await service.create(), await service.create(delegation=True)
    assert (usual.get("delegation"), open_["delegation"]) == (None, True)
    template = await make(service, delegation=True)
    assert (template["delegation"], (await create_from(service, template))["delegation"]) == (True, True)
    assert "delegation" not in await create_from(service, template, delegation=False)
    changed = await service.http().patch(f"/api/v1/Session/{open_['sessionId']}", json={"delegation": False})
    assert "delegation" not in changed.json()


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("delegation", "yes"), ("delegation", None),
        ("recipientVerification", "sms"), ("recipientVerification", None), ("expiryDays", 0), ("expiryDays", 731),
        ("expiryDays", "30"), ("expiryDays", True), ("reminderEnabled", "yes"), ("reminderEnabled", None),
        ("reminderFrequency", "hourly"), ("reminderFrequency", None),
    ],
)  # fmt: skip
async def test_what_is_no_setting_is_refused_with_its_place(service: Service, member: str, value: object) -> None:
    answer = await service.http().post("/api/v1/Session", json=session_request(**{member: value}))
    assert (answer.status_code, answer.json()["error"]) == (400, "INVALID_REQUEST")
    assert set(issues_by_path(answer)) == {f"/{member}"}


@pytest.mark.parametrize("days", [1, 730, None])
async def test_the_longest_and_the_shortest_time_are_taken(service: Service, days: int | None) -> None:
    assert (await service.create(expiryDays=days))["expiryDays"] == days


async def test_the_reason_for_declining_is_shown_and_nothing_is_to_come(service: Service) -> None:
    session = await service.create(**CHOSEN, sendImmediately=True)
    ada = RecipientId(session["recipients"][0]["recipientId"])
    await service.sessions.take(held(service, session).decline(ada, "The fee is wrong.", audit()))

    shown = await read(service, session["sessionId"])

    assert (shown["status"], shown["nextReminderAt"]) == ("declined", None)
    assert [(r["status"], r["declineReason"]) for r in shown["recipients"]] == [
        ("declined", "The fee is wrong."),
        ("cancelled", None),
    ]
    assert shown["waitingFor"] == "Declined by Ada Lovelace."


async def test_a_session_whose_run_has_ended_is_read_the_same(service: Service) -> None:
    session = await service.create(**CHOSEN, sendImmediately=True)
    late = audit(held(service, session).created_at + timedelta(days=31))
    await service.sessions.take(held(service, session).expire(late))
    before = await read(service, session["sessionId"])

    service.sessions.closed.add(SessionId(session["sessionId"]))

    with pytest.raises(NotRunning):
        await service.sessions.runs.act(SessionId(session["sessionId"]), ArchiveRequest(audit=late))
    assert await read(service, session["sessionId"]) == before
    assert (before["status"], before["nextReminderAt"]) == ("expired", None)
    assert [r["status"] for r in before["recipients"]] == ["expired", "expired"]
    assert before["waitingFor"] == "Expired before everyone had signed."


async def test_a_retried_step_is_shown_with_its_last_error(service: Service) -> None:
    session = await service.create(sendImmediately=True)
    now = held(service, session)
    ada = now.recipients[0]
    undelivered = ada.invitation.model_copy(update={"delivered": 0})
    waiting = now.with_recipient(ada, invitation=undelivered)
    service.sessions.retrying[now.session_id] = (RetryStatus(SideEffect.INVITATION, 3, "the outbox is full", None),)
    await service.sessions.become(waiting)
    first = await read(service, session["sessionId"])  # within the time of a first try nothing is asked
    await service.sessions.become(waiting.model_copy(update={"updated_at": NOON, "revision": waiting.revision + 1}))

    assert first["waitingFor"] == "Waiting for the invitation to Ada Lovelace to be delivered."
    shown = await read(service, session["sessionId"])

    assert shown["waitingFor"] == (
        "Waiting for the invitation to Ada Lovelace to be delivered; attempt 3 failed: the outbox is full; "
        "the next one is under way."
    )


async def test_a_session_that_waits_for_people_alone_asks_nothing_about_its_steps(service: Service) -> None:
    session = await service.create(sendImmediately=True)
    service.sessions.retrying[SessionId(session["sessionId"])] = (RetryStatus(SideEffect.INVITATION, 3, "stale", None),)
    assert (await read(service, session["sessionId"]))["waitingFor"] == "Waiting for the signature of Ada Lovelace."


PALE: dict[str, Any] = {"primaryColor": "#fefefe", "headerStyle": "band", "bandTextColor": "#ffffff"}
TWICE = {"type": "signatureBlock", "label": "Again", "recipient": "ada"}
GRACE = {"type": "signatureBlock", "label": "For the other", "recipient": "grace"}
PEOPLE = session_request()["recipients"]


def blocks(*more: dict[str, Any]) -> list[dict[str, Any]]:
    return [*document()["blocks"], *more]


DOCUMENTS = [
    document(), document(theme=PALE), document(blocks=blocks(GRACE)), document(blocks=blocks(TWICE)),
    document(theme=PALE, blocks=blocks(TWICE, GRACE)),
]  # fmt: skip


@pytest.mark.parametrize("written", DOCUMENTS)
async def test_a_new_session_has_the_warnings_of_the_preview(service: Service, written: dict[str, Any]) -> None:
    request = {"kind": "session", "document": written, "recipients": PEOPLE}
    previewed = (await service.http().post("/api/v1/Document/Preview", json=request)).json()["warnings"]
    template = await make(service, document=written, recipients=PEOPLE, variables=[])

    made = await service.create(files=[{"type": "blocks", "document": written}])
    from_template = await create_from(service, template, recipients=[], variableValues={})

    assert made["warnings"] == [{**warning, "path": f"/files/0{warning['path']}"} for warning in previewed]
    assert from_template["warnings"] == previewed


async def test_who_signs_in_one_document_is_not_missed_in_another(service: Service) -> None:
    bare = document(title="Annex", blocks=[{"type": "heading", "text": "Prices"}])
    files = [{"type": "blocks", "document": written} for written in (bare, document(), bare)]

    made = await service.create(files=files)

    (warning,) = made["warnings"]
    assert (warning["kind"], warning["path"]) == ("no-signature-block", "/files/0/document/blocks")
    assert "grace" in warning["message"]


async def test_a_replayed_answer_has_them(service: Service) -> None:
    async def post() -> httpx.Response:
        return await service.http().post("/api/v1/Session", json=session_request(), headers={"Idempotency-Key": "one"})

    first, second = await post(), await post()

    assert first.json()["warnings"]
    assert first.json() == second.json()
