"""A batch: sessions that are created from one template, one for each row (Specification 2.16).

    checking -> running <-> paused -> completed
         refused          cancelled <- checking, running, paused

Rows are numbered from 0, as in the request. They are stored in the object store, because they contain personal data.
"""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID, uuid5

from domain.shared.errors import BatchBeingChecked, BatchEnded
from domain.shared.frozen_model import FrozenModel
from domain.shared.ids import BatchId, OrganisationId, SessionId, TemplateId
from domain.shared.object_names import ObjectReference
from domain.texts.described_enum import DescribedEnum


class BatchState(DescribedEnum):
    """State of a batch."""

    CHECKING = "checking", "the documents of all rows are laid out; no session exists yet"
    RUNNING = "running", "sessions are created, row by row"
    PAUSED = "paused", "no session is created until the batch is resumed"
    COMPLETED = "completed", "every row has a session, or failed"
    REFUSED = "refused", "rows have issues, so no session was created"
    CANCELLED = "cancelled", "the rows that were left have no session"


ENDED = frozenset({BatchState.COMPLETED, BatchState.REFUSED, BatchState.CANCELLED})


class FailedRow(FrozenModel):
    """A row that has no session, because of the error `code`."""

    row: int
    code: str
    message: str


class RowIssue(FrozenModel):
    """An issue of a row, found before any session is created. `path` is a JSON pointer, or a place in the CSV file."""

    path: str
    message: str


class BatchKey(FrozenModel):
    organisation_id: OrganisationId
    batch_id: BatchId


class BatchProgress(BatchKey):
    """The state of a batch, and the numbers of its rows, checked rows, issues, completed rows and failed rows.

    `done` includes the failed rows. `revision` counts the changes of the state.
    """

    state: BatchState = BatchState.CHECKING
    revision: int = 0
    total: int
    per_minute: int
    checked: int = 0
    issue_count: int = 0
    done: int = 0
    failed_count: int = 0

    @property
    def has_ended(self) -> bool:
        return self.state in ENDED

    def with_state(self, state: BatchState) -> "BatchProgress":
        """Returns the batch in another state; unchanged if it has ended or is in that state."""
        if self.has_ended or self.state is state:
            return self
        return self.model_copy(update={"state": state, "revision": self.revision + 1})

    def check_may_enter(self, state: BatchState) -> None:
        """Raises `BatchEnded` or `BatchBeingChecked` if the batch cannot change to `state`."""
        if self.state is state:
            return
        if self.has_ended:
            raise BatchEnded
        if self.state is BatchState.CHECKING and state is not BatchState.CANCELLED:
            raise BatchBeingChecked


class Batch(BatchProgress):
    """A batch as stored. `content` refers to the object with its rows, which is deleted after the batch has ended.

    `issues` are the first of `issue_count` issues. `is_sent`: its sessions are sent, not kept as drafts.
    """

    template_id: TemplateId
    name: str
    is_sent: bool
    created_at: datetime
    updated_at: datetime
    content: ObjectReference
    issues: tuple[RowIssue, ...] = ()
    failed: tuple[FailedRow, ...] = ()

    @property
    def created(self) -> int:
        """Returns the number of sessions that were created."""
        return self.done - self.failed_count

    @property
    def next_row(self) -> int | None:
        """Returns the row whose session is created next; None if there is none."""
        return None if self.has_ended or self.done == self.total else self.done

    def progress(self) -> BatchProgress:
        """Returns the input of its workflow, without personal data."""
        return BatchProgress.model_validate({name: getattr(self, name) for name in BatchProgress.model_fields})


class BatchPage(NamedTuple):
    """A page of a list of batches. `total` is the length of the list."""

    rows: tuple[Batch, ...]
    total: int


def session_of_row(batch_id: BatchId, row: int) -> SessionId:
    """Returns the id of the session of a row; it is the same in every attempt."""
    return SessionId(str(uuid5(UUID(batch_id), f"row {row}")))
