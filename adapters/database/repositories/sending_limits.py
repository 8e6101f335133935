"""Budgets of clients in SQL."""

from datetime import date
from typing import Any

from sqlalchemy import Row
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import col, delete, func, select

from adapters.database.engine import reading, transaction, writing
from adapters.database.locks import lock
from adapters.database.tables.oauth_grants import BudgetRow, SpendingRow
from domain.shared.ids import ClientId
from domain.shared.sending_limits import SendingLimit
from ports.limits import ChargeResult, SendingCharge


class DatabaseBudgets:
    """Implements `Budgets`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def find(self, client_id: ClientId) -> SendingLimit | None:
        wanted = select(BudgetRow).where(col(BudgetRow.client_id) == client_id)
        async with reading(self._engine) as connection:
            row = (await connection.execute(wanted)).one_or_none()
        return budget_of(row) if row else None

    async def set(self, client_id: ClientId, budget: SendingLimit) -> None:
        async with transaction(self._engine) as rows:
            await rows.exec(delete(BudgetRow).where(col(BudgetRow.client_id) == client_id))
            if not budget.is_unlimited:
                rows.add(budget_row(client_id, budget))

    async def charge(self, spending: SendingCharge, day: date, at_most: int) -> ChargeResult:
        mine = col(SpendingRow.client_id) == spending.client_id
        total = select(func.coalesce(func.sum(SpendingRow.recipients), 0)).where(mine, SpendingRow.day == day)
        async with writing(self._engine) as rows:
            await lock(rows, f"budget {spending.client_id}")
            # Writing comes first: in SQLite it takes the lock, and no look before it could be out of date.
            await rows.exec(delete(SpendingRow).where(mine, col(SpendingRow.day) < day))
            if await rows.get(SpendingRow, (spending.client_id, spending.act)) is not None:
                return ChargeResult.ALREADY_COUNTED
            if (await rows.exec(total)).one() + spending.recipients > at_most:
                return ChargeResult.EXCEEDED
            rows.add(SpendingRow(**spending._asdict(), day=day))
        return ChargeResult.COUNTED

    async def count_charged(self, client_id: ClientId, day: date) -> int:
        wanted = select(func.coalesce(func.sum(SpendingRow.recipients), 0)).where(
            col(SpendingRow.client_id) == client_id, SpendingRow.day == day
        )
        async with reading(self._engine) as connection:
            return int((await connection.execute(wanted)).scalar_one())


def budget_of(row: BudgetRow | Row[Any]) -> SendingLimit:
    """What that row holds a client to."""
    return SendingLimit(recipients_per_day=row.recipients_per_day, domains=tuple(row.domains))


def budget_row(client_id: ClientId, budget: SendingLimit) -> BudgetRow:
    """The row that holds the client to that."""
    return BudgetRow(client_id=client_id, recipients_per_day=budget.recipients_per_day, domains=[*budget.domains])
