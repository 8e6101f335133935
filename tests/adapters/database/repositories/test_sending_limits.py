"""SendingLimits of clients: one suite for the fake, SQLite and PostgreSQL."""

import asyncio
from datetime import date

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.engine import make_engine
from adapters.database.repositories.sending_limits import DatabaseBudgets
from domain.shared.ids import ClientId
from domain.shared.limits import UNLIMITED, SendingLimit
from ports.limits import ChargeResult, SendingCharge, SendingLimits
from tests.builders import identifier
from tests.databases import LIMITS

CLIENT = ClientId(identifier("client"))
OTHER = ClientId("https://issuer.example.com|somebody")
TODAY, TOMORROW = date(2026, 6, 12), date(2026, 6, 13)
SMALL = SendingLimit(recipients_per_day=5, domains=("example.com",))


@pytest.fixture
def budgets(database: AsyncEngine) -> SendingLimits:
    return DatabaseBudgets(database)


async def test_a_budget_is_kept_for_its_client_and_replaced_by_the_next_one(budgets: SendingLimits) -> None:
    await budgets.set(CLIENT, SMALL)
    await budgets.set(OTHER, SendingLimit(recipients_per_day=0))

    assert await budgets.find(CLIENT) == SMALL
    await budgets.set(CLIENT, SendingLimit(domains=("example.org",)))
    assert await budgets.find(CLIENT) == SendingLimit(domains=("example.org",))
    assert await budgets.find(OTHER) == SendingLimit(recipients_per_day=0)


async def test_an_unlimited_budget_is_none(budgets: SendingLimits) -> None:
    await budgets.set(CLIENT, SMALL)
    await budgets.set(CLIENT, UNLIMITED)

    assert await budgets.find(CLIENT) is None


async def test_a_day_has_as_many_as_are_allowed_and_the_next_day_has_them_again(budgets: SendingLimits) -> None:
    assert await budgets.charge(SendingCharge(CLIENT, "one", 3), TODAY, 5) is ChargeResult.COUNTED
    assert await budgets.charge(SendingCharge(CLIENT, "two", 3), TODAY, 5) is ChargeResult.EXCEEDED
    assert await budgets.charge(SendingCharge(CLIENT, "three", 2), TODAY, 5) is ChargeResult.COUNTED
    assert await budgets.count_charged(CLIENT, TODAY) == 5
    assert await budgets.charge(SendingCharge(CLIENT, "two", 3), TOMORROW, 5) is ChargeResult.COUNTED
    assert await budgets.count_charged(CLIENT, TOMORROW) == 3


async def test_what_one_client_sends_takes_nothing_from_another(budgets: SendingLimits) -> None:
    await budgets.charge(SendingCharge(CLIENT, "one", 5), TODAY, 5)

    assert await budgets.charge(SendingCharge(OTHER, "one", 5), TODAY, 5) is ChargeResult.COUNTED


async def test_an_act_that_comes_again_counts_once(budgets: SendingLimits) -> None:
    await budgets.charge(SendingCharge(CLIENT, "one", 5), TODAY, 5)

    assert await budgets.charge(SendingCharge(CLIENT, "one", 5), TODAY, 5) is ChargeResult.ALREADY_COUNTED
    assert await budgets.count_charged(CLIENT, TODAY) == 5


async def test_of_many_acts_at_once_none_is_overlooked(budgets: SendingLimits) -> None:
    acts = [SendingCharge(CLIENT, str(number), 2) for number in range(8)]

    counted = await asyncio.gather(*(budgets.charge(act, TODAY, 7) for act in acts))

    assert counted.count(ChargeResult.COUNTED) == 3
    assert await budgets.count_charged(CLIENT, TODAY) == 6


async def test_processes_count_together(database: AsyncEngine) -> None:
    another = make_engine(database.url.render_as_string(hide_password=False), LIMITS)
    processes = [DatabaseBudgets(database), DatabaseBudgets(another)]

    counted = await asyncio.gather(
        *(processes[number % 2].charge(SendingCharge(CLIENT, str(number), 2), TODAY, 7) for number in range(8))
    )

    assert counted.count(ChargeResult.COUNTED) == 3
    assert await processes[1].count_charged(CLIENT, TODAY) == 6
    await another.dispose()
