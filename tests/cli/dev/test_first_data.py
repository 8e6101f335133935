"""The first organisation, its client and its user are created once."""

import stat
from dataclasses import replace
from pathlib import Path

from adapters.database.repositories.users import DatabaseUsers
from application.administration.api_clients import ClientAdministration
from application.scopes import Scope
from cli.dev.first_data import FIRST_ORGANISATION, FIRST_USER, ensure_first_client, ensure_first_user
from domain.ports.database import Organisation
from domain.shared.ids import UserId
from domain.shared.object_names import digest
from tests.api.repositories import Repositories
from tests.builders import NOON, ORGANISATION, audit, identifier


async def users_of_the_first_organisation() -> DatabaseUsers:
    repositories = Repositories()
    await repositories.organisations.add(FIRST_ORGANISATION)
    return repositories.users


async def test_the_first_start_creates_a_client_that_later_starts_find(tmp_path: Path) -> None:
    repositories = Repositories()
    organisations, acts = repositories.organisations, repositories.acts
    added = await ensure_first_client(organisations, acts, tmp_path)
    (client,) = await organisations.list_clients(None)

    assert await organisations.list() == (FIRST_ORGANISATION,)
    assert (client.client_id, client.organisation_id) == (added.client_id, FIRST_ORGANISATION.organisation_id)
    assert set(client.scopes) == {scope.value for scope in Scope}
    assert len(added.client_secret) == 43  # 32 bytes in base 64
    assert client.secret_sha256 == digest(added.client_secret.encode())
    assert stat.S_IMODE((tmp_path / "first-client.json").stat().st_mode) == 0o600
    assert await ensure_first_client(organisations, acts, tmp_path) == added
    assert len(await organisations.list_clients(None)) == 1


async def test_a_client_whose_secret_is_lost_or_that_is_revoked_is_replaced(tmp_path: Path) -> None:
    repositories = Repositories()
    organisations, acts = repositories.organisations, repositories.acts
    lost = await ensure_first_client(organisations, acts, tmp_path)
    (tmp_path / "first-client.json").unlink()
    revoked = await ensure_first_client(organisations, acts, tmp_path)
    await organisations.revoke_client(revoked.client_id, NOON)
    added = await ensure_first_client(organisations, acts, tmp_path)

    assert len({lost.client_id, revoked.client_id, added.client_id}) == 3
    assert added.organisation_id == lost.organisation_id == revoked.organisation_id


async def test_credentials_of_another_database_are_replaced(tmp_path: Path) -> None:
    former = Repositories()
    stale = await ensure_first_client(former.organisations, former.acts, tmp_path)
    repositories = Repositories()
    organisations, acts = repositories.organisations, repositories.acts
    added = await ensure_first_client(organisations, acts, tmp_path)

    assert added != stale
    assert [client.client_id for client in await organisations.list_clients(None)] == [added.client_id]


async def test_a_client_gets_the_named_scopes() -> None:
    repositories = Repositories()
    organisations, acts = repositories.organisations, repositories.acts
    await organisations.add(Organisation(ORGANISATION, "Northwind Trading"))
    added = await ClientAdministration(organisations, acts, audit()).add(
        ORGANISATION, "reporting", (Scope.READ_SESSIONS,)
    )
    client = await organisations.find_client(added.client_id)

    assert client is not None
    assert client.scopes == ("read:sessions",)


async def test_the_first_start_creates_a_user_who_stays_disabled() -> None:
    users = await users_of_the_first_organisation()

    assert await ensure_first_user(users) == FIRST_USER
    assert await ensure_first_user(users) == FIRST_USER
    assert await users.list(None) == (FIRST_USER,)
    await users.disable(FIRST_USER.user_id, NOON)
    await ensure_first_user(users)
    assert [user.disabled_at for user in await users.list(None)] == [NOON]


async def test_an_organisation_with_users_gets_no_other() -> None:
    users = await users_of_the_first_organisation()
    own = replace(FIRST_USER, user_id=UserId(identifier("ada")), email="ada@example.com")
    await users.add(own)

    assert await ensure_first_user(users) == own
    assert await users.list(None) == (own,)
