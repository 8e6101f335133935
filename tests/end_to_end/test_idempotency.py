"""Requests that are sent twice: in a burst, after a crash before the answer, after deletion."""

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.builders import session_body
from tests.end_to_end.access import client_of
from tests.end_to_end.installation import Installation
from tests.end_to_end.waiting import eventually


def body_of(name: str, **members: Any) -> dict[str, Any]:
    """Returns a request whose recipient has an address of its own."""
    return session_body(name, {name: "Ada Lovelace"}, **members)


def query(installation: Installation, statement: str, *values: str) -> list[tuple[Any, ...]]:
    """Returns the rows of a statement on the database, which it may change."""
    with closing(sqlite3.connect(installation.data_dir / "undersign.db")) as database, database:
        return database.execute(statement, values).fetchall()


def lose_answers(installation: Installation, key: str) -> None:
    """Changes the database as if the API had died before it could answer requests with `key`."""
    query(
        installation,
        "UPDATE idempotency_keys SET answer = NULL, session_id = NULL, tried_at = NULL WHERE key = ?",
        key,
    )


def sessions_in(installation: Installation) -> set[str]:
    """Returns the identifiers in the database and in the object store, which must be the same."""
    recorded = {session_id for (session_id,) in query(installation, "SELECT session_id FROM sessions")}
    parts = (path.parts for path in installation.files("/sessions/"))
    return recorded | {path[path.index("sessions") + 1] for path in parts}


def until_answered(ask: Callable[[], httpx.Response]) -> httpx.Response:
    """Returns the answer once the service is back."""

    def answer() -> httpx.Response | None:
        try:
            return ask()
        except httpx.TransportError:
            return None

    return eventually(answer, "an answer")


def test_a_burst_of_one_request_makes_one_session_and_one_mail(installation: Installation, http: httpx.Client) -> None:
    key, name = {"Idempotency-Key": str(uuid4())}, f"burst-{uuid4().hex[:8]}"
    body = body_of(name, sendImmediately=True)

    def ask(_: int) -> httpx.Response:
        return http.post("/api/v1/Session", json=body, headers=key)

    with ThreadPoolExecutor(6) as threads:
        answers = list(threads.map(ask, range(6)))
    last = ask(0)

    assert {answer.status_code for answer in answers} <= {200, 409}
    assert {a.json()["sessionId"] for a in (*answers, last) if a.status_code == 200} == {last.json()["sessionId"]}
    assert last.headers["Idempotency-Replayed"] == "true"
    eventually(lambda: installation.outbox.to(f"{name}@example.com"), "the mail")
    assert len(installation.outbox.to(f"{name}@example.com")) == 1


def test_after_a_crash_before_the_answer_the_next_try_finds_what_was_done(
    installation: Installation, http: httpx.Client
) -> None:
    key, name = str(uuid4()), f"crash-{uuid4().hex[:8]}"
    body = body_of(name)
    created = http.post("/api/v1/Session", json=body, headers={"Idempotency-Key": key}).json()
    lose_answers(installation, key)

    found = http.post("/api/v1/Session", json=body, headers={"Idempotency-Key": key})

    assert found.status_code == 200
    assert found.json() == created
    send = f"/api/v1/Session/{created['sessionId']}/Send"
    sent = http.post(send, headers={"Idempotency-Key": f"{key} send"})
    lose_answers(installation, f"{key} send")
    again = http.post(send, headers={"Idempotency-Key": f"{key} send"})
    assert (again.status_code, again.json()) == (200, sent.json())
    events = http.get(f"/api/v1/Session/{created['sessionId']}/Events").json()["events"]
    assert [event["type"] for event in events][:3] == ["session.created", "session.sent", "recipient.invited"]


@pytest.mark.parametrize("moment", ["when it has begun", "when it stores objects"])
def test_a_create_in_the_middle_of_which_the_api_is_killed_is_made_once(
    own_installation: Installation, moment: str
) -> None:
    key, name = str(uuid4()), f"killed-{uuid4().hex[:8]}"
    body = body_of(name, sendImmediately=True)
    long = [{"type": "paragraph", "text": "The consultant advises the client. " * 40}] * 60
    file = body["files"][0]
    body["files"] = [{**file, "document": {**file["document"], "blocks": [*long, *file["document"]["blocks"]]}}] * 5
    objects, sessions = own_installation.files(), sessions_in(own_installation)

    with client_of(own_installation) as http, ThreadPoolExecutor(1) as threads:

        def ask() -> httpx.Response:
            return http.post("/api/v1/Session", json=body, headers={"Idempotency-Key": key})

        first = threads.submit(ask)
        if moment == "when it has begun":
            claim = ("SELECT 1 FROM idempotency_keys WHERE key = ?", key)
            eventually(lambda: query(own_installation, *claim), "the claim", longest=0.02)
        else:
            eventually(lambda: own_installation.files() - objects, "the first object", longest=0.02)
        own_installation.kill_api()
        died = isinstance(first.exception(), httpx.TransportError)
        soon = until_answered(ask)
        lose_answers(own_installation, key)
        again = until_answered(ask)
        listed = ask()

    assert died or moment == "when it stores objects"  # which may be over before the blow falls
    assert soon.status_code == 409 or soon.json()["sessionId"] == again.json()["sessionId"]
    assert (again.status_code, again.json()["status"]) == (200, "pending")
    assert (listed.json(), listed.headers["Idempotency-Replayed"]) == (again.json(), "true")
    assert sessions_in(own_installation) - sessions == {again.json()["sessionId"]}
    eventually(lambda: own_installation.outbox.to(f"{name}@example.com"), "the mail")
    assert len(own_installation.outbox.to(f"{name}@example.com")) == 1


def test_a_session_that_was_deleted_permanently_does_not_come_back_by_its_key(
    installation: Installation, http: httpx.Client
) -> None:
    key = str(uuid4())
    body = body_of(f"deleted-{uuid4().hex[:8]}")
    created = http.post("/api/v1/Session", json=body, headers={"Idempotency-Key": key}).json()
    http.delete(f"/api/v1/Session/{created['sessionId']}?permanent=true").raise_for_status()

    kept = http.post("/api/v1/Session", json=body, headers={"Idempotency-Key": key})
    lose_answers(installation, key)
    lost = http.post("/api/v1/Session", json=body, headers={"Idempotency-Key": key})

    assert [(answer.status_code, answer.json()["error"]) for answer in (kept, lost)] == [(404, "NOT_FOUND")] * 2
