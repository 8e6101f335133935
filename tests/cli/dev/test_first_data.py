"""The first organisation and its client are made once, and found again."""

import stat
from dataclasses import replace
from pathlib import Path

from adapters.database.repositories.users import DatabaseUsers
from application.scopes import Scope
from cli.dev.first_data import FIRST_ORGANISATION, FIRST_USER, add_client, ensure_first_client, ensure_first_user
from domain.shared.ids import UserId
from domain.shared.object_names import digest
from ports.database import Organisation
from tests.api.repositories import Repositories
from tests.builders import NOON, ORGANISATION, identifier


async def users_of_the_first_organisation() -> DatabaseUsers:
    made = Repositories()
    await made.organisations.add(FIRST_ORGANISATION)
    return made.users


async def test_the_first_start_makes_a_client_that_may_do_everything(tmp_path: Path) -> None:
    organisations = Repositories().organisations

    made = await ensure_first_client(organisations, tmp_path)

    (client,) = await organisations.list_clients(None)
    assert await organisations.list() == (FIRST_ORGANISATION,)
    assert (client.client_id, client.organisation_id) == (made.client_id, FIRST_ORGANISATION.organisation_id)
    assert set(client.scopes) == {scope.value for scope in Scope}


async def test_the_secret_has_256_bits_and_is_kept_as_a_hash_only(tmp_path: Path) -> None:
    organisations = Repositories().organisations

    made = await ensure_first_client(organisations, tmp_path)

    (client,) = await organisations.list_clients(None)
    assert len(made.client_secret) == 43  # 32 bytes in base 64
    assert client.secret_sha256 == digest(made.client_secret.encode())
    assert stat.S_IMODE((tmp_path / "first-client.json").stat().st_mode) == 0o600


async def test_the_next_start_finds_the_same_client(tmp_path: Path) -> None:
    organisations = Repositories().organisations
    made = await ensure_first_client(organisations, tmp_path)

    assert await ensure_first_client(organisations, tmp_path) == made
    assert len(await organisations.list_clients(None)) == 1


async def test_a_lost_secret_is_replaced_by_a_new_client_of_the_same_organisation(tmp_path: Path) -> None:
    organisations = Repositories().organisations
    lost = await ensure_first_client(organisations, tmp_path)
    (tmp_path / "first-client.json").unlink()

    made = await ensure_first_client(organisations, tmp_path)

    assert made.client_id != lost.client_id
    assert made.organisation_id == lost.organisation_id


async def test_a_revoked_client_is_replaced(tmp_path: Path) -> None:
    organisations = Repositories().organisations
    revoked = await ensure_first_client(organisations, tmp_path)
    await organisations.revoke_client(revoked.client_id, NOON)

    made = await ensure_first_client(organisations, tmp_path)

    assert made.client_id != revoked.client_id


async def test_credentials_of_a_database_that_is_gone_are_made_anew(tmp_path: Path) -> None:
    stale = await ensure_first_client(Repositories().organisations, tmp_path)
    organisations = Repositories().organisations

    made = await ensure_first_client(organisations, tmp_path)

    assert made != stale
    assert [client.client_id for client in await organisations.list_clients(None)] == [made.client_id]


async def test_a_client_gets_the_scopes_that_were_asked_for() -> None:
    organisations = Repositories().organisations
    await organisations.add(Organisation(ORGANISATION, "Northwind Trading"))

    made = await add_client(organisations, ORGANISATION, "reporting", (Scope.READ_SESSIONS,))

    client = await organisations.find_client(made.client_id)
    assert client is not None
    assert client.scopes == ("read:sessions",)


async def test_the_first_start_makes_somebody_who_signs_in_and_later_ones_find_them() -> None:
    users = await users_of_the_first_organisation()

    assert await ensure_first_user(users) == FIRST_USER
    assert await ensure_first_user(users) == FIRST_USER
    assert await users.list(None) == (FIRST_USER,)


async def test_an_organisation_that_has_people_gets_nobody_made_up() -> None:
    users = await users_of_the_first_organisation()
    own = replace(FIRST_USER, user_id=UserId(identifier("ada")), email="ada@example.com")
    await users.add(own)

    assert await ensure_first_user(users) == own
    assert await users.list(None) == (own,)


async def test_whoever_was_disabled_stays_so() -> None:
    users = await users_of_the_first_organisation()
    await ensure_first_user(users)
    await users.disable(FIRST_USER.user_id, NOON)

    await ensure_first_user(users)

    assert [user.disabled_at for user in await users.list(None)] == [NOON]
