"""Edit a draft; correct and remind a recipient; change expiry and reminders (Specification 4.23 to 4.25)."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from adapters.database.tables.sessions import FormDraftRow
from application.errors import RecipientDomainNotAllowed
from application.sessions import organisation_actions
from application.sessions.edit import remind_all
from domain.audit.events import Actor, ActorKind, AuditContext, EventType
from domain.session.session import Session
from domain.session.signing_links import find_by_link, link_hash, link_secret
from domain.shared.errors import LinkNotValid, TooOften
from domain.shared.ids import RecipientRef, SessionId
from domain.shared.sending_limit import SendingLimit
from tests.api.service import OWN, STRANGER, Service, document, issues_by_path
from tests.builders import audit, submission
from tests.fakes.sessions import LINK_KEY

ADA = {"key": "ada", "name": "Ada King", "email": "Ada.King@Example.com"}
GRACE = {"key": "grace", "name": "Grace Hopper", "email": "grace@example.com"}


async def change(service: Service, made: Any, path: str = "", headers: Any = None, **body: object) -> httpx.Response:
    return await service.http().patch(f"/api/v1/Session/{made['sessionId']}{path}", json=body, headers=headers)


async def correct(service: Service, made: Any, who: int = 0, **body: object) -> httpx.Response:
    return await change(service, made, f"/Recipient/{made['recipients'][who]['recipientId']}", **body)


async def remind(service: Service, made: Any, **body: object) -> httpx.Response:
    return await service.http().post(f"/api/v1/Session/{made['sessionId']}/SendReminder", json=body)


def held(service: Service, made: Any) -> Session:
    return service.sessions.held[SessionId(made["sessionId"])]


async def read(service: Service, made: Any) -> dict[str, Any]:
    return dict((await service.http().get(f"/api/v1/Session/{made['sessionId']}")).json())


async def events(service: Service, made: Any) -> list[dict[str, Any]]:
    answer = await service.http().get(f"/api/v1/Session/{made['sessionId']}/Events")
    return list(answer.json()["events"])


async def test_a_draft_is_changed_as_a_whole(service: Service) -> None:
    draft = await service.create(metadata={"customer": "northwind", "order": "7"})
    changed = {
        "name": "Lease", "message": "Please sign.", "expiryDays": 7, "reminderEnabled": True,
        "reminderFrequency": "daily", "recipientVerification": "emailCode", "metadata": {"customer": "contoso"},
        "recipients": [GRACE, ADA],
    }  # fmt: skip

    answer = await change(service, draft, **changed)

    assert answer.status_code == 200, answer.text
    now = answer.json()
    assert now == await read(service, draft)
    assert {name: now[name] for name in changed if name not in ("recipients", "message")} == {
        name: value for name, value in changed.items() if name not in ("recipients", "message")
    }
    assert held(service, draft).message == "Please sign."
    assert [(r["key"], r["name"], r["email"], r["signingOrder"]) for r in now["recipients"]] == [
        ("grace", "Grace Hopper", "grace@example.com", 1), ("ada", "Ada King", "ada.king@example.com", 2),
    ]  # fmt: skip
    ids = {r["key"]: r["recipientId"] for r in draft["recipients"]}
    assert {r["key"]: r["recipientId"] for r in now["recipients"]} == ids
    found = (await events(service, draft))[-1]
    assert found["type"] == EventType.SESSION_EDITED
    assert set(found["details"]) == {"changed"}
    for query, count in (("recipientEmail=ada.king@example.com", 1), ("recipientEmail=ada@example.com", 0),
                         ("metadata[customer]=contoso", 1), ("metadata[order]=7", 0), ("name=lease", 1)):  # fmt: skip
        listed = (await service.http().get(f"/api/v1/Sessions?{query}")).json()
        assert listed["pagination"]["total"] == count, query


async def test_members_that_are_left_out_stay(service: Service) -> None:
    draft = await service.create(expiryDays=30)
    now = (await change(service, draft, name="Lease")).json()
    assert {**now, "name": draft["name"], "updatedAt": draft["updatedAt"]} == {
        name: value for name, value in draft.items() if name != "warnings"
    }


async def test_an_edit_without_a_change_is_no_event(service: Service) -> None:
    draft = await service.create()
    for body in ({}, {"name": draft["name"], "expiryDays": None}):
        assert (await change(service, draft, **body)).status_code == 200
    assert len(await events(service, draft)) == 1


async def test_a_recipient_may_be_added_with_an_id_of_their_own(service: Service) -> None:
    draft = await service.create()
    added = {"key": "mary", "name": "Mary", "email": "mary@example.com"}
    now = (await change(service, draft, recipients=[ADA, GRACE, added])).json()
    assert len({r["recipientId"] for r in now["recipients"]}) == 3
    again = (await change(service, draft, recipients=[ADA, GRACE, added])).json()
    assert again["recipients"] == now["recipients"]


async def test_all_mistakes_are_reported_at_once_and_nothing_is_changed(service: Service) -> None:
    draft = await service.create()
    answer = await change(
        service, draft, name=" ", expiryDays=0, recipients=[{**ADA, "email": "nobody"}, {**GRACE, "name": ""}]
    )
    assert answer.status_code == 400
    assert set(issues_by_path(answer)) == {"/name", "/expiryDays", "/recipients/0/email", "/recipients/1/name"}
    assert (await read(service, draft))["updatedAt"] == draft["updatedAt"]


@pytest.mark.parametrize("member", ["name", "recipients", "metadata", "reminderEnabled", "files", "sendImmediately"])
async def test_null_and_members_that_cannot_be_changed_are_refused(service: Service, member: str) -> None:
    answer = await change(service, await service.create(), **{member: None})
    assert answer.status_code == 400
    assert set(issues_by_path(answer)) == {f"/{member}"}


async def test_a_recipient_whom_a_document_names_must_stay(service: Service) -> None:
    files = [{"type": "blocks", "document": document()}, {"type": "blocks", "document": document(title="Annex")}]
    draft = await service.create(files=files)
    answer = await change(service, draft, recipients=[GRACE, {**ADA, "name": "{{{name}}}", "key": "other"}])
    assert (answer.status_code, answer.json()["error"]) == (400, "DOCUMENT_VALIDATION_FAILED")
    found = [(i["kind"], i["file"], i["path"], i["snippet"]) for i in answer.json()["issues"]]
    assert found == [
        ("tokens-in-session", 0, "/recipients/1/name", "{{{name}}}"),
        ("unknown-recipient", 0, "/recipients", "ada"),
        ("unknown-recipient", 1, "/recipients", "ada"),
    ]


async def test_an_unprintable_name_is_refused_as_at_creation(service: Service) -> None:
    draft, sent = await service.create(), await service.create(sendImmediately=True)
    name = "Ada \U00013000"
    assert set(issues_by_path(await change(service, draft, recipients=[GRACE, {**ADA, "name": name}]))) == {
        "/recipients/1/name"
    }
    assert set(issues_by_path(await correct(service, sent, name=name))) == {"/name"}


async def test_only_drafts_are_edited(service: Service) -> None:
    sent = await service.create(sendImmediately=True)
    answer = await change(service, sent, name="Lease", expiryDays=60)
    assert (answer.status_code, answer.json()["error"]) == (400, "NOT_A_DRAFT")
    archived = await service.create()
    await service.http().delete(f"/api/v1/Session/{archived['sessionId']}")
    assert (await change(service, archived, name="Lease")).json()["error"] == "NOT_A_DRAFT"


async def test_an_edited_draft_is_sent_to_the_new_recipients(service: Service) -> None:
    draft = await service.create()
    await change(service, draft, recipients=[ADA, GRACE], name="Lease")
    sent = await service.http().post(f"/api/v1/Session/{draft['sessionId']}/Send")
    assert [r["email"] for r in sent.json()["recipients"]] == ["ada.king@example.com", "grace@example.com"]


async def test_limits_hold_for_recipients_who_come_with_an_edit_at_the_same_time(service: Service) -> None:
    draft = await service.create()
    before = held(service, draft)
    await service.budgets.set(OWN.client_id, SendingLimit(recipients_per_day=None, domains=("example.com",)))
    await change(service, draft, recipients=[{**ADA, "email": "ada@elsewhere.example"}, GRACE])
    by_client = AuditContext(at=datetime.now(UTC), actor=Actor(kind=ActorKind.CLIENT, id=OWN.client_id))
    with pytest.raises(RecipientDomainNotAllowed):
        await organisation_actions.send(service.services(), before, by_client, organisation_actions.single_attempt())
    assert (await read(service, draft))["status"] == "draft"


async def test_an_edit_with_a_key_is_made_once(service: Service) -> None:
    draft, key = await service.create(), {"Idempotency-Key": "edit 7"}
    first = await change(service, draft, headers=key, name="Lease")
    await change(service, draft, name="Rent")
    again = await change(service, draft, headers=key, name="Lease")
    assert (again.json(), again.headers["Idempotency-Replayed"]) == (first.json(), "true")
    assert (await read(service, draft))["name"] == "Rent"


async def test_a_corrected_address_gets_an_invitation_and_the_earlier_link_ends(service: Service) -> None:
    sent = await service.create(sendImmediately=True)
    ada = sent["recipients"][0]["recipientId"]

    answer = await correct(service, sent, name="Ada King", email="ADA@Right.example")

    assert answer.status_code == 200, answer.text
    corrected = answer.json()["recipients"][0]
    assert (corrected["name"], corrected["email"], corrected["status"]) == ("Ada King", "ada@right.example", "pending")
    first, second = (link_secret(LINK_KEY, sent["sessionId"], ada, number) for number in (1, 2))
    assert find_by_link(LINK_KEY, held(service, sent), link_hash(second)).email == "ada@right.example"
    with pytest.raises(LinkNotValid):
        find_by_link(LINK_KEY, held(service, sent), link_hash(first))
    assert [e["type"] for e in await events(service, sent)][-2:] == ["recipient.corrected", "recipient.invited"]
    assert (await correct(service, sent, email="ada@right.example")).status_code == 200
    assert held(service, sent).recipient(ada).invitation.number == 2


async def test_what_the_holder_of_the_earlier_address_entered_is_deleted(service: Service) -> None:
    sent = await service.create(sendImmediately=True)
    session, at = held(service, sent), datetime.now(UTC)
    for recipient in session.recipients:
        key = RecipientRef(session.organisation_id, session.session_id, recipient.recipient_id)
        await service.drafts.save(key, b"{}", at)
    await correct(service, sent, name="Ada King")
    assert len(await service.database.read(FormDraftRow)) == 2
    await correct(service, sent, email="ada@right.example")
    assert [row.recipient_id for row in await service.database.read(FormDraftRow)] == [
        session.recipients[1].recipient_id
    ]


async def test_a_name_in_the_text_of_a_document_cannot_be_corrected(service: Service) -> None:
    text = {"type": "paragraph", "text": "Ada Lovelace, the consultant, advises the client."}
    files = [{"type": "blocks", "document": document(blocks=[text, *document()["blocks"]])}]
    sent = await service.create(files=files, sendImmediately=True)
    answer = await correct(service, sent, name="Ada King", email="ada@right.example")
    assert "names “Ada Lovelace”" in issues_by_path(answer)["/name"]
    assert held(service, sent).recipients[0].email == "ada@example.com"
    assert (await correct(service, sent, email="ada@right.example")).status_code == 200


async def test_a_recipient_who_has_signed_is_not_corrected(service: Service) -> None:
    sent = await service.create(sendImmediately=True)
    session = held(service, sent)
    await service.sessions.take(session.sign(session.recipients[0].recipient_id, submission(), audit()))
    answer = await correct(service, sent, email="ada@right.example")
    assert (answer.status_code, answer.json()["error"]) == (400, "RECIPIENT_NOT_ACTIVE")
    assert (await correct(service, sent, who=1, email="grace@right.example")).status_code == 200


async def test_an_unknown_recipient_or_session_is_not_found(service: Service) -> None:
    sent = await service.create(sendImmediately=True)
    unknown = f"/Recipient/{sent['sessionId']}"
    assert (await change(service, sent, unknown, name="Ada")).json()["error"] == "NOT_FOUND"
    path = f"/api/v1/Session/{sent['sessionId']}"
    for answer in (
        await service.http(STRANGER).patch(path, json={"expiryDays": 7}),
        await service.http(STRANGER).patch(f"{path}/Recipient/{sent['recipients'][0]['recipientId']}", json={}),
        await service.http(STRANGER).post(f"{path}/SendReminder"),
    ):
        assert (answer.status_code, answer.json()["error"]) == (404, "NOT_FOUND")


async def test_corrections_and_reminders_are_charged_as_invitations(service: Service) -> None:
    sent = await service.create(sendImmediately=True)
    await service.budgets.set(OWN.client_id, SendingLimit(recipients_per_day=2, domains=("example.com",)))

    refused = await correct(service, sent, email="ada@right.example")
    answers = [
        await correct(service, sent, name="Ada King"),
        await correct(service, sent, email="ada.king@example.com"),
        await remind(service, sent),
        await correct(service, sent, email="ada@example.com"),
    ]

    assert (refused.status_code, refused.json()["error"]) == (403, "RECIPIENT_DOMAIN_NOT_ALLOWED")
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert held(service, sent).recipients[0].email == "ada.king@example.com"


async def test_a_reminder_now_is_sent_once_an_hour(service: Service) -> None:
    sent = await service.create(sendImmediately=True)
    answer = await remind(service, sent, recipientEmail="ada@example.com")
    ada = held(service, sent).recipients[0]
    assert answer.json() == {
        "success": True,
        "sessionId": sent["sessionId"],
        "recipientId": ada.recipient_id,
        "recipientEmail": "ada@example.com",
        "remindedAt": answer.json()["remindedAt"],
    }
    assert (ada.reminders, ada.invitation.number) == (1, 1)
    again = await remind(service, sent)
    assert (again.status_code, again.json()["error"]) == (429, "RATE_LIMITED")
    assert "within the last hour" in again.json()["message"]
    assert (await remind(service, sent, recipientEmail="grace@example.com")).json()["error"] == "RECIPIENT_NOT_ACTIVE"


async def test_everyone_whose_turn_it_is_is_reminded_unless_they_were_meanwhile(service: Service) -> None:
    people = [{**ADA, "signingOrder": 1}, {**GRACE, "signingOrder": 1}]
    sent = await service.create(sendImmediately=True, recipients=people)
    before, by_user = held(service, sent), audit(datetime.now(UTC), ActorKind.USER)
    await remind(service, sent, recipientEmail="ada.king@example.com")

    await remind_all(service.services(), before, by_user)

    assert [one.reminders for one in held(service, sent).recipients] == [1, 1]
    with pytest.raises(TooOften):
        await remind_all(service.services(), before, by_user)


async def test_the_expiry_of_an_open_session_is_moved_or_removed(service: Service) -> None:
    sent = await service.create(sendImmediately=True, expiryDays=30)
    before = held(service, sent)
    moved = (await change(service, sent, expiryDays=60)).json()
    assert before.sent_at
    assert held(service, sent).expires_at == before.sent_at + timedelta(days=60)
    assert (moved["expiryDays"], moved["status"]) == (60, "pending")
    assert set(issues_by_path(await change(service, sent, expiryDays=59))) == {"/expiryDays"}
    assert (await change(service, sent, expiryDays=None)).json()["expiryDate"] is None
    assert set(issues_by_path(await change(service, sent, expiryDays=90))) == {"/expiryDays"}


async def test_reminders_of_an_open_session_are_changed(service: Service) -> None:
    sent = await service.create(sendImmediately=True)
    now = (await change(service, sent, reminderEnabled=True, reminderFrequency="daily")).json()
    assert now["nextReminderAt"] is not None
    assert (await events(service, sent))[-1]["details"]["reminders"] == "daily"
    assert (await change(service, sent, reminderEnabled=False)).json()["nextReminderAt"] is None
