"""Tools that act on sessions."""

from base64 import b64decode, b64encode
from typing import Any

import structlog
from structlog.testing import capture_logs

from domain.shared.object_names import digest
from tests.api.mcp.assistant import call, done, refused, text
from tests.api.service import OWN, Service
from tests.builders import ORGANISATION
from tests.layout.pictures import encoded, shades


async def actor_of(service: Service, session_id: str, event_type: str) -> Any:
    events = (await service.http().get(f"/api/v1/Session/{session_id}/Events")).json()["events"]
    return {event["type"]: event["actor"] for event in events}[event_type]


OURS = {"kind": "client", "id": OWN.client_id}


async def test_a_draft_is_sent_once_and_the_result_names_its_recipients(service: Service) -> None:
    session_id = (await service.create())["sessionId"]
    arguments = {"sessionId": session_id, "idempotencyKey": "once"}

    sent = await call(service, "send_session", arguments)

    assert sent.structured_content["status"] == "pending"
    assert 'email to "Ada Lovelace <ada@example.com>" now' in text(sent)
    assert await actor_of(service, session_id, "session.sent") == OURS
    assert await done(service, "send_session", arguments) == sent.structured_content
    again = await refused(service, "send_session", {"sessionId": session_id})
    assert (again["error"], "message" in again) == ("NOT_A_DRAFT", True)


async def test_a_recipient_is_invited_again(service: Service) -> None:
    session_id = (await service.create(sendImmediately=True))["sessionId"]

    invited = await call(service, "send_invitation", {"sessionId": session_id, "recipientEmail": "ADA@example.com"})
    later = {"sessionId": session_id, "recipientEmail": "grace@example.com"}

    assert invited.structured_content["recipientEmail"] == "ada@example.com"
    assert "Emailed ada@example.com." in text(invited)
    assert (await refused(service, "send_invitation", later))["error"] == "RECIPIENT_NOT_ACTIVE"


async def test_a_draft_is_changed_and_a_recipient_corrected_and_reminded(service: Service) -> None:
    draft = await service.create()
    asked, ada = {"sessionId": draft["sessionId"]}, draft["recipients"][0]["recipientId"]

    changed = await done(service, "update_session", {**asked, "name": "Lease", "idempotencyKey": "once"})
    await done(service, "send_session", asked)
    reminded = await call(service, "send_reminder", asked)
    moved = await call(service, "update_recipient", {**asked, "recipientId": ada, "email": "ada@right.example"})
    renamed = await call(service, "update_recipient", {**asked, "recipientId": ada, "name": "Ada King"})

    assert (changed["name"], changed["status"]) == ("Lease", "draft")
    assert "Reminded ada@example.com." in text(reminded)
    assert "Emailed ada@right.example an invitation." in text(moved)
    assert "Nobody was emailed." in text(renamed)
    assert renamed.structured_content["recipients"][0]["email"] == "ada@right.example"
    assert await actor_of(service, draft["sessionId"], "recipient.corrected") == OURS
    assert (await refused(service, "update_session", {**asked, "name": "Rent"}))["error"] == "NOT_A_DRAFT"


async def test_a_session_is_archived_and_restored(service: Service) -> None:
    made = await service.create(sendImmediately=True)
    asked = {"sessionId": made["sessionId"]}

    archived = await done(service, "archive_session", asked)
    again = await refused(service, "archive_session", asked)
    restored = await done(service, "restore_session", asked)

    assert (archived["status"], archived["permanent"], archived["restorable"]) == ("cancelled", False, True)
    assert again["error"] == "ALREADY_ARCHIVED"
    assert restored["status"] == "pending"
    assert await actor_of(service, made["sessionId"], "session.archived") == OURS


async def test_signed_documents_and_the_certificate_are_returned(service: Service) -> None:
    made = await service.create(sendImmediately=True)
    asked = {"sessionId": made["sessionId"]}
    too_early = await refused(service, "get_documents", asked)
    session = await service.generate(await service.complete(made["sessionId"]))

    documents = await done(service, "get_documents", asked)
    one = await done(service, "get_documents", {**asked, "fileId": session.files[0].file_id})
    none = await refused(service, "get_documents", {**asked, "fileId": "unknown"})
    certificate = await call(service, "get_certificate", asked)

    assert too_early["error"] == "SESSION_NOT_COMPLETED"
    assert [file["fileId"] for file in documents["documents"]] == [session.files[0].file_id]
    assert one["documents"][0]["fileName"] == session.files[0].file_name
    assert none["error"] == "NOT_FOUND"
    (attached,) = [part.resource for part in certificate.content if part.type == "resource"]
    answer = await service.http().get(f"/api/v1/Session/{made['sessionId']}/Certificate")
    pdf = b64decode(attached.blob)
    assert pdf[:20_000] == answer.content[:20_000]  # before the seal, which has its own time
    assert certificate.structured_content["sha256"] == digest(pdf)
    assert await actor_of(service, made["sessionId"], "session.downloaded") == OURS


async def test_an_image_is_uploaded_as_by_the_api(service: Service) -> None:
    picture = encoded(shades(20, 20))
    asked = {"fileName": "logo.png", "data": b64encode(picture).decode()}

    uploaded = await done(service, "upload_image", asked)

    assert (await service.http().post("/api/v1/Image", json=asked)).json() == uploaded
    assert (await refused(service, "upload_image", {**asked, "data": "no"}))["error"] == "INVALID_BASE64"


async def test_every_call_is_logged_without_its_arguments(service: Service) -> None:
    with capture_logs(processors=[structlog.contextvars.merge_contextvars]) as logged:
        await call(service, "list_sessions", {"name": "Consulting"})
        await call(service, "get_session", {"sessionId": "unknown"})

    lines = [line for line in logged if line["event"] == "tool"]
    assert [(line["tool"], line["outcome"]) for line in lines] == [
        ("list_sessions", "ok"),
        ("get_session", "NOT_FOUND"),
    ]
    assert {(line["client_id"], line["organisation_id"]) for line in lines} == {(OWN.client_id, ORGANISATION)}
    assert len({line["request_id"] for line in lines}) == 2
    assert "Consulting" not in str(logged)
    assert {line["route"] for line in logged if line["event"] == "request"} == {"/mcp"}


async def test_an_unexpected_error_shows_no_internals(service: Service) -> None:
    made = await service.create()
    service.use(sessions=None)  # a broken collaborator

    found = await refused(service, "send_session", {"sessionId": made["sessionId"]})

    assert found["error"] == "INTERNAL_ERROR"
    assert "NoneType" not in found["message"]
