"""Batches in SQL."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row
from sqlmodel import col, delete, func, select, update

from adapters.database.engine import insert_into, reading, transaction, writing_rows
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
from domain.shared.limits import MOST_BATCH_ISSUES
from domain.shared.object_names import batch_prefix

_IDS_PER_QUERY = 500
"""Maximum ids in one statement, because databases limit the number of its values."""


class DatabaseBatches(Repository):
    """Implements `Batches`."""

    async def add(self, batch: Batch, start_at: datetime) -> Batch:
        values = {**batch.model_dump(), "start_at": start_at}
        addition = insert_into(BatchRow, self._engine.dialect).values(values).on_conflict_do_nothing()
        prefix = batch_prefix(batch.organisation_id, batch.batch_id)
        async with transaction(self._engine) as rows:
            if (await rows.exec(addition)).rowcount:
                await rows.exec(delete(DueObjectRow).where(col(DueObjectRow.prefix) == prefix))
            return _batch(await rows.get_one(BatchRow, (batch.organisation_id, batch.batch_id)))

    async def find(self, key: BatchKey) -> Batch | None:
        row = await self._find_row(BatchRow, key.organisation_id, key.batch_id)
        return _batch(row) if row else None

    async def list(self, organisation_id: OrganisationId, limit: int, offset: int) -> BatchPage:
        mine = col(BatchRow.organisation_id) == organisation_id
        newest = (col(BatchRow.created_at).desc(), col(BatchRow.batch_id).desc())
        async with transaction(self._engine) as rows:
            total = (await rows.exec(select(func.count()).select_from(BatchRow).where(mine))).one()
            found = await rows.exec(select(BatchRow).where(mine).order_by(*newest).limit(limit).offset(offset))
            return BatchPage(tuple(map(_batch, found)), total)

    async def record_state(self, progress: BatchProgress, at: datetime) -> None:
        change = {"state": progress.state.value, "revision": progress.revision, "updated_at": at, "start_at": None}
        is_earlier = col(BatchRow.revision) < progress.revision
        async with writing_rows(self._engine) as rows:
            changed = await rows.exec(update(BatchRow).where(*_one(progress), is_earlier).values(change))
            if changed.rowcount and progress.has_ended:
                prefix = batch_prefix(progress.organisation_id, progress.batch_id)
                await rows.merge(DueObjectRow(prefix=prefix, due_at=at))

    async def record_checked(self, batch: Batch, checked: int, issues: Sequence[RowIssue]) -> None:
        room = MOST_BATCH_ISSUES - len(batch.issues)
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
        async with transaction(self._engine) as rows:
            return tuple(map(_batch, await rows.exec(query)))

    async def mark_started(self, key: BatchKey) -> None:
        await self._write(update(BatchRow).where(*_one(key)).values(start_at=None))

    async def delete(self, key: BatchKey) -> bool:
        has_ended = col(BatchRow.state).in_([state.value for state in ENDED])
        return bool(await self._write(delete(BatchRow).where(*_one(key), has_ended)))


def _batch(row: BatchRow | Row[Any]) -> Batch:
    return Batch.model_validate({name: getattr(row, name) for name in Batch.model_fields})


def _one(key: BatchKey) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return col(BatchRow.organisation_id) == key.organisation_id, col(BatchRow.batch_id) == key.batch_id
