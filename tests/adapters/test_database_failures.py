"""What is told of a database that fails: for now or not, and nothing of what it was given; SQLite and PostgreSQL."""

import traceback

import pytest
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.engine import make_engine, transaction
from adapters.database.repositories.organisations import DatabaseOrganisations
from adapters.database.tables.organisations import UserRow
from domain.shared.ids import OrganisationId
from ports.database import DatabaseUnavailable, Organisation
from tests.adapters.postgres_server import address
from tests.builders import ORGANISATION
from tests.databases import LIMITS

ACME = Organisation(OrganisationId(ORGANISATION), "Acme")


async def test_an_error_repeats_nothing_of_what_the_database_was_given(database: AsyncEngine) -> None:
    await DatabaseOrganisations(database).add(ACME)

    async def add(user_id: str) -> None:
        row = UserRow(user_id=user_id, organisation_id=ORGANISATION, email="ada@example.com", name="Ada Lovelace")
        async with transaction(database) as rows:
            rows.add(row)

    await add("one")
    with pytest.raises(IntegrityError) as caught:
        await add("two")

    told = "".join(traceback.format_exception(caught.value))
    assert "INSERT INTO users" in told
    assert "ada@example.com" not in told
    assert "Lovelace" not in told


async def test_a_server_that_only_reads_is_unavailable_until_a_primary_is_found(
    postgres: str, postgres_engine: AsyncEngine
) -> None:
    organisations = DatabaseOrganisations(postgres_engine)
    only_reads = f"ALTER DATABASE {postgres_engine.url.database} {{}} default_transaction_read_only"
    server = make_engine(address(postgres), LIMITS)

    async with server.begin() as connection:
        await connection.exec_driver_sql(only_reads.format("SET") + " = on")
    with pytest.raises(DatabaseUnavailable):
        await organisations.add(ACME)
    async with server.begin() as connection:
        await connection.exec_driver_sql(only_reads.format("RESET"))
    await organisations.add(ACME)

    assert await organisations.list() == (ACME,)
    await server.dispose()
