"""Idempotency-Keys whose first requests were done, and never answered."""

from adapters.database.tables.sessions import IdempotencyKeyRow
from tests.api.service import Service


async def lose_answers(service: Service) -> None:
    """No key has an answer any more, and none is being tried."""

    def lose(row: IdempotencyKeyRow) -> None:
        row.answer, row.tried_at = None, None

    await service.database.edit(IdempotencyKeyRow, lose)
