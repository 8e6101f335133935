"""Sending limits of clients, in SQLite and PostgreSQL."""

import asyncio
from datetime import date

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.engine import make_engine
from adapters.database.repositories.sending_limits import DatabaseBudgets
from domain.ports.limits import ChargeResult, SendingCharge, SendingLimits
from domain.shared.ids import ClientId
from domain.shared.sending_limit import UNLIMITED, SendingLimit
from tests.builders import identifier
from tests.databases import LIMITS

CLIENT = ClientId(identifier("client"))
OTHER = ClientId("https://issuer.example.com|somebody")
TODAY, TOMORROW = date(2026, 6, 12), date(2026, 6, 13)
SMALL = SendingLimit(recipients_per_day=5, domains=("example.com",))


@pytest.fixture
def budgets(database: AsyncEngine) -> SendingLimits:
    return DatabaseBudgets(database)


async def test_a_limit_belongs_to_its_client_until_it_is_replaced_or_removed(budgets: SendingLimits) -> None:
    none, other = SendingLimit(recipients_per_day=0), SendingLimit(domains=("example.org",))
    await budgets.set(OTHER, none)
    for limit in (SMALL, other):
        await budgets.set(CLIENT, limit)
        assert await budgets.find(CLIENT) == limit
    await budgets.set(CLIENT, UNLIMITED)
    assert [await budgets.find(client) for client in (CLIENT, OTHER)] == [None, none]


async def test_each_client_has_its_limit_again_every_day(budgets: SendingLimits) -> None:
    charges = [
        (CLIENT, "one", 3, TODAY, ChargeResult.COUNTED),
        (CLIENT, "two", 3, TODAY, ChargeResult.EXCEEDED),
        (CLIENT, "three", 2, TODAY, ChargeResult.COUNTED),
        (CLIENT, "three", 2, TODAY, ChargeResult.ALREADY_COUNTED),
        (OTHER, "one", 5, TODAY, ChargeResult.COUNTED),
    ]
    for client, act, recipients, day, result in charges:
        assert await budgets.charge(SendingCharge(client, act, recipients), day, 5) is result
    assert await budgets.count_charged(CLIENT, TODAY) == 5
    assert await budgets.charge(SendingCharge(CLIENT, "two", 3), TOMORROW, 5) is ChargeResult.COUNTED
    assert await budgets.count_charged(CLIENT, TOMORROW) == 3


@pytest.mark.parametrize("processes", [1, 2])
async def test_concurrent_charges_are_all_counted(database: AsyncEngine, processes: int) -> None:
    engines = [make_engine(database.url.render_as_string(hide_password=False), LIMITS) for _ in range(processes)]
    budgets = [DatabaseBudgets(engine) for engine in engines]

    counted = await asyncio.gather(
        *(budgets[number % processes].charge(SendingCharge(CLIENT, str(number), 2), TODAY, 7) for number in range(8))
    )

    assert counted.count(ChargeResult.COUNTED) == 3
    assert await budgets[-1].count_charged(CLIENT, TODAY) == 6
    for engine in engines:
        await engine.dispose()
