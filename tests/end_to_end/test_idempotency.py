"""Requests that are sent twice, on real engines: in a burst, after a crash before the answer, after deleting."""

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.end_to_end.access import client_of
from tests.end_to_end.folders import files_below, folders_below
from tests.end_to_end.installation import Installation
from tests.end_to_end.waiting import eventually

pytestmark = pytest.mark.installation


def request_of(name: str, **members: Any) -> dict[str, Any]:
    document = {
        "format": "blocks",
        "title": "Agreement",
        "blocks": [{"type": "signatureBlock", "label": "For the client", "recipient": "client"}],
    }
    return {
        "name": name,
        "files": [{"type": "blocks", "document": document}],
        "recipients": [{"key": "client", "name": "Ada Lovelace", "email": f"{name}@example.com"}],
        **members,
    }


def lose_answers(installation: Installation, key: str) -> None:
    """Has the database look as if the API had died before it could answer requests with `key`."""
    with closing(sqlite3.connect(installation.data_dir / "undersign.db")) as database, database:
        database.execute(
            "UPDATE idempotency_keys SET answer = NULL, session_id = NULL, tried_at = NULL WHERE key = ?", (key,)
        )


def sessions_in(installation: Installation) -> set[str]:
    """What the database knows and what the object store has, which must be the same."""
    with closing(sqlite3.connect(installation.data_dir / "undersign.db")) as database:
        recorded = {session_id for (session_id,) in database.execute("SELECT session_id FROM sessions")}
    stored = {path.name for path in folders_below(installation.data_dir / "objects") if path.parent.name == "sessions"}
    return recorded | stored


def is_claimed(installation: Installation, key: str) -> bool:
    """Returns whether a request with `key` has begun."""
    with closing(sqlite3.connect(installation.data_dir / "undersign.db")) as database:
        return bool(database.execute("SELECT 1 FROM idempotency_keys WHERE key = ?", (key,)).fetchall())


def objects_in(installation: Installation) -> int:
    return len(files_below(installation.data_dir / "objects"))


def until_answered(ask: Callable[[], httpx.Response]) -> httpx.Response:
    """What is answered once the service is there again."""

    def answer() -> httpx.Response | None:
        try:
            return ask()
        except httpx.TransportError:
            return None

    return eventually(answer, "an answer")


def mails_to(installation: Installation, address: str) -> int:
    return sum(1 for mail in (installation.data_dir / "outbox").glob("*.eml") if address in mail.read_text("utf-8"))


def test_a_burst_of_one_request_makes_one_session_and_one_mail(installation: Installation, http: httpx.Client) -> None:
    key, name = {"Idempotency-Key": str(uuid4())}, f"burst-{uuid4().hex[:8]}"
    body = request_of(name, sendImmediately=True)

    def ask(_: int) -> httpx.Response:
        return http.post("/api/v1/Session", json=body, headers=key)

    with ThreadPoolExecutor(6) as threads:
        answers = list(threads.map(ask, range(6)))
    last = ask(0)

    assert {answer.status_code for answer in answers} <= {200, 409}
    assert {a.json()["sessionId"] for a in (*answers, last) if a.status_code == 200} == {last.json()["sessionId"]}
    assert last.headers["Idempotency-Replayed"] == "true"
    eventually(lambda: mails_to(installation, f"{name}@example.com"), "the mail")
    assert mails_to(installation, f"{name}@example.com") == 1


def test_after_a_crash_before_the_answer_the_next_try_finds_what_was_done(
    installation: Installation, http: httpx.Client
) -> None:
    key, name = str(uuid4()), f"crash-{uuid4().hex[:8]}"
    body = request_of(name)
    made = http.post("/api/v1/Session", json=body, headers={"Idempotency-Key": key}).json()
    lose_answers(installation, key)

    found = http.post("/api/v1/Session", json=body, headers={"Idempotency-Key": key})

    assert found.status_code == 200
    assert found.json() == made
    send = f"/api/v1/Session/{made['sessionId']}/Send"
    sent = http.post(send, headers={"Idempotency-Key": f"{key} send"})
    lose_answers(installation, f"{key} send")
    again = http.post(send, headers={"Idempotency-Key": f"{key} send"})
    assert (again.status_code, again.json()) == (200, sent.json())
    events = http.get(f"/api/v1/Session/{made['sessionId']}/Events").json()["events"]
    assert [event["type"] for event in events][:3] == ["session.created", "session.sent", "recipient.invited"]


@pytest.mark.parametrize("moment", ["when it has begun", "when it stores objects"])
def test_a_create_in_the_middle_of_which_the_api_is_killed_is_made_once(
    own_installation: Installation, moment: str
) -> None:
    key, name = str(uuid4()), f"killed-{uuid4().hex[:8]}"
    body = request_of(name, sendImmediately=True)
    long = [{"type": "paragraph", "text": "The consultant advises the client. " * 40}] * 60
    file = body["files"][0]
    body["files"] = [{**file, "document": {**file["document"], "blocks": [*long, *file["document"]["blocks"]]}}] * 5
    objects, sessions = objects_in(own_installation), sessions_in(own_installation)

    with client_of(own_installation) as http, ThreadPoolExecutor(1) as threads:

        def ask() -> httpx.Response:
            return http.post("/api/v1/Session", json=body, headers={"Idempotency-Key": key})

        first = threads.submit(ask)
        if moment == "when it has begun":
            eventually(lambda: is_claimed(own_installation, key), "the claim")
        else:
            eventually(lambda: objects_in(own_installation) > objects, "the first object")
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
    eventually(lambda: mails_to(own_installation, f"{name}@example.com"), "the mail")
    assert mails_to(own_installation, f"{name}@example.com") == 1


def test_a_session_that_was_deleted_for_ever_does_not_come_back_by_its_key(
    installation: Installation, http: httpx.Client
) -> None:
    key = str(uuid4())
    body = request_of("deleted")
    made = http.post("/api/v1/Session", json=body, headers={"Idempotency-Key": key}).json()
    http.delete(f"/api/v1/Session/{made['sessionId']}?permanent=true").raise_for_status()

    kept = http.post("/api/v1/Session", json=body, headers={"Idempotency-Key": key})
    lose_answers(installation, key)
    lost = http.post("/api/v1/Session", json=body, headers={"Idempotency-Key": key})

    assert [(answer.status_code, answer.json()["error"]) for answer in (kept, lost)] == [(404, "NOT_FOUND")] * 2
