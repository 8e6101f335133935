"""Organisations, their clients and their people, on the fake and on both databases."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repositories.organisations import DatabaseOrganisations
from adapters.database.repositories.users import DatabaseUsers
from domain.shared.ids import ClientId, OrganisationId, UserId
from ports.database import ClientCredentials, EmailTaken, Organisation, Organisations, User, Users
from tests.builders import NOON, ORGANISATION, identifier

STRANGER = OrganisationId(identifier("stranger"))
NORTHWIND = Organisation(ORGANISATION, "Northwind Trading")
CLIENT = ClientCredentials(
    ClientId(identifier("client")), ORGANISATION, "Back office", "a" * 64, ("read:sessions", "write:sessions")
)
NOBODY = ClientId(identifier("nobody"))
ADA = User(UserId(identifier("ada")), ORGANISATION, "ada@example.com", "Ada Lovelace")


@pytest.fixture
async def organisations(database: AsyncEngine) -> Organisations:
    made = DatabaseOrganisations(database)
    await made.add(NORTHWIND)
    await made.add(Organisation(STRANGER, "Another"))
    await made.add_client(CLIENT)
    return made


@pytest.fixture
async def users(database: AsyncEngine) -> Users:
    for organisation in (NORTHWIND, Organisation(STRANGER, "Another")):
        await DatabaseOrganisations(database).add(organisation)
    return DatabaseUsers(database)


async def test_organisations_and_clients_are_found_as_they_were_added(organisations: Organisations) -> None:
    revoked = replace(CLIENT, client_id=NOBODY, revoked_at=NOON)
    await organisations.add_client(revoked)

    assert await organisations.get(ORGANISATION) == NORTHWIND
    assert [await organisations.find_client(client.client_id) for client in (CLIENT, revoked)] == [CLIENT, revoked]


async def test_what_was_not_added_is_not_found(organisations: Organisations) -> None:
    assert await organisations.get(OrganisationId(NOBODY)) is None
    assert await organisations.find_client(NOBODY) is None
    assert await organisations.revoke_client(NOBODY, NOON) is None
    assert await organisations.replace_secret(NOBODY, "b" * 64) is None
    assert await organisations.replace_scopes(NOBODY, ()) is None


async def test_an_organisation_that_is_added_again_has_its_new_name(organisations: Organisations) -> None:
    await organisations.add(Organisation(ORGANISATION, "Northwind"))

    assert await organisations.list() == (Organisation(STRANGER, "Another"), Organisation(ORGANISATION, "Northwind"))
    assert await organisations.find_client(CLIENT.client_id) == CLIENT


async def test_clients_are_listed_of_one_organisation_or_of_all(organisations: Organisations) -> None:
    other = replace(CLIENT, client_id=NOBODY, organisation_id=STRANGER, name="Accounts")
    await organisations.add_client(other)

    assert await organisations.list_clients(ORGANISATION) == (CLIENT,)
    assert await organisations.list_clients(None) == (other, CLIENT)
    assert await organisations.list_clients(OrganisationId(NOBODY)) == ()


async def test_a_client_is_revoked_once(organisations: Organisations) -> None:
    revoked = replace(CLIENT, revoked_at=NOON)

    assert await organisations.revoke_client(CLIENT.client_id, NOON) == revoked
    assert await organisations.revoke_client(CLIENT.client_id, NOON + timedelta(days=1)) == revoked
    assert await organisations.find_client(CLIENT.client_id) == revoked


async def test_secret_and_scopes_of_a_client_are_replaced_and_nothing_else_changes(
    organisations: Organisations,
) -> None:
    await organisations.replace_secret(CLIENT.client_id, "b" * 64)
    changed = await organisations.replace_scopes(CLIENT.client_id, ["read:sessions"])

    assert changed == replace(CLIENT, secret_sha256="b" * 64, scopes=("read:sessions",))
    assert await organisations.find_client(CLIENT.client_id) == changed


async def test_people_are_found_by_their_email(users: Users) -> None:
    await users.add(ADA)

    assert await users.find_by_email("ada@example.com") == (ADA,)
    assert await users.find_by_email("grace@example.com") == ()


async def test_an_email_is_one_persons_in_each_organisation(users: Users) -> None:
    elsewhere = replace(ADA, user_id=UserId(identifier("other")), organisation_id=STRANGER)
    await users.add(ADA)
    await users.add(elsewhere)

    with pytest.raises(EmailTaken):
        await users.add(replace(ADA, user_id=UserId(identifier("a third"))))
    assert set(await users.find_by_email(ADA.email)) == {ADA, elsewhere}
    assert await users.list(ORGANISATION) == (ADA,)


async def test_people_are_listed_of_one_organisation_or_of_all(users: Users) -> None:
    grace = replace(ADA, user_id=UserId(identifier("grace")), organisation_id=STRANGER, email="grace@example.com")
    await users.add(grace)
    await users.add(ADA)

    assert await users.list(ORGANISATION) == (ADA,)
    assert await users.list(None) == (ADA, grace)


async def test_people_are_disabled_once_and_enabled_again(users: Users) -> None:
    await users.add(ADA)
    for days in (0, 1):
        await users.disable(ADA.user_id, NOON + timedelta(days=days))
    assert await users.find_by_email(ADA.email) == (replace(ADA, disabled_at=NOON),)

    await users.enable(ADA.user_id)
    assert await users.find_by_email(ADA.email) == (ADA,)
