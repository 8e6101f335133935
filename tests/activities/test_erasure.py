"""Erasing leaves a tombstone with a receipt, and of other sessions everything."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import pytest
from joserfc.jwk import ECKey
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

from activities.erasure import ASK_AGAIN, ErasureActivities
from activities.interface import EraseRequest, ReceiptRequest
from adapters.database.repositories.sessions import DatabaseSessionRows
from adapters.database.repositories.uploads import DatabaseUploads
from domain.audit.deletion_receipts import InvalidReceipt, read_receipt
from domain.session.session import Session
from domain.shared.object_names import session_prefix
from tests.builders import NOON, created
from tests.databases import MemoryDatabase
from tests.fakes.object_store import MemoryObjectStore

KEY = ECKey.generate_key("P-256").as_pem(private=True)


class FewHistories:
    """Histories of that many runs, until `left` is cleared."""

    def __init__(self, runs: int) -> None:
        self.left = [f"run-{number}" for number in range(runs)]
        self.names: Sequence[str] = ()
        self.asked_for: list[str] = []

    async def delete(self, workflow_ids: Sequence[str], asked: Collection[str] = ()) -> list[str]:
        self.names = workflow_ids
        self.asked_for += [run for run in self.left if run not in asked]
        return self.left


def new_rows() -> DatabaseSessionRows:
    return DatabaseSessionRows(MemoryDatabase().engine)


def request_of(session: Session) -> EraseRequest:
    return EraseRequest(organisation_id=session.organisation_id, session_id=session.session_id, erased_at=NOON)


def prefix(session: Session) -> str:
    return session_prefix(session.organisation_id, session.session_id)


def erasing(
    rows: DatabaseSessionRows | None = None, objects: MemoryObjectStore | None = None, runs: int = 0
) -> tuple[ErasureActivities, FewHistories]:
    histories = FewHistories(runs)
    uploads = DatabaseUploads(MemoryDatabase().engine)
    return ErasureActivities(rows or new_rows(), objects or MemoryObjectStore(), histories, KEY, uploads), histories


async def test_the_objects_of_one_session_are_deleted_and_counted() -> None:
    objects = MemoryObjectStore()
    gone, other = created(name="Gone").session, created(name="Other").session
    for session in (gone, other):
        for name in ("one", "two"):
            await objects.put(f"{prefix(session)}files/{name}.pdf", b"%PDF", "application/pdf")

    assert await ActivityEnvironment().run(erasing(objects=objects)[0].erase_objects, request_of(gone)) == 2
    assert all(name.startswith(prefix(other)) for name in objects.objects)


class Tries:
    """Attempts of an activity with the heartbeat details of the one before."""

    def __init__(self) -> None:
        self._environment = ActivityEnvironment()
        self._environment.on_heartbeat = self._remember
        self.attempt = 0
        self.told: Sequence[Any] = ()

    def _remember(self, *details: Any) -> None:
        self.told = details

    async def erase_histories(self, subject: ErasureActivities, session: Session) -> int:
        self.attempt += 1
        info = self._environment.default_info()
        self._environment.info = replace(info, attempt=self.attempt, heartbeat_details=self.told)
        return await self._environment.run(subject.erase_histories, request_of(session))


async def test_runs_are_deleted_until_none_is_left_and_requested_again_after_some_attempts() -> None:
    subject, histories = erasing(runs=2)
    session, tries = created().session, Tries()

    for requests in (1, 2):
        for _ in range(3 if requests == 1 else ASK_AGAIN - 1):
            with pytest.raises(ApplicationError, match="2 runs"):
                await tries.erase_histories(subject, session)
        assert histories.asked_for == ["run-0", "run-1"] * requests
    histories.left = []

    assert await tries.erase_histories(subject, session) == 2
    assert histories.names == [f"session/{session.session_id}"]


async def test_versions_that_count_only_and_those_that_ask_once_take_turns() -> None:
    subject, histories = erasing(runs=1)
    session, tries = created().session, Tries()
    tries.told = [3]

    with pytest.raises(ApplicationError, match="1 runs"):
        await tries.erase_histories(subject, session)

    assert tries.told == (3, "run-0")
    histories.left = []
    assert await tries.erase_histories(subject, session) == 3


async def test_the_receipt_states_what_was_erased_under_a_signature() -> None:
    rows, session = new_rows(), created().session
    subject, _ = erasing(rows)
    request = ReceiptRequest(erased=request_of(session), objects=4, runs=2, completed_at=NOON)
    await rows.erase(session.organisation_id, session.session_id, NOON)

    receipt = await ActivityEnvironment().run(subject.issue_receipt, request)
    again = await ActivityEnvironment().run(subject.issue_receipt, request.model_copy(update={"objects": 0}))

    assert again == receipt == await rows.find_receipt(session.organisation_id, session.session_id)
    assert read_receipt(KEY, receipt) == {
        "sessionId": session.session_id,
        "organisationId": session.organisation_id,
        "erasedAt": "2026-06-12T12:00:00.000Z",
        "completedAt": "2026-06-12T12:00:00.000Z",
        "objects": 4,
        "workflowRuns": 2,
    }
    header, facts, signature = receipt.split(".")
    with pytest.raises(InvalidReceipt):
        read_receipt(ECKey.generate_key("P-256").as_pem(private=True), receipt)
    with pytest.raises(InvalidReceipt):
        read_receipt(KEY, f"{header}.{facts[:-2]}AA.{signature}")
