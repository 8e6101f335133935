"""A request that is repeated with its Idempotency-Key takes effect once (Specification 10.5)."""

import json
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest

from adapters.database.tables.sessions import IdempotencyKeyRow
from application import idempotency
from domain.audit.events import AuditContext
from domain.ports.session_requests import ActionRequest
from domain.session.session import Session, Transition
from domain.shared.errors import Unavailable
from domain.shared.ids import SessionId, UserId
from domain.shared.limits import CLAIM_LIFETIME, KEY_LIFETIME
from domain.shared.object_names import digest
from tests.api.service import STRANGER, Service, document, issues_by_path, session_request
from tests.builders import ORGANISATION, audit
from tests.fakes.sessions import FakeSessions
from tests.workflows.waiting import eventually

KEY = {"Idempotency-Key": "order 4711"}


async def create(service: Service, headers: dict[str, str] | None = None, **changes: Any) -> httpx.Response:
    return await service.http().post("/api/v1/Session", json=session_request(**changes), headers=headers or KEY)


async def act(service: Service, session_id: str, name: str, **headers: str) -> httpx.Response:
    return await service.http().post(f"/api/v1/Session/{session_id}/{name}", headers={**KEY, **headers})


async def age_keys(service: Service, by: timedelta) -> None:
    def age(row: IdempotencyKeyRow) -> None:
        row.since -= by
        row.tried_at = row.tried_at - by if row.tried_at else None

    await service.database.edit(IdempotencyKeyRow, age)


async def forget(service: Service, member: str) -> None:
    await service.database.edit(IdempotencyKeyRow, lambda row: setattr(row, member, None))


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]


async def test_a_repeated_create_gets_the_first_answer_even_after_the_session_was_sent(service: Service) -> None:
    first = await create(service)
    objects = dict(service.objects.objects)
    await act(service, first.json()["sessionId"], "Send", **{"Idempotency-Key": "another"})

    again = await create(service)

    assert first.status_code == again.status_code == 200
    assert again.content == first.content
    assert again.headers["Idempotency-Replayed"] == "true"
    assert "Idempotency-Replayed" not in first.headers
    assert len(service.sessions.held) == 1
    assert service.objects.objects == objects


@pytest.mark.parametrize("indent", [None, 2])
async def test_equal_json_in_another_order_and_with_other_spaces_is_the_same_request(
    service: Service, indent: int | None
) -> None:
    members = session_request(name="Mietvertrag für Ü")
    reordered = json.dumps(dict(reversed(members.items())), indent=indent, ensure_ascii=indent is None)

    first = await create(service, name="Mietvertrag für Ü")
    headers = {**KEY, "Content-Type": "application/json"}
    again = await service.http().post("/api/v1/Session", content=reordered.encode(), headers=headers)

    assert (again.content, again.headers["Idempotency-Replayed"]) == (first.content, "true")


async def test_a_request_that_an_earlier_version_stored_by_its_bytes_is_found(service: Service) -> None:
    first = await create(service)
    body = f"POST /api/v1/Session\n{first.request.content.decode()}".encode()
    await service.database.edit(IdempotencyKeyRow, lambda row: setattr(row, "request_sha256", digest(body)))

    assert (await create(service)).content == first.content


async def test_without_the_header_every_create_makes_a_session(service: Service) -> None:
    assert await service.create() != await service.create()
    assert len(service.sessions.held) == 2
    assert await service.database.read(IdempotencyKeyRow) == []


async def test_a_key_of_another_request_is_refused_and_without_a_token_keys_are_not_revealed(service: Service) -> None:
    session_id = (await create(service)).json()["sessionId"]

    assert code(await create(service, name="Another")) == (422, "IDEMPOTENCY_KEY_REUSED")
    assert code(await act(service, session_id, "Send")) == (422, "IDEMPOTENCY_KEY_REUSED")
    assert service.sessions.held[session_id].sent_at is None
    assert len(service.sessions.held) == 1
    anonymous = await service.http(None).post("/api/v1/Session", json=session_request(), headers=KEY)
    assert code(anonymous) == (401, "UNAUTHORIZED")


async def test_keys_are_an_organisations_own(service: Service) -> None:
    own = await create(service)
    other = await service.http(STRANGER).post("/api/v1/Session", json=session_request(), headers=KEY)

    assert other.status_code == 200
    assert other.json()["sessionId"] != own.json()["sessionId"]


@pytest.mark.parametrize("key", ["", "x" * 256, "tab\there", "süß"])
async def test_an_invalid_key_is_refused_with_its_path(service: Service, key: str) -> None:
    answer = await create(service, {"Idempotency-Key": key.encode("latin-1")})  # type: ignore[dict-item]  # as sent

    assert code(answer) == (400, "INVALID_REQUEST")
    assert issues_by_path(answer) == {"/Idempotency-Key": "An Idempotency-Key has 1 to 255 printable ASCII characters."}
    assert not service.sessions.held


@pytest.mark.parametrize("key", ["null", "undefined", "None"])
async def test_a_word_for_no_key_is_refused(service: Service, key: str) -> None:
    answer = await create(service, {"Idempotency-Key": key})

    assert issues_by_path(answer) == {
        "/Idempotency-Key": f"The key is the word {key}. Leave the header out to send none."
    }


async def test_two_keys_are_refused(service: Service) -> None:
    twice = [("Idempotency-Key", "one"), ("Idempotency-Key", "two")]
    answer = await service.http().post("/api/v1/Session", json=session_request(), headers=twice)

    assert issues_by_path(answer) == {"/Idempotency-Key": "This header occurs more than once. Give it once."}


async def test_a_refused_request_leaves_its_key_free(service: Service) -> None:
    bad = document(blocks=[{"type": "signatureBlock", "label": "For nobody", "recipient": "nobody"}])

    refused = await create(service, files=[{"type": "blocks", "document": bad}])

    assert code(refused) == (400, "DOCUMENT_VALIDATION_FAILED")
    assert (await create(service)).status_code == 200


async def test_a_request_in_progress_keeps_its_key_however_long_it_takes(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idempotency, "RENEWED_EVERY", 0.01)
    met: list[httpx.Response] = []

    async def tried_at() -> datetime | None:
        [row] = await service.database.read(IdempotencyKeyRow)
        return row.tried_at

    class Slow(FakeSessions):
        async def create(
            self, created: Transition, send: AuditContext | None = None, sent_by: UserId | None = None
        ) -> Session:
            claimed = await tried_at()
            met.append(await create(service))
            await eventually(tried_at, lambda now: now != claimed)
            met.append(await create(service))
            return await super().create(created, send, sent_by)

    serve(service, Slow(service.rows))

    assert (await create(service)).status_code == 200
    assert [code(answer) for answer in met] == [(409, "IDEMPOTENCY_IN_PROGRESS")] * 2
    assert met[0].headers["Retry-After"]


class Lossy(FakeSessions):
    """Sessions that act, and then raise once."""

    def __init__(self, service: Service, error: Exception) -> None:
        super().__init__(service.rows)
        self._errors = [error]

    def lose(self) -> None:
        if self._errors:
            raise self._errors.pop()

    async def create(
        self, created: Transition, send: AuditContext | None = None, sent_by: UserId | None = None
    ) -> Session:
        session = await super().create(created, send, sent_by)
        self.lose()
        return session

    async def send(self, session: Session, request: ActionRequest, sent_by: UserId | None = None) -> Session:
        session = await super().send(session, request, sent_by)
        self.lose()
        return session


def serve(service: Service, sessions: FakeSessions) -> None:
    service.sessions = sessions
    service.app.state.services = service.services()


async def test_a_create_whose_answer_was_lost_is_found_by_the_next_try(service: Service) -> None:
    serve(service, Lossy(service, Unavailable()))
    lost = await create(service, sendImmediately=True)
    objects = set(service.objects.objects)

    found = await create(service, sendImmediately=True)

    assert (lost.status_code, found.status_code) == (503, 200)
    assert list(service.sessions.held) == [found.json()["sessionId"]]
    assert found.json()["status"] == "pending"
    assert set(service.objects.objects) == objects
    assert len(await service.rows.events(ORGANISATION, found.json()["sessionId"])) > 0


async def test_after_a_crash_the_key_is_free_when_its_claim_expires(service: Service) -> None:
    made = (await create(service)).json()["sessionId"]
    await forget(service, "answer")  # as if it had died before it answered

    def tried_before(row: IdempotencyKeyRow) -> None:
        assert row.tried_at is not None
        row.tried_at -= CLAIM_LIFETIME

    soon = await create(service)
    await service.database.edit(IdempotencyKeyRow, tried_before)
    again = await create(service)

    assert code(soon) == (409, "IDEMPOTENCY_IN_PROGRESS")
    assert again.json()["sessionId"] == made
    assert len(service.sessions.held) == 1


async def test_after_a_day_a_key_is_free_for_a_new_session(service: Service) -> None:
    first = await create(service)
    await age_keys(service, KEY_LIFETIME)

    second = await create(service, name="Another")

    assert second.status_code == 200
    assert second.json()["sessionId"] != first.json()["sessionId"]


async def test_a_permanently_deleted_session_is_not_created_again_by_its_key(service: Service) -> None:
    serve(service, Lossy(service, Unavailable()))
    await create(service)
    [session] = service.sessions.held.values()
    await service.sessions.erase(session, ActionRequest(audit=audit()))

    assert code(await create(service)) == (404, "NOT_FOUND")


async def test_a_late_retry_finds_a_session_whose_run_has_ended(service: Service) -> None:
    made = SessionId((await create(service, sendImmediately=True)).json()["sessionId"])
    await service.generate(await service.complete(made))
    service.sessions.closed.add(made)
    await service.lose_answers()

    again = await create(service, sendImmediately=True)

    assert (again.json()["sessionId"], again.json()["status"]) == (made, "completedAndGenerated")


async def test_a_repeated_send_gets_the_first_answer_stored_or_not(service: Service) -> None:
    session_id = (await service.create())["sessionId"]
    first = await act(service, session_id, "Send")

    again = await act(service, session_id, "Send")

    assert first.status_code == 200
    assert again.content == first.content
    assert again.headers["Idempotency-Replayed"] == "true"
    assert code(await act(service, session_id, "Send", **{"Idempotency-Key": "new"})) == (400, "NOT_A_DRAFT")
    await service.lose_answers()
    retried = await act(service, session_id, "Send")
    assert (retried.status_code, retried.json()) == (200, first.json())


async def test_a_send_whose_answer_was_lost_is_answered_and_not_repeated(service: Service) -> None:
    serve(service, Lossy(service, Unavailable()))
    service.sessions._errors.clear()  # type: ignore[attr-defined]  # the create is heard
    session_id = (await service.create())["sessionId"]
    service.sessions._errors.append(Unavailable())  # type: ignore[attr-defined]

    lost = await act(service, session_id, "Send")
    found = await act(service, session_id, "Send")

    assert (lost.status_code, found.status_code) == (503, 200)
    assert found.json()["status"] == "pending"
    events = await service.rows.events(ORGANISATION, session_id)
    assert [event.type.value for event in events].count("session.sent") == 1


async def test_a_new_invitation_with_a_key_is_made_once(service: Service) -> None:
    session = await service.create(sendImmediately=True)
    first = await act(service, session["sessionId"], "SendInvitation")

    again = await act(service, session["sessionId"], "SendInvitation")

    assert again.content == first.content
    held = service.sessions.held[session["sessionId"]]
    assert held.recipients[0].invitation.number == 2
