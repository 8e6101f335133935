"""Organisations, their logos and their API clients, in SQLite and PostgreSQL."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repositories.organisations import DatabaseOrganisations, DatabaseSenderIdentities
from domain.ports.database import ClientCredentials, Organisation
from domain.ports.sender_identity import NO_IDENTITY, Logo, SenderIdentity
from domain.shared.ids import ClientId, OrganisationId
from tests.builders import NOON, ORGANISATION, identifier

STRANGER = OrganisationId(identifier("stranger"))
NORTHWIND = Organisation(ORGANISATION, "Northwind Trading")
CLIENT = ClientCredentials(
    ClientId(identifier("client")), ORGANISATION, "Back office", "a" * 64, ("read:sessions", "write:sessions")
)
NOBODY = ClientId(identifier("nobody"))


@pytest.fixture
async def organisations(database: AsyncEngine) -> DatabaseOrganisations:
    organisations = DatabaseOrganisations(database)
    await organisations.add(NORTHWIND)
    await organisations.add(Organisation(STRANGER, "Another"))
    await organisations.add_client(CLIENT)
    return organisations


async def test_organisations_and_clients_are_found_as_they_were_added(organisations: DatabaseOrganisations) -> None:
    revoked = replace(CLIENT, client_id=NOBODY, revoked_at=NOON)
    await organisations.add_client(revoked)
    assert await organisations.get(ORGANISATION) == NORTHWIND
    assert [await organisations.find_client(client.client_id) for client in (CLIENT, revoked)] == [CLIENT, revoked]


async def test_unknown_organisations_and_clients_are_not_found(organisations: DatabaseOrganisations) -> None:
    assert await organisations.get(OrganisationId(NOBODY)) is None
    assert await organisations.find_client(NOBODY) is None
    assert await organisations.revoke_client(NOBODY, NOON) is None
    assert await organisations.replace_secret(NOBODY, "b" * 64) is None
    assert await organisations.replace_scopes(NOBODY, ()) is None


async def test_an_organisation_that_is_added_again_has_its_new_name(organisations: DatabaseOrganisations) -> None:
    await organisations.add(Organisation(ORGANISATION, "Northwind"))
    assert await organisations.list() == (Organisation(STRANGER, "Another"), Organisation(ORGANISATION, "Northwind"))
    assert await organisations.find_client(CLIENT.client_id) == CLIENT


async def test_clients_are_listed_of_one_organisation_or_of_all(organisations: DatabaseOrganisations) -> None:
    other = replace(CLIENT, client_id=NOBODY, organisation_id=STRANGER, name="Accounts")
    await organisations.add_client(other)

    assert await organisations.list_clients(ORGANISATION) == (CLIENT,)
    assert await organisations.list_clients(None) == (other, CLIENT)
    assert await organisations.list_clients(OrganisationId(NOBODY)) == ()


async def test_a_client_is_revoked_once(organisations: DatabaseOrganisations) -> None:
    revoked = replace(CLIENT, revoked_at=NOON)
    assert await organisations.revoke_client(CLIENT.client_id, NOON) == revoked
    assert await organisations.revoke_client(CLIENT.client_id, NOON + timedelta(days=1)) == revoked
    assert await organisations.find_client(CLIENT.client_id) == revoked


async def test_secret_and_scopes_of_a_client_are_replaced(organisations: DatabaseOrganisations) -> None:
    await organisations.replace_secret(CLIENT.client_id, "b" * 64)
    changed = await organisations.replace_scopes(CLIENT.client_id, ["read:sessions"])
    assert changed == replace(CLIENT, secret_sha256="b" * 64, scopes=("read:sessions",))
    assert await organisations.find_client(CLIENT.client_id) == changed


async def test_an_identity_is_stored_and_replaced_as_a_whole(database: AsyncEngine) -> None:
    identities, logo = DatabaseSenderIdentities(database), Logo(b"one", 120, 32)
    whole = SenderIdentity(
        logo, "Northwind", "#aa3300", "https://northwind.example/imprint", "https://northwind.example/p"
    )
    found = [await identities.find(ORGANISATION)]
    for identity in (whole, SenderIdentity(accent="#aa3300"), SenderIdentity(logo=logo), NO_IDENTITY):
        await identities.store(ORGANISATION, identity)
        found.append(await identities.find(ORGANISATION))
        assert await identities.find(STRANGER) == NO_IDENTITY
    assert found == [NO_IDENTITY, whole, SenderIdentity(accent="#aa3300"), SenderIdentity(logo=logo), NO_IDENTITY]
