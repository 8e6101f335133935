"""Clients that could delete for ever by the scope of writing still can after an update of the schema."""

import json

import pytest
from alembic import command
from sqlalchemy import text

from adapters.database.engine import make_engine, migrate
from adapters.database.repositories.organisations import DatabaseOrganisations
from tests.adapters.test_migrations import to, unmigrated
from tests.builders import ORGANISATION, identifier

__all__ = ["unmigrated"]

BEFORE = {"writer": ["read:sessions", "write:sessions"], "reader": ["read:sessions"], "nothing": []}
AFTER = {**BEFORE, "writer": ["read:sessions", "write:sessions", "delete:sessions"]}


async def test_who_could_write_can_delete_and_a_step_back_takes_it_again(unmigrated: str) -> None:
    engine = make_engine(unmigrated)
    async with engine.begin() as connection:
        await connection.run_sync(to("0002", command.upgrade))
        await connection.execute(
            text("INSERT INTO organisations (organisation_id, name) VALUES (:id, 'Northwind')"), {"id": ORGANISATION}
        )
        for name, scopes in BEFORE.items():
            row = {"client": identifier(name), "id": ORGANISATION, "name": name, "scopes": json.dumps(scopes)}
            await connection.execute(
                text(
                    "INSERT INTO clients (client_id, organisation_id, name, secret_sha256, scopes)"
                    " VALUES (:client, :id, :name, '', :scopes)"
                ),
                row,
            )

    await migrate(unmigrated)
    clients = await DatabaseOrganisations(engine).list_clients(ORGANISATION)
    assert {client.name: list(client.scopes) for client in clients} == AFTER

    async with engine.begin() as connection:
        await connection.run_sync(to("0002", command.downgrade))
        rows = (await connection.execute(text("SELECT name, scopes FROM clients"))).all()
    read = {name: json.loads(scopes) if isinstance(scopes, str) else scopes for name, scopes in rows}
    assert read == BEFORE
    await engine.dispose()


@pytest.mark.parametrize("times", [1, 2])
async def test_an_update_that_is_repeated_changes_nothing(unmigrated: str, times: int) -> None:
    for _ in range(times):
        await migrate(unmigrated)
    engine = make_engine(unmigrated)
    assert await DatabaseOrganisations(engine).list_clients(None) == ()
    await engine.dispose()
