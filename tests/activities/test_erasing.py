"""Erasing leaves a tombstone with a receipt, and of other sessions everything."""

from collections.abc import Sequence

import pytest
from joserfc.jwk import ECKey
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

from activities.erasing import Erasing
from activities.interface import BuryRequest, ReceiptRequest
from adapters.receipts import ReceiptNotValid, read_receipt
from domain.objects import session_prefix
from domain.session import Session
from tests.builders import NOON, created
from tests.fakes.database import MemorySessionRows
from tests.fakes.deliveries import FakeAnnouncing
from tests.fakes.object_store import MemoryObjectStore

KEY = ECKey.generate_key("P-256").as_pem(private=True)


class FewHistories:
    """Histories of which so many runs are left to be found."""

    def __init__(self, runs: int) -> None:
        self.runs = runs
        self.asked: list[Sequence[str]] = []

    async def delete(self, workflow_ids: Sequence[str]) -> int:
        self.asked.append(workflow_ids)
        found, self.runs = self.runs, 0
        return found


def request_of(session: Session) -> BuryRequest:
    return BuryRequest(organisation_id=session.organisation_id, session_id=session.session_id, erased_at=NOON)


def prefix(session: Session) -> str:
    return session_prefix(session.organisation_id, session.session_id)


def erasing(
    rows: MemorySessionRows | None = None, objects: MemoryObjectStore | None = None, runs: int = 0
) -> tuple[Erasing, FewHistories]:
    histories = FewHistories(runs)
    return Erasing(
        rows or MemorySessionRows(), objects or MemoryObjectStore(), histories, KEY, FakeAnnouncing()
    ), histories


async def test_a_tombstone_takes_the_place_of_the_row_and_a_second_try_changes_nothing() -> None:
    rows = MemorySessionRows()
    gone, other = created(name="Gone"), created(name="Other")
    for step in (gone, other):
        await rows.record(step.session, step.events)

    for _ in range(2):
        await ActivityEnvironment().run(erasing(rows)[0].bury_session, request_of(gone.session))

    assert list(rows.rows.values()) == [other.session]
    assert await rows.is_erased(gone.session.organisation_id, gone.session.session_id)


async def test_the_objects_of_one_session_are_deleted_and_counted() -> None:
    objects = MemoryObjectStore()
    gone, other = created(name="Gone").session, created(name="Other").session
    for session in (gone, other):
        for name in ("one", "two"):
            await objects.put(f"{prefix(session)}files/{name}.pdf", b"%PDF", "application/pdf")

    assert await ActivityEnvironment().run(erasing(objects=objects)[0].erase_objects, request_of(gone)) == 2
    assert all(name.startswith(prefix(other)) for name in objects.objects)


async def test_histories_are_looked_for_until_none_is_left() -> None:
    subject, histories = erasing(runs=2)
    session = created().session
    environment = ActivityEnvironment()
    beats: list[int] = []
    environment.on_heartbeat = beats.append

    with pytest.raises(ApplicationError, match="2 runs"):
        await environment.run(subject.erase_histories, request_of(session))
    environment.info = environment.default_info().__class__(
        **{**environment.default_info().__dict__, "heartbeat_details": beats}
    )

    assert await environment.run(subject.erase_histories, request_of(session)) == 2
    assert histories.asked[-1] == [f"session/{session.session_id}", f"closed/{session.session_id}"]


async def test_the_receipt_says_what_was_erased_under_a_signature() -> None:
    rows = MemorySessionRows()
    session = created().session
    subject, _ = erasing(rows)
    request = ReceiptRequest(erased=request_of(session), objects=4, runs=2, completed_at=NOON)
    await ActivityEnvironment().run(subject.bury_session, request.erased)

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


async def test_a_receipt_that_was_changed_or_signed_by_others_is_none() -> None:
    session = created().session
    request = ReceiptRequest(erased=request_of(session), objects=4, runs=2, completed_at=NOON)
    receipt = await ActivityEnvironment().run(erasing()[0].issue_receipt, request)
    header, facts, signature = receipt.split(".")

    with pytest.raises(ReceiptNotValid):
        read_receipt(ECKey.generate_key("P-256").as_pem(private=True), receipt)
    with pytest.raises(ReceiptNotValid):
        read_receipt(KEY, f"{header}.{facts[:-2]}AA.{signature}")
