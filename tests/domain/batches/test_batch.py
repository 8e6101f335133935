"""The states of a batch, and the ids of its sessions."""

import pytest

from domain.batches.batch import ENDED, BatchProgress, BatchState, session_of_row
from domain.shared.errors import BatchBeingChecked, BatchEnded, SigningError
from domain.shared.ids import BatchId, OrganisationId
from tests.builders import ORGANISATION, identifier

BATCH = BatchId(identifier("batch"))
CHECKING, RUNNING, PAUSED, CANCELLED = (
    BatchState.CHECKING,
    BatchState.RUNNING,
    BatchState.PAUSED,
    BatchState.CANCELLED,
)


def batch(state: BatchState) -> BatchProgress:
    return BatchProgress(
        organisation_id=OrganisationId(ORGANISATION), batch_id=BATCH, state=state, total=3, per_minute=60
    )


REFUSALS: dict[tuple[BatchState, BatchState], type[SigningError]] = {
    (CHECKING, PAUSED): BatchBeingChecked,
    (CHECKING, RUNNING): BatchBeingChecked,
    **{(ended, state): BatchEnded for ended in ENDED for state in (PAUSED, RUNNING, CANCELLED) if ended is not state},
}


@pytest.mark.parametrize("target", [PAUSED, RUNNING, CANCELLED])
@pytest.mark.parametrize("state", BatchState)
def test_every_act_is_defined_in_every_state(state: BatchState, target: BatchState) -> None:
    refusal = REFUSALS.get((state, target))

    if refusal is None:
        batch(state).check_may_enter(target)
    else:
        with pytest.raises(refusal):
            batch(state).check_may_enter(target)


def test_a_change_counts_as_a_revision_and_an_end_is_final() -> None:
    running = batch(CHECKING).with_state(RUNNING)

    assert (running.revision, running.with_state(RUNNING)) == (1, running)
    ended = running.with_state(CANCELLED)
    assert (ended.revision, ended.with_state(RUNNING)) == (2, ended)


def test_each_row_has_a_session_of_its_own() -> None:
    ids = [session_of_row(BATCH, row) for row in range(1000)]

    assert len(set(ids)) == 1000
    assert session_of_row(BatchId(identifier("another")), 0) not in ids
