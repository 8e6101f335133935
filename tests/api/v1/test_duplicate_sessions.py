"""A session is duplicated as a draft: documents, recipients and settings; no values, signatures or identifiers."""

from typing import Any

import pytest

from domain.session.recipients import RecipientStatus
from domain.session.session import Session
from domain.session.status import SessionStatus
from domain.shared.ids import SessionId
from tests.api.service import EVERYTHING, OWN, STRANGER, Service, bearer, document, session_request
from tests.application.uploads import pdfs
from tests.layout.pictures import encoded, shades


def held(service: Service, made: dict[str, Any]) -> Session:
    return service.sessions.held[SessionId(made["sessionId"])]


async def duplicate(service: Service, made: dict[str, Any], **headers: str) -> dict[str, Any]:
    answer = await service.http().post(f"/api/v1/Session/{made['sessionId']}/Duplicate", headers=headers)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def test_a_completed_session_is_duplicated_without_what_happened(service: Service) -> None:
    made = await service.create(
        sendImmediately=True, message="Please sign", expiryDays=7, reminderEnabled=True, externalId="7",
        metadata={"customer": "northwind"}, callbackUrl="https://hooks.example.com/x", callbackValues=True,
        recipientVerification="emailCode",
    )  # fmt: skip
    original = await service.generate(await service.complete(made["sessionId"]))

    copy = held(service, await duplicate(service, made))

    assert (copy.status, copy.sent_at, copy.external_id) == (SessionStatus.DRAFT, None, None)
    assert copy.session_id != original.session_id
    for name in (
        "name", "message", "expiry_days", "reminder_enabled", "metadata", "callback_url", "callback_values",
        "recipient_verification", "organisation_name",
    ):  # fmt: skip
        assert getattr(copy, name) == getattr(original, name), name
    for mine, theirs in zip(copy.recipients, original.recipients, strict=True):
        assert (mine.key, mine.name, mine.email, mine.signing_order) == (
            theirs.key, theirs.name, theirs.email, theirs.signing_order,
        )  # fmt: skip
        assert (mine.status, mine.submission, mine.completed_at) == (RecipientStatus.WAITING, None, None)
        assert mine.recipient_id != theirs.recipient_id
    events = await service.rows.events(copy.organisation_id, copy.session_id)
    assert [event.type for event in events] == ["session.created"]


async def test_the_copy_has_objects_of_its_own(service: Service) -> None:
    picture = ("logo.png", encoded(shades(20, 20)), "image/png")
    logo = (await service.http().post("/api/v1/Image", files={"file": picture})).json()["fileId"]
    terms = ("terms.pdf", pdfs.pdf(), "application/pdf")
    pdf = (await service.http().post("/api/v1/File", files={"file": terms})).json()["fileId"]
    files = [
        {"type": "blocks", "document": document(logo={"fileId": logo})}, {"type": "uploadedPdf", "fileId": pdf},
    ]  # fmt: skip
    original = held(service, made := await service.create(files=files))

    copy = held(service, await duplicate(service, made))

    for mine, theirs in zip(copy.files, original.files, strict=True):
        assert (mine.type, mine.title, mine.file_name, mine.page_count) == (
            theirs.type, theirs.title, theirs.file_name, theirs.page_count,
        )  # fmt: skip
        for part in ("source", "zones", "rendered"):
            reference, before = getattr(mine, part), getattr(theirs, part)
            assert (reference is None) == (before is None)
            if reference:
                assert copy.session_id in reference.name
                assert await service.objects.get(reference) == await service.objects.get(before)
    assert copy.files[0].images
    assert copy.session_id in (await service.objects.get(copy.files[0].images)).decode()
    assert original.session_id not in (await service.objects.get(copy.files[0].images)).decode()


async def test_a_copy_without_the_scope_for_values_has_none_in_callbacks(service: Service) -> None:
    made = await service.create(callbackUrl="https://hooks.example.com/x", callbackValues=True)
    headers = bearer(OWN, tuple(scope for scope in EVERYTHING if scope != "read:values"))
    answer = await service.http(None).post(f"/api/v1/Session/{made['sessionId']}/Duplicate", headers=headers)
    assert (held(service, answer.json()).callback_values, held(service, made).callback_values) == (False, True)


@pytest.mark.parametrize("loses_answer", [True, False])
async def test_a_copy_is_made_once_per_key(service: Service, loses_answer: bool) -> None:
    made = await service.create()
    first = await duplicate(service, made, **{"Idempotency-Key": "one"})
    if loses_answer:
        await service.lose_answers()
    assert await duplicate(service, made, **{"Idempotency-Key": "one"}) == first
    assert (await duplicate(service, made))["sessionId"] != first["sessionId"]


async def test_sessions_of_others_are_not_duplicated(service: Service) -> None:
    made = await service.create(**session_request())
    path = f"/api/v1/Session/{made['sessionId']}/Duplicate"
    headers = bearer(OWN, tuple(scope for scope in EVERYTHING if scope != "write:sessions"))
    assert (await service.http(STRANGER).post(path)).status_code == 404
    assert (await service.http(None).post(path, headers=headers)).status_code == 403
