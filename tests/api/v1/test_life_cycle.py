"""Sending, archiving, restoring and deleting over HTTP (Specification 2.4, 3.5, 4.9, 4.11, 7.2)."""

from typing import Any

import pytest

from domain.session.session import Session
from ports.database import DatabaseUnavailable
from ports.session_requests import ActionRequest
from tests.api.service import Service
from tests.fakes.sessions import FakeSessions


async def act(service: Service, method: str, session_id: str, rest: str = "") -> Any:
    return await service.http().request(method, f"/api/v1/Session/{session_id}{rest}")


async def test_a_draft_is_sent(service: Service) -> None:
    session = await service.create()

    answer = await act(service, "POST", session["sessionId"], "/Send")

    assert answer.status_code == 200
    sent = answer.json()
    assert (sent["sessionId"], sent["status"]) == (session["sessionId"], "pending")
    assert sent["sentAt"]
    assert sent["recipients"] == [
        {member: recipient[member] for member in ("recipientId", "name", "email", "signingOrder")}
        for recipient in session["recipients"]
    ]


async def test_a_session_is_archived_and_restored(service: Service) -> None:
    session = await service.create(sendImmediately=True)
    session_id = session["sessionId"]

    archived = await act(service, "DELETE", session_id)
    read = (await act(service, "GET", session_id)).json()
    again = await act(service, "DELETE", session_id, "?permanent=false")
    restored = await act(service, "POST", session_id, "/Restore")

    assert archived.json() == {
        "sessionId": session_id, "name": "Consulting agreement", "previousStatus": "pending", "status": "cancelled",
        "permanent": False, "restorable": True,
    }  # fmt: skip
    assert (read["status"], read["previousStatus"], read["restorable"]) == ("cancelled", "pending", True)
    assert (again.status_code, again.json()["error"]) == (400, "ALREADY_ARCHIVED")
    assert (restored.json()["status"], restored.json()["previousStatus"]) == ("pending", None)


class UnheardSessions(FakeSessions):
    """Sessions that are archived, and the database is not there to hear of it."""

    async def archive(self, session: Session, request: ActionRequest) -> Session:
        await super().archive(session, request)
        raise DatabaseUnavailable


async def test_an_act_that_the_database_did_not_hear_of_is_done_when_it_is_asked_for_again(service: Service) -> None:
    service.sessions = UnheardSessions(service.rows)
    service.use()
    session = await service.create(sendImmediately=True)

    unheard = await act(service, "DELETE", session["sessionId"])
    again = await act(service, "DELETE", session["sessionId"])

    assert (unheard.status_code, unheard.json()["error"]) == (503, "UNAVAILABLE")
    assert (again.status_code, again.json()["error"]) == (400, "ALREADY_ARCHIVED")


async def test_while_temporal_is_away_only_acts_on_what_was_sent_have_to_wait(service: Service) -> None:
    service.sessions.runs.is_away = True
    draft, other = [(await service.create())["sessionId"] for _ in range(2)]

    done = [
        await act(service, "DELETE", draft),
        await act(service, "POST", draft, "/Restore"),
        await act(service, "POST", draft, "/Send"),
        await act(service, "GET", draft),
        await act(service, "DELETE", other, "?permanent=true"),
    ]
    late = await act(service, "DELETE", draft)

    assert [answer.status_code for answer in done] == [200] * len(done)
    assert done[3].json()["status"] == "pending"
    assert (late.status_code, late.json()["error"]) == (503, "UNAVAILABLE")
    assert int(late.headers["retry-after"]) > 0


@pytest.mark.parametrize("archived", [False, True])
async def test_a_deleted_session_is_gone_for_every_call(service: Service, archived: bool) -> None:
    session_id = (await service.create(sendImmediately=True))["sessionId"]
    if archived:
        await act(service, "DELETE", session_id)

    deleted = await act(service, "DELETE", session_id, "?permanent=true")

    assert deleted.json() == {
        "sessionId": session_id, "name": "Consulting agreement",
        "previousStatus": "cancelled" if archived else "pending", "status": "deleted", "permanent": True,
        "restorable": False,
    }  # fmt: skip
    for method, rest in [
        ("GET", ""),
        ("GET", "/Events"),
        ("GET", "/Certificate"),
        ("POST", "/Send"),
        ("POST", "/Restore"),
        ("DELETE", ""),
        ("DELETE", "?permanent=true"),
    ]:
        assert (await act(service, method, session_id, rest)).status_code == 404


async def test_events_are_shown_in_order_and_in_stretches(service: Service) -> None:
    session_id = (await service.create(sendImmediately=True))["sessionId"]
    await act(service, "DELETE", session_id)

    whole = (await act(service, "GET", session_id, "/Events")).json()
    part = (await act(service, "GET", session_id, "/Events?limit=2&offset=1")).json()
    refused = await act(service, "GET", session_id, "/Events?limit=101&offset=-1")

    types = [event["type"] for event in whole["events"]]
    assert types == ["session.created", "session.sent", "recipient.invited", "session.archived"]
    assert [event["sequence"] for event in whole["events"]] == [1, 2, 3, 4]
    chained = zip(whole["events"], whole["events"][1:], strict=False)
    assert all(later["previousHash"] == earlier["hash"] for earlier, later in chained)
    assert part["events"] == whole["events"][1:3]
    assert part["pagination"] == {"total": 4, "limit": 2, "offset": 1, "hasMore": True}
    assert [issue["path"] for issue in refused.json()["issues"]] == ["/limit", "/offset"]
