"""Requests and responses about batches of sessions (Specification 4.29)."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Self

from pydantic import ConfigDict, Field
from pydantic.config import JsonDict

from application.schemas.base import (
    Identifier,
    PageQuery,
    Pagination,
    RequestModel,
    ResponseModel,
    SessionUuid,
    TemplateUuid,
    Timestamp,
)
from application.schemas.session_create import LABEL_USE, METADATA_RULE, ExternalId, Metadata, Name, SendingSettings
from application.schemas.session_from_template import EXAMPLE, RecipientsGiven, VariableValues, without_defaults
from domain.batches.batch import Batch, BatchPage, BatchState, session_of_row
from domain.session.status import SessionStatus
from domain.shared.ids import BatchId, SessionId
from domain.shared.limits import MAX_BATCH_ROWS, MAX_ROWS_PER_MINUTE, USUAL_ROWS_PER_MINUTE
from domain.texts.described_enum import DescribedEnum
from layout.schema.part import WHOLE

ROW_EXAMPLE: JsonDict = {name: EXAMPLE[name] for name in ("name", "recipients", "variableValues")}
SETTINGS_EXAMPLE: JsonDict = {
    "templateId": EXAMPLE["templateId"],
    "name": "Leases of Quay Street",
    "perMinute": 60,
    "sendImmediately": True,
}
BATCH_EXAMPLE: JsonDict = {**SETTINGS_EXAMPLE, "rows": [ROW_EXAMPLE]}


class BatchRowCreate(RequestModel):
    """One session of a batch."""

    model_config = ConfigDict(json_schema_extra={"examples": [ROW_EXAMPLE]})

    name: Name | None = Field(None, description="Name of the session for display. Default: that of the template.")
    recipients: RecipientsGiven = ()
    variable_values: VariableValues = Field({})
    external_id: ExternalId | None = Field(None, description=f"Your identifier of the session. {LABEL_USE}")
    metadata: Metadata = Field({}, description=METADATA_RULE, examples=[{"customer": "northwind"}])


class BatchSettings(SendingSettings):
    """A batch without its rows. Settings that are left out are taken from the template."""

    model_config = ConfigDict(json_schema_extra=without_defaults(SETTINGS_EXAMPLE))

    template_id: Identifier = Field(description="Identifier of an active template.", examples=[EXAMPLE["templateId"]])
    name: Name = Field(description="Name of the batch for display.", examples=["Leases of Quay Street"])
    per_minute: Annotated[int, Field(ge=1, le=MAX_ROWS_PER_MINUTE), WHOLE] = Field(
        USUAL_ROWS_PER_MINUTE, description="Sessions that are created in a minute at most."
    )


class BatchCreate(BatchSettings):
    """A batch to create: one session for each row."""

    model_config = ConfigDict(json_schema_extra=without_defaults(BATCH_EXAMPLE))

    rows: Annotated[tuple[BatchRowCreate, ...], Field(min_length=1, max_length=MAX_BATCH_ROWS)] = Field(
        description="The sessions, in their order."
    )


BatchUuid = Annotated[
    BatchId,
    Field(
        description="Unique identifier of the batch.",
        examples=["5f0c3c1e-3f0b-4b7a-9d5c-6f1f2a3b4c5d"],
        json_schema_extra={"format": "uuid"},
    ),
]

_ROW = "Number of the row, from 1."


class RowIssueRead(ResponseModel):
    """An issue of a row."""

    path: str = Field(description="JSON pointer into the request, or line and column of the CSV file.")
    message: str = Field(description="What is wrong and what to do next.")


class FailedRowRead(ResponseModel):
    """A row whose session could not be created, with the error."""

    row: int = Field(description=_ROW, examples=[17])
    code: str = Field(description="Error code, one of Create Session From Template.", examples=["TEMPLATE_ARCHIVED"])
    message: str = Field(description="What is wrong.")


class BatchListed(ResponseModel):
    """A batch in a list."""

    batch_id: BatchUuid
    template_id: TemplateUuid
    name: str = Field(description="Name of the batch for display.")
    state: BatchState = Field(description="State of the batch.")
    created_at: Timestamp = Field(description="Time of creation.")
    updated_at: Timestamp = Field(description="Time of the latest change of the state.")
    per_minute: int = Field(description="Sessions that are created in a minute at most.", examples=[60])
    send_immediately: bool = Field(description="Whether its sessions are sent at once instead of kept as drafts.")
    total: int = Field(description="Number of rows.", examples=[1000])
    checked: int = Field(description="Rows whose documents were laid out and checked.", examples=[1000])
    created: int = Field(description="Rows whose session was created.", examples=[410])
    failed: int = Field(description="Rows that failed.", examples=[2])
    next_row: int | None = Field(description=f"The row whose session is created next. {_ROW} null: none.")

    @classmethod
    def from_batch(cls, batch: Batch) -> Self:
        return cls.model_validate(
            {
                **dict(batch),
                "send_immediately": batch.is_sent,
                "created": batch.created,
                "failed": batch.failed_count,
                "next_row": None if batch.next_row is None else batch.next_row + 1,
                "failed_rows": tuple({**dict(failed), "row": failed.row + 1} for failed in batch.failed),
                "issues": tuple(dict(issue) for issue in batch.issues),
            }
        )


class BatchRead(BatchListed):
    """A batch."""

    failed_rows: tuple[FailedRowRead, ...] = Field(description="The rows that failed, in their order.")
    issue_count: int = Field(description="Issues for which the batch was refused.", examples=[0])
    issues: tuple[RowIssueRead, ...] = Field(description="The first 1,000 of these issues.")


class BatchesRead(ResponseModel):
    """A page of the organisation's batches, the newest first."""

    batches: tuple[BatchListed, ...] = Field(description="Batches of the page.")
    pagination: Pagination = Field(description="Position of the page in the list.")

    @classmethod
    def from_page(cls, page: BatchPage, query: PageQuery) -> Self:
        return cls(
            batches=tuple(map(BatchListed.from_batch, page.rows)),
            pagination=Pagination.of(page.total, query.limit, query.offset),
        )


class RowStatus(DescribedEnum):
    """Status of a row without a session."""

    WAITING = "waiting", "the session is not created yet"
    NOT_CREATED = "notCreated", "the batch was refused or cancelled before the session was created"
    FAILED = "failed", "the row was refused; `error` says why"
    DELETED = "deleted", "the session was deleted permanently"


class RowResult(ResponseModel):
    """The result of a row."""

    row: int = Field(description=_ROW, examples=[17])
    session_id: SessionUuid | None = Field(description="Identifier of its session; null without one.")
    status: SessionStatus | RowStatus = Field(
        description="Status of its session now; `waiting`: not created yet, `notCreated`: the batch ended before, "
        "`failed`: see `error`, `deleted`: permanently."
    )
    error: str | None = Field(description="Why the row failed; null if it did not.")


class BatchResults(ResponseModel):
    """The results of all rows."""

    batch_id: BatchUuid
    state: BatchState = Field(description="State of the batch.")
    results: tuple[RowResult, ...] = Field(description="The rows in their order.")

    @classmethod
    def of(cls, batch: Batch, rows: Sequence[int], statuses: Mapping[SessionId, SessionStatus]) -> Self:
        """Returns the results of `rows` (from 0) of `batch`, with the status of each session that exists."""
        failed = {one.row: one.message for one in batch.failed}
        left = RowStatus.NOT_CREATED if batch.has_ended else RowStatus.WAITING

        def result(row: int) -> RowResult:
            session_id = session_of_row(batch.batch_id, row)
            if row in failed:
                return RowResult(row=row + 1, session_id=None, status=RowStatus.FAILED, error=failed[row])
            if session_id in statuses:  # the session is created before its row is marked as done
                return RowResult(row=row + 1, session_id=session_id, status=statuses[session_id], error=None)
            status = RowStatus.DELETED if row < batch.done else left
            return RowResult(row=row + 1, session_id=None, status=status, error=None)

        return cls(batch_id=batch.batch_id, state=batch.state, results=tuple(map(result, rows)))


class DeletedBatch(ResponseModel):
    """The response to deleting a batch."""

    batch_id: BatchUuid
