"""Erasing leaves a tombstone, and of other sessions everything."""

from temporalio.testing import ActivityEnvironment

from activities.erasing import Erasing
from activities.interface import EraseRequest
from domain.objects import session_prefix
from domain.session import Session
from tests.builders import NOON, created
from tests.fakes.database import MemorySessionRows
from tests.fakes.object_store import MemoryObjectStore


async def test_nothing_but_a_tombstone_remains_and_a_second_try_changes_nothing() -> None:
    rows, objects = MemorySessionRows(), MemoryObjectStore()
    gone, other = created(name="Gone"), created(name="Other")
    for step in (gone, other):
        await rows.record(step.session, step.events)
        await objects.put(f"{prefix(step.session)}files/one.pdf", b"%PDF", "application/pdf")

    request = EraseRequest(
        organisation_id=gone.session.organisation_id, session_id=gone.session.session_id, erased_at=NOON
    )
    for _ in range(2):
        await ActivityEnvironment().run(Erasing(rows, objects).erase_session, request)

    assert list(objects.objects) == [f"{prefix(other.session)}files/one.pdf"]
    assert list(rows.rows.values()) == [other.session]
    assert await rows.is_erased(gone.session.organisation_id, gone.session.session_id)


def prefix(session: Session) -> str:
    return session_prefix(session.organisation_id, session.session_id)
