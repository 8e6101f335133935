"""Batches in SQL."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import structlog
from pydantic import ValidationError
from sqlalchemy import ColumnElement, Row
from sqlmodel import col, delete, func, select, update

from adapters.database.engine import insert_into, reading, transaction, writing_rows
from adapters.database.repositories.uploads import make_due
from adapters.database.repository import Repository
from adapters.database.tables.sessions import BatchRow, SessionRow
from adapters.database.tables.uploads import DueObjectRow
from domain.batches.batch import (
    ENDED,
    Batch,
    BatchKey,
    BatchPage,
    BatchProgress,
    FailedRow,
    RowIssue,
)
from domain.session.status import SessionStatus
from domain.shared.ids import OrganisationId, SessionId
from domain.shared.limits import MAX_BATCH_ISSUES
from domain.shared.object_names import batch_prefix

log = structlog.get_logger(__name__)

_IDS_PER_QUERY = 500
"""Maximum ids in one statement, because databases limit the number of its values."""


UNREADABLE_FOR = timedelta(hours=1)
"""Time after which a worker tries again to read a batch that it should start."""

_LISTED = [getattr(BatchRow, name) for name in Batch.model_fields if name not in {"issues", "failed"}]
"""The columns of a list. Issues and failures may be thousands, and no list shows them."""


class DatabaseBatches(Repository):
    """Implements `Batches`."""

    async def add(self, batch: Batch, start_at: datetime) -> Batch:
        values = {**batch.model_dump(), "start_at": start_at}
        addition = insert_into(BatchRow, self._engine.dialect).values(values).on_conflict_do_nothing()
        prefix = batch_prefix(batch.organisation_id, batch.batch_id)
        async with writing_rows(self._engine) as rows:
            await rows.exec(addition)
            stored = _batch(await rows.get_one(BatchRow, (batch.organisation_id, batch.batch_id)))
            if stored.state not in ENDED:  # also if another attempt has added it
                await rows.exec(delete(DueObjectRow).where(col(DueObjectRow.prefix) == prefix))
            return stored

    async def find(self, key: BatchKey) -> Batch | None:
        row = await self._find_row(BatchRow, key.organisation_id, key.batch_id)
        return _batch(row) if row else None

    async def list(self, organisation_id: OrganisationId, limit: int, offset: int) -> BatchPage:
        mine = col(BatchRow.organisation_id) == organisation_id
        newest = (col(BatchRow.created_at).desc(), col(BatchRow.batch_id).desc())
        async with reading(self._engine) as connection:
            total = (await connection.execute(select(func.count()).select_from(BatchRow).where(mine))).scalar_one()
            listed = select(*_LISTED).where(mine).order_by(*newest).limit(limit).offset(offset)
            found = await connection.execute(listed)
            return BatchPage(tuple(Batch.model_validate(dict(row)) for row in found.mappings()), total)

    async def record_state(self, progress: BatchProgress, at: datetime) -> None:
        change = {"state": progress.state.value, "revision": progress.revision, "updated_at": at, "start_at": None}
        is_earlier = col(BatchRow.revision) < progress.revision
        async with writing_rows(self._engine) as rows:
            changed = await rows.exec(update(BatchRow).where(*_one(progress), is_earlier).values(change))
            if changed.rowcount and progress.has_ended:
                prefix = batch_prefix(progress.organisation_id, progress.batch_id)
                await rows.exec(make_due(self._engine.dialect, prefix, at))

    async def record_checked(self, batch: Batch, checked: int, issues: Sequence[RowIssue]) -> None:
        room = MAX_BATCH_ISSUES - len(batch.issues)
        change = {
            "checked": checked,
            "issue_count": batch.issue_count + len(issues),
            "issues": [issue.model_dump() for issue in (*batch.issues, *issues[:room])],
        }
        is_same = col(BatchRow.checked) == batch.checked
        await self._write(update(BatchRow).where(*_one(batch), is_same).values(change))

    async def record_done(self, batch: Batch, failed: FailedRow | None = None) -> None:
        failures = [*batch.failed, failed] if failed else batch.failed
        change = {
            "done": batch.done + 1,
            "failed_count": len(failures),
            "failed": [failure.model_dump() for failure in failures],
        }
        is_same = col(BatchRow.done) == batch.done
        await self._write(update(BatchRow).where(*_one(batch), is_same).values(change))

    async def statuses(
        self, organisation_id: OrganisationId, session_ids: Sequence[SessionId]
    ) -> dict[SessionId, SessionStatus]:
        mine, found = col(SessionRow.organisation_id) == organisation_id, dict[SessionId, SessionStatus]()
        async with reading(self._engine) as connection:
            for start in range(0, len(session_ids), _IDS_PER_QUERY):
                some = col(SessionRow.session_id).in_(session_ids[start : start + _IDS_PER_QUERY])
                query = select(SessionRow.session_id, SessionRow.status).where(mine, some)
                found |= {SessionId(row[0]): SessionStatus(row[1]) for row in await connection.execute(query)}
        return found

    async def to_start(self, at: datetime, limit: int) -> tuple[Batch, ...]:
        query = select(BatchRow).where(col(BatchRow.start_at) <= at).order_by(col(BatchRow.start_at)).limit(limit)
        batches: list[Batch] = []
        async with transaction(self._engine) as rows:
            for row in (await rows.exec(query)).all():
                try:
                    batches.append(_batch(row))
                except ValidationError:
                    log.error("a batch cannot be read", batch_id=row.batch_id)  # noqa: TRY400  # no text of it
                    row.start_at = at + UNREADABLE_FOR
        return tuple(batches)

    async def defer_start(self, key: BatchKey, at: datetime) -> None:
        is_due = col(BatchRow.start_at).is_not(None)
        await self._write(update(BatchRow).where(*_one(key), is_due).values(start_at=at))

    async def mark_started(self, key: BatchKey) -> None:
        await self._write(update(BatchRow).where(*_one(key)).values(start_at=None))

    async def delete(self, key: BatchKey) -> bool:
        has_ended = col(BatchRow.state).in_([state.value for state in ENDED])
        return bool(await self._write(delete(BatchRow).where(*_one(key), has_ended)))


def _batch(row: BatchRow | Row[Any]) -> Batch:
    return Batch.model_validate({name: getattr(row, name) for name in Batch.model_fields})


def _one(key: BatchKey) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return col(BatchRow.organisation_id) == key.organisation_id, col(BatchRow.batch_id) == key.batch_id
