"""SendingLimits of clients in SQL."""

from datetime import date

from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import col, delete, func, select

from adapters.database.engine import lock, reading, transaction, writing
from adapters.database.records import to_record, to_row
from adapters.database.tables.organisations import BudgetRow, SpendingRow
from domain.shared.ids import ClientId
from domain.shared.limits import SendingLimit
from ports.limits import ChargeResult, SendingCharge


class DatabaseBudgets:
    """Implements `SendingLimits`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def find(self, client_id: ClientId) -> SendingLimit | None:
        query = select(BudgetRow).where(col(BudgetRow.client_id) == client_id)
        async with reading(self._engine) as connection:
            row = (await connection.execute(query)).one_or_none()
        return to_record(SendingLimit, row) if row else None

    async def set(self, client_id: ClientId, budget: SendingLimit) -> None:
        async with transaction(self._engine) as rows:
            await rows.exec(delete(BudgetRow).where(col(BudgetRow.client_id) == client_id))
            if not budget.is_unlimited:
                rows.add(to_row(BudgetRow, budget, client_id=client_id))

    async def charge(self, spending: SendingCharge, day: date, at_most: int) -> ChargeResult:
        mine = col(SpendingRow.client_id) == spending.client_id
        total = select(func.coalesce(func.sum(SpendingRow.recipients), 0)).where(mine, SpendingRow.day == day)
        async with writing(self._engine) as rows:
            await lock(rows, f"budget {spending.client_id}")
            # The write comes first: it takes SQLite's lock, so that later reads in the transaction are current.
            await rows.exec(delete(SpendingRow).where(mine, col(SpendingRow.day) < day))
            if await rows.get(SpendingRow, (spending.client_id, spending.act)) is not None:
                return ChargeResult.ALREADY_COUNTED
            if (await rows.exec(total)).one() + spending.recipients > at_most:
                return ChargeResult.EXCEEDED
            rows.add(SpendingRow(**spending._asdict(), day=day))
        return ChargeResult.COUNTED

    async def count_charged(self, client_id: ClientId, day: date) -> int:
        query = select(func.coalesce(func.sum(SpendingRow.recipients), 0)).where(
            col(SpendingRow.client_id) == client_id, SpendingRow.day == day
        )
        async with reading(self._engine) as connection:
            return int((await connection.execute(query)).scalar_one())
