"""The first organisation and its client are made once, and found again."""

import stat
from dataclasses import replace
from pathlib import Path

from api.cli.seeding import FIRST_ORGANISATION, FIRST_USER, add_client, ensure_first_client, ensure_first_user
from api.scopes import Scope
from domain.ids import UserId
from domain.objects import digest
from tests.builders import NOON, ORGANISATION, identifier
from tests.fakes.database import MemoryOrganisations, MemoryUsers


async def test_the_first_start_makes_a_client_that_may_do_everything(tmp_path: Path) -> None:
    organisations = MemoryOrganisations()

    made = await ensure_first_client(organisations, tmp_path)

    (client,) = organisations.clients.values()
    assert list(organisations.organisations.values()) == [FIRST_ORGANISATION]
    assert (client.client_id, client.organisation_id) == (made.client_id, FIRST_ORGANISATION.organisation_id)
    assert set(client.scopes) == {scope.value for scope in Scope}


async def test_the_secret_has_256_bits_and_is_kept_as_a_hash_only(tmp_path: Path) -> None:
    organisations = MemoryOrganisations()

    made = await ensure_first_client(organisations, tmp_path)

    (client,) = organisations.clients.values()
    assert len(made.client_secret) == 43  # 32 bytes in base 64
    assert client.secret_sha256 == digest(made.client_secret.encode())
    assert stat.S_IMODE((tmp_path / "first-client.json").stat().st_mode) == 0o600


async def test_the_next_start_finds_the_same_client(tmp_path: Path) -> None:
    organisations = MemoryOrganisations()
    made = await ensure_first_client(organisations, tmp_path)

    assert await ensure_first_client(organisations, tmp_path) == made
    assert len(organisations.clients) == 1


async def test_a_lost_secret_is_replaced_by_a_new_client_of_the_same_organisation(tmp_path: Path) -> None:
    organisations = MemoryOrganisations()
    lost = await ensure_first_client(organisations, tmp_path)
    (tmp_path / "first-client.json").unlink()

    made = await ensure_first_client(organisations, tmp_path)

    assert made.client_id != lost.client_id
    assert made.organisation_id == lost.organisation_id


async def test_a_revoked_client_is_replaced(tmp_path: Path) -> None:
    organisations = MemoryOrganisations()
    revoked = await ensure_first_client(organisations, tmp_path)
    client = organisations.clients[revoked.client_id]
    organisations.clients[revoked.client_id] = replace(client, revoked_at=NOON)

    made = await ensure_first_client(organisations, tmp_path)

    assert made.client_id != revoked.client_id


async def test_credentials_of_a_database_that_is_gone_are_made_anew(tmp_path: Path) -> None:
    stale = await ensure_first_client(MemoryOrganisations(), tmp_path)
    organisations = MemoryOrganisations()

    made = await ensure_first_client(organisations, tmp_path)

    assert made != stale
    assert list(organisations.clients) == [made.client_id]


async def test_a_client_gets_the_scopes_that_were_asked_for() -> None:
    organisations = MemoryOrganisations()

    made = await add_client(organisations, ORGANISATION, "reporting", (Scope.READ_SESSIONS,))

    assert organisations.clients[made.client_id].scopes == ("read:sessions",)


async def test_the_first_start_makes_somebody_who_signs_in_and_later_ones_find_them() -> None:
    users = MemoryUsers()

    assert await ensure_first_user(users) == FIRST_USER
    assert await ensure_first_user(users) == FIRST_USER
    assert list(users.users.values()) == [FIRST_USER]


async def test_an_organisation_that_has_people_gets_nobody_made_up() -> None:
    users = MemoryUsers()
    own = replace(FIRST_USER, user_id=UserId(identifier("ada")), email="ada@example.com")
    await users.add(own)

    assert await ensure_first_user(users) == own
    assert list(users.users.values()) == [own]


async def test_whoever_was_disabled_stays_so() -> None:
    users = MemoryUsers()
    await ensure_first_user(users)
    await users.disable(FIRST_USER.user_id, NOON)

    await ensure_first_user(users)

    assert [user.disabled_at for user in users.users.values()] == [NOON]
