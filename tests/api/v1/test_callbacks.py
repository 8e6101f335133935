"""The log of callbacks, redelivery, and the feed (Specification 4.20, 4.21)."""

from datetime import timedelta
from typing import Any

import pytest

from domain.callbacks.callback import CallbackStatus, event_id
from domain.callbacks.delivery_schedule import Attempt, CallbackLogEntry
from domain.shared.ids import SessionId
from tests.api.callback_log import keep_log
from tests.api.service import Service
from tests.builders import NOON, ORGANISATION, identifier

SECOND = timedelta(seconds=1)


def logged(session_id: str, sequence: int = 2, **changes: Any) -> CallbackLogEntry:
    standard: dict[str, Any] = {
        "event_id": event_id(SessionId(session_id), str(sequence)), "type": "session.sent",
        "receiver": "https://hooks.example.com:443", "status": CallbackStatus.PENDING,
        "attempts": (Attempt(at=NOON, status_code=500, error="the receiver answered 500", duration_ms=12),),
        "next_attempt_at": NOON + 5 * SECOND, "paused_since": None,
    }  # fmt: skip
    return CallbackLogEntry(**{**standard, **changes})


async def with_log(service: Service, *sequences: int) -> str:
    """A session with these callbacks."""
    session_id = str((await service.create(sendImmediately=True))["sessionId"])
    await keep_log(service.database, ORGANISATION, session_id, *(logged(session_id, number) for number in sequences))
    return session_id


async def test_the_log_shows_every_try(service: Service) -> None:
    session_id = await with_log(service, 2)
    answer = await service.http().get(f"/api/v1/Session/{session_id}/Callbacks")
    attempt = {
        "at": "2026-06-12T12:00:00.000Z",
        "statusCode": 500,
        "error": "the receiver answered 500",
        "durationMs": 12,
    }
    event = {"eventId": event_id(SessionId(session_id), "2"), "type": "session.sent", "status": "pending"}
    times = {"nextAttemptAt": "2026-06-12T12:00:05.000Z", "pausedSince": None}
    assert answer.json() == {
        "callbacks": [{**event, "attempts": [attempt], **times}],
        "pagination": {"total": 1, "limit": 50, "offset": 0, "hasMore": False},
    }


async def test_redelivering_begins_one_delivery_of_the_same_event(service: Service) -> None:
    session_id = await with_log(service, 2, 4)
    event = event_id(SessionId(session_id), "4")
    answer = await service.http().post(f"/api/v1/Session/{session_id}/Callback/{event}/Redeliver")
    assert answer.status_code == 200
    assert (answer.json()["eventId"], answer.json()["status"]) == (event, "pending")
    assert answer.json()["nextAttemptAt"] is not None
    assert [delivery.event_id for delivery in service.deliveries.asked_for] == [event]


async def test_a_callback_that_the_session_does_not_have_is_not_found(service: Service) -> None:
    session_id, other = await with_log(service, 2), await with_log(service, 2)
    for event in ("no-identifier", identifier("unknown"), "", event_id(SessionId(other), "2")):
        answer = await service.http().post(f"/api/v1/Session/{session_id}/Callback/{event}/Redeliver")
        assert (answer.status_code, answer.json()["error"]) == (404, "NOT_FOUND"), event
    assert service.deliveries.asked_for == []


async def test_without_temporal_a_redelivery_is_to_be_asked_for_again(service: Service) -> None:
    session_id = await with_log(service, 2)
    service.deliveries.is_down = True
    event = event_id(SessionId(session_id), "2")
    answer = await service.http().post(f"/api/v1/Session/{session_id}/Callback/{event}/Redeliver")
    assert (answer.status_code, answer.json()["error"]) == (503, "UNAVAILABLE")


# The feed


async def feed(service: Service, **query: Any) -> dict[str, Any]:
    answer = await service.http().get("/api/v1/Events", params=query)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def test_the_feed_is_read_to_its_end_by_cursors_without_gap_or_double(service: Service) -> None:
    sessions = [str((await service.create(sendImmediately=True))["sessionId"]) for _ in range(3)]
    seen: list[tuple[str, int]] = []
    page = await feed(service, limit=2)
    while page["events"]:
        seen += [(event["sessionId"], event["sequence"]) for event in page["events"]]
        page = await feed(service, limit=2, after=page["cursor"])
    assert len(seen) == len(set(seen))
    assert {session for session, _ in seen} == set(sessions)
    assert page["hasMore"] is False
    assert (await feed(service, after=page["cursor"]))["cursor"] == page["cursor"]


async def test_an_event_of_the_feed_is_that_of_the_history_with_its_session_and_callback(service: Service) -> None:
    session_id = str((await service.create())["sessionId"])
    history = (await service.http().get(f"/api/v1/Session/{session_id}/Events")).json()["events"]
    (event,) = (await feed(service))["events"]
    assert event == {
        **history[0],
        "sessionId": session_id,
        "eventId": event_id(SessionId(session_id), history[0]["hash"]),
        "externalId": None,
        "metadata": {},
    }


@pytest.mark.parametrize("cursor", ["", "7", "nonsense", "MTox=", "LTE6NQ", "ä", "1:5", "MDE6", "NTph_2E", "A" * 400])
async def test_an_invalid_cursor_is_refused(service: Service, cursor: str) -> None:
    answer = await service.http().get("/api/v1/Events", params={"after": cursor})
    assert (answer.status_code, answer.json()["error"]) == (400, "INVALID_REQUEST")
