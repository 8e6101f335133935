"""A create request that died at any point is repeated with its Idempotency-Key."""

import asyncio
from collections.abc import Callable

import pytest

from adapters.database.repositories.idempotency import DatabaseIdempotencyKeys
from application.session_actions import SessionActions
from domain.ports.database import DatabaseUnavailable
from domain.session.session import Session
from domain.shared.ids import OrganisationId, SessionId
from domain.shared.object_names import ObjectReference
from tests.api.service import Service
from tests.fakes.object_store import MemoryObjectStore
from tests.fakes.sessions import FakeRuns
from tests.web.asgi.test_idempotency_key_header import code, create, forget


class DeadlyStore(MemoryObjectStore):
    """Stores `survived` objects; then the process dies."""

    def __init__(self, service: Service, survived: int) -> None:
        super().__init__()
        self.objects = service.objects.objects
        self._survived = survived

    async def put(self, name: str, content: bytes, content_type: str) -> ObjectReference:
        if self._survived == 0:
            raise asyncio.CancelledError
        self._survived -= 1
        return await super().put(name, content, content_type)


class DeadlyRuns(FakeRuns):
    """Dies before or after the start of a session's run."""

    def __init__(self, service: Service, *, is_started: bool) -> None:
        super().__init__(service.rows)
        self._is_started = is_started

    async def start(self, session: Session) -> bool:
        if self._is_started:
            await super().start(session)
        raise asyncio.CancelledError


class DeadlyKeys(DatabaseIdempotencyKeys):
    """Raises `error` instead of storing an answer. By default the process dies."""

    error: type[BaseException] = asyncio.CancelledError

    async def store_answer(
        self, organisation_id: OrganisationId, key: str, session_id: SessionId | None, answer: str
    ) -> None:
        raise self.error


class AwayKeys(DeadlyKeys):
    error = DatabaseUnavailable


async def test_an_answer_that_cannot_be_stored_is_given_all_the_same(service: Service) -> None:
    service.app.state.services = service.services(idempotency_keys=AwayKeys(service.database.engine))

    assert (await create(service)).status_code == 200


DEATHS: dict[str, Callable[[Service], dict[str, object]]] = {
    "before any object": lambda service: {"objects": DeadlyStore(service, 0)},
    "after one object": lambda service: {"objects": DeadlyStore(service, 1)},
    "after two objects": lambda service: {"objects": DeadlyStore(service, 2)},
    "before the start": lambda service: {
        "sessions": SessionActions(DeadlyRuns(service, is_started=False), service.rows)
    },
    "after the start": lambda service: {"sessions": SessionActions(DeadlyRuns(service, is_started=True), service.rows)},
    "before the answer": lambda service: {"idempotency_keys": DeadlyKeys(service.database.engine)},
}


@pytest.mark.parametrize("death", DEATHS)
async def test_a_retry_creates_one_session_wherever_the_first_request_died(service: Service, death: str) -> None:
    service.app.state.services = service.services(**DEATHS[death](service))
    with pytest.raises(asyncio.CancelledError):
        await create(service, sendImmediately=True)
    service.app.state.services = service.services()

    soon = await create(service, sendImmediately=True)
    other = await create(service, name="Another agreement")
    await forget(service, "tried_at")
    again = await create(service, sendImmediately=True)

    assert code(soon) == (409, "IDEMPOTENCY_IN_PROGRESS")
    assert code(other) == (422, "IDEMPOTENCY_KEY_REUSED")
    assert (again.status_code, again.json()["status"]) == (200, "pending")
    assert list(service.sessions.held) == [again.json()["sessionId"]]
    assert len(service.objects.objects) == 3


async def test_a_retry_accepts_pages_of_an_earlier_version_of_the_engine(service: Service) -> None:
    service.app.state.services = service.services(**DEATHS["before the answer"](service))
    with pytest.raises(asyncio.CancelledError):
        await create(service)
    service.app.state.services = service.services()
    await forget(service, "tried_at")
    pages = next(name for name in service.objects.objects if "/sent-" in name)
    service.objects.objects[pages] = b"%PDF by an earlier version"

    again = await create(service)

    assert (again.status_code, [again.json()["sessionId"]]) == (200, list(service.sessions.held))
