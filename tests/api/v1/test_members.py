"""The members of every answer about a session, as Specification 2.1 to 2.4 and 4.9 to 4.20 list them."""

import hashlib
import json
from typing import Any

from tests.api.service import Service

SESSION = {
    "sessionId", "name", "status", "previousStatus", "createdAt", "updatedAt", "sentAt", "completedDate", "expiryDate",
    "reminderEnabled", "reminderFrequency", "nextReminderAt", "callbackUrl", "restorable", "waitingFor", "files",
    "recipients",
}  # fmt: skip
BESIDES = {
    "expiryDays", "draftUrl", "recipientVerification", "callbackValues", "externalId", "metadata",
}  # fmt: skip
"""What Create chose, and the page of a draft (Specification 4.6)."""
FILE = {"fileId", "fileName", "fileType", "type", "pageCount", "sha256", "signedSha256", "sealLevel"}
RECIPIENT = {
    "recipientId", "key", "name", "email", "status", "signingOrder", "sentAt", "viewedAt", "completedAt",
    "declineReason",
}  # fmt: skip
SENT = {"sessionId", "status", "sentAt", "recipients"}
SENT_RECIPIENT = {"recipientId", "name", "email", "signingOrder"}
INVITATION = {"success", "sessionId", "recipientId", "recipientEmail", "sentAt"}
DELETED = {"sessionId", "name", "previousStatus", "status", "permanent", "restorable"}
DOWNLOADS = {"sessionId", "sessionStatus", "documents", "expiresInSeconds"}
EVENT = {"sequence", "at", "type", "actor", "ip", "userAgent", "details", "previousHash", "hash"}


async def answer(service: Service, method: str, session_id: str, rest: str = "") -> Any:
    found = await service.http().request(method, f"/api/v1/Session/{session_id}{rest}")
    assert found.status_code == 200, found.text
    return found.json()


def check_session(session: dict[str, Any]) -> None:
    assert session.keys() == SESSION | BESIDES
    assert all(file.keys() == FILE for file in session["files"])
    assert all(recipient.keys() == RECIPIENT for recipient in session["recipients"])


async def test_a_session_has_its_members_wherever_it_is_the_answer(service: Service) -> None:
    created = await service.create()
    del created["warnings"]
    session_id = created["sessionId"]
    read = await answer(service, "GET", session_id)
    await answer(service, "DELETE", session_id)
    restored = await answer(service, "POST", session_id, "/Restore")

    for session in (created, read, restored):
        check_session(session)


async def test_members_that_are_used_are_shown(service: Service) -> None:
    used = {"delivery": "none", "role": "approver", "language": "de"}
    people = [{"key": "ada", "name": "Ada", "email": "ada@example.com"}]
    people += [{"key": "grace", "name": "Grace", "email": "grace@example.com", **used}]
    created = await service.create(recipients=people, delegation=True, language="fr")

    assert (created["delegation"], created["language"]) == (True, "fr")
    assert created["recipients"][0].keys() == RECIPIENT
    assert used.items() <= created["recipients"][1].items()


async def test_a_session_in_a_list_has_all_of_them_but_its_files(service: Service) -> None:
    await service.create()
    (listed,) = (await service.http().get("/api/v1/Sessions")).json()["sessions"]
    assert listed.keys() == (SESSION | BESIDES) - {"files"}


async def test_acts_answer_with_their_members(service: Service) -> None:
    session_id = (await service.create())["sessionId"]
    sent = await answer(service, "POST", session_id, "/Send")
    invited = await answer(service, "POST", session_id, "/SendInvitation")
    archived = await answer(service, "DELETE", session_id)
    deleted = await answer(service, "DELETE", session_id, "?permanent=true")

    assert sent.keys() == SENT
    assert all(recipient.keys() == SENT_RECIPIENT for recipient in sent["recipients"])
    assert invited.keys() == INVITATION
    assert invited["success"] is True
    assert archived.keys() == deleted.keys() == DELETED


async def test_downloads_and_history_have_their_members(service: Service) -> None:
    session = await service.create(sendImmediately=True)
    session_id, file_id = session["sessionId"], session["files"][0]["fileId"]
    await service.generate(await service.complete(session_id))
    whole = await answer(service, "GET", session_id, "/Documents")
    one = await answer(service, "GET", session_id, f"/Document/{file_id}")
    history = await answer(service, "GET", session_id, "/Events")

    for downloads in (whole, one):
        assert downloads.keys() == DOWNLOADS
        assert [entry.keys() for entry in downloads["documents"]] == [{"fileId", "fileName", "url"}]
    assert history.keys() == {"events", "pagination"}
    assert all(event.keys() == EVENT and event["actor"].keys() == {"kind", "id"} for event in history["events"])
    assert history["pagination"].keys() == {"total", "limit", "offset", "hasMore"}


async def test_a_history_can_be_checked_as_its_description_says(service: Service) -> None:
    session_id = (await service.create(sendImmediately=True))["sessionId"]
    events = (await answer(service, "GET", session_id, "/Events"))["events"]

    previous = "0" * 64
    for event in events:
        stated = event.pop("hash")
        canonical = json.dumps(event, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert event["previousHash"] == previous
        assert hashlib.sha256(canonical.encode()).hexdigest() == stated
        previous = stated
