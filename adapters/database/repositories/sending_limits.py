"""Sending limits of clients in SQL."""

from datetime import date

from sqlmodel import col, delete, func, select
from sqlmodel.sql.expression import SelectOfScalar

from adapters.database.engine import insert_into, lock, reading, writing_rows
from adapters.database.repository import Repository, row_values
from adapters.database.tables.organisations import BudgetRow, SpendingRow
from domain.ports.limits import ChargeResult, SendingCharge
from domain.shared.ids import ClientId
from domain.shared.sending_limit import SendingLimit


class DatabaseBudgets(Repository):
    """Implements `SendingLimits`."""

    async def find(self, client_id: ClientId) -> SendingLimit | None:
        return await self._get(SendingLimit, BudgetRow, client_id)

    async def set(self, client_id: ClientId, budget: SendingLimit) -> None:
        if budget.is_unlimited:
            await self._write(delete(BudgetRow).where(col(BudgetRow.client_id) == client_id))
            return
        values = row_values(BudgetRow, budget, client_id=client_id)
        addition = insert_into(BudgetRow, self._engine.dialect).values(values)
        await self._write(addition.on_conflict_do_update(index_elements=["client_id"], set_=values))

    async def charge(self, spending: SendingCharge, day: date, at_most: int) -> ChargeResult:
        mine = col(SpendingRow.client_id) == spending.client_id
        async with writing_rows(self._engine) as rows:
            await lock(await rows.connection(), f"budget {spending.client_id}")
            # The write comes first: it takes SQLite's lock, so that later reads in the transaction are current.
            await rows.exec(delete(SpendingRow).where(mine, col(SpendingRow.day) < day))
            if await rows.get(SpendingRow, (spending.client_id, spending.act)) is not None:
                return ChargeResult.ALREADY_COUNTED
            if (await rows.exec(_total(spending.client_id, day))).one() + spending.recipients > at_most:
                return ChargeResult.EXCEEDED
            rows.add(SpendingRow(**spending._asdict(), day=day))
        return ChargeResult.COUNTED

    async def count_charged(self, client_id: ClientId, day: date) -> int:
        async with reading(self._engine) as connection:
            return int((await connection.execute(_total(client_id, day))).scalar_one())


def _total(client_id: ClientId, day: date) -> SelectOfScalar[int]:
    total = func.coalesce(func.sum(SpendingRow.recipients), 0)
    return select(total).where(col(SpendingRow.client_id) == client_id, SpendingRow.day == day)
