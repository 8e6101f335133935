"""Sending, archiving, restoring and deleting over HTTP (Specification 2.4, 3.5, 4.9, 4.11, 7.2)."""

from datetime import UTC, datetime
from typing import Any

import pytest

from domain.ports.database import DatabaseUnavailable
from domain.ports.session_requests import SessionCommand
from domain.session.recipients import MAX_PER_HOUR
from domain.session.session import Session, Transition
from domain.shared.ids import SessionId
from domain.shared.sending_limit import SendingLimit
from tests.api.mcp.assistant import refused
from tests.api.service import OWN, Service
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

    async def act(self, session: Session, command: SessionCommand, update_id: str | None = None) -> Session:
        await super().act(session, command, update_id)
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


async def hold(service: Service, number: int | None = None, *domains: str) -> None:
    await service.budgets.set(OWN.client_id, SendingLimit(recipients_per_day=number, domains=domains))


async def spent(service: Service) -> int:
    return await service.budgets.count_charged(OWN.client_id, datetime.now(UTC).date())


async def informed(service: Service) -> str:
    """Creates a session and delivers its first invitation."""
    made = await service.create(sendImmediately=True)
    session = service.sessions.held[SessionId(made["sessionId"])]
    await service.sessions.take(Transition(session.with_delivery(session.recipients[0].recipient_id, 1)))
    return str(made["sessionId"])


async def test_the_mails_of_archiving_count_for_the_client(service: Service) -> None:
    sessions = [await informed(service) for _ in range(3)]
    await hold(service, 2)

    answers = [await service.http().delete(f"/api/v1/Session/{session}") for session in sessions]

    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[2].json()["error"] == "RECIPIENT_BUDGET_SPENT"
    assert await spent(service) == 2
    assert (await service.http().get(f"/api/v1/Session/{sessions[2]}")).json()["status"] == "pending"


async def test_a_client_does_not_archive_what_tells_people_at_domains_that_it_may_not_mail(service: Service) -> None:
    session = await informed(service)
    await hold(service, None, "northwind.example")

    answer = await service.http().delete(f"/api/v1/Session/{session}")
    assisted = await refused(service, "archive_session", {"sessionId": session})

    assert (answer.status_code, answer.json()["error"]) == (403, "RECIPIENT_DOMAIN_NOT_ALLOWED")
    assert assisted["error"] == "RECIPIENT_DOMAIN_NOT_ALLOWED"


async def test_archiving_without_mails_is_not_counted(service: Service) -> None:
    draft = (await service.create())["sessionId"]
    session = await informed(service)
    await service.http().delete(f"/api/v1/Session/{session}")
    await service.http().post(f"/api/v1/Session/{session}/Restore")
    await hold(service, 0, "nowhere.example")

    answers = [await service.http().delete(f"/api/v1/Session/{one}") for one in (draft, session)]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert await spent(service) == 0


async def test_a_session_is_restored_only_so_often_within_an_hour(service: Service) -> None:
    session = await informed(service)

    for _ in range(MAX_PER_HOUR):
        await service.http().delete(f"/api/v1/Session/{session}")
        assert (await service.http().post(f"/api/v1/Session/{session}/Restore")).status_code == 200
    await service.http().delete(f"/api/v1/Session/{session}")
    answer = await service.http().post(f"/api/v1/Session/{session}/Restore")

    assert (answer.status_code, answer.json()["error"]) == (429, "RATE_LIMITED")
    assert answer.headers["retry-after"] == "3600"


async def test_one_recipient_gets_only_so_many_invitations_within_an_hour(service: Service) -> None:
    path = f"/api/v1/Session/{await informed(service)}/SendInvitation"

    answers = [await service.http().post(path) for _ in range(MAX_PER_HOUR)]

    assert [answer.status_code for answer in answers] == [200] * (MAX_PER_HOUR - 1) + [429]
    assert answers[-1].json()["error"] == "RATE_LIMITED"
