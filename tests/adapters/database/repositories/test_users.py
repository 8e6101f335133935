"""Users, their sign-in links and sign-ins, in SQLite and PostgreSQL."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import NamedTuple

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repositories.organisations import DatabaseOrganisations
from adapters.database.repositories.users import DatabaseSignIns, DatabaseUsers
from domain.ports.database import EmailTaken, LastAdministrator, Organisation, User
from domain.ports.sign_ins import LinkLimits, Member, SignIn, SignInLink
from domain.shared.ids import OrganisationId, UserId
from domain.shared.roles import Role
from tests.builders import NOON, ORGANISATION, identifier

STRANGER = OrganisationId(identifier("stranger"))
NORTHWIND = Organisation(ORGANISATION, "Northwind Trading")
ADA = User(UserId(identifier("ada")), ORGANISATION, "ada@example.com", "Ada Lovelace", Role.ADMINISTRATOR)
LATER = NOON + timedelta(minutes=15)
LINK = SignInLink("1" * 64, ADA.email, "/app/sessions", LATER)
SIGN_IN = SignIn("2" * 64, ADA.user_id, NOON, LATER)


class Stored(NamedTuple):
    users: DatabaseUsers
    sign_ins: DatabaseSignIns


@pytest.fixture
async def stored(database: AsyncEngine) -> Stored:
    """Two organisations. Ada is a user of one."""
    for organisation in (NORTHWIND, Organisation(STRANGER, "Another")):
        await DatabaseOrganisations(database).add(organisation)
    users = DatabaseUsers(database)
    await users.add(ADA)
    return Stored(users, DatabaseSignIns(database))


async def test_an_email_belongs_to_one_user_in_each_organisation(stored: Stored) -> None:
    elsewhere = replace(ADA, user_id=UserId(identifier("other")), organisation_id=STRANGER)
    await stored.users.add(elsewhere)

    with pytest.raises(EmailTaken):
        await stored.users.add(replace(ADA, user_id=UserId(identifier("a third"))))
    assert set(await stored.users.find_by_email(ADA.email)) == {ADA, elsewhere}
    assert await stored.users.find_by_email("grace@example.com") == ()


async def test_users_are_listed_of_one_organisation_or_of_all(stored: Stored) -> None:
    grace = replace(ADA, user_id=UserId(identifier("grace")), organisation_id=STRANGER, email="grace@example.com")
    await stored.users.add(grace)
    assert await stored.users.list(ORGANISATION) == (ADA,)
    assert await stored.users.list(None) == (ADA, grace)


async def test_a_disabled_user_cannot_sign_in_and_is_signed_out_until_enabled(stored: Stored) -> None:
    await stored.sign_ins.start(SIGN_IN)
    assert await stored.sign_ins.list_members(ADA.email) == (Member(ADA, NORTHWIND),)
    assert await stored.sign_ins.list_members("grace@example.com") == ()

    for days in (0, 1):
        await stored.users.disable(ADA.user_id, NOON + timedelta(days=days))

    assert await stored.users.find_by_email(ADA.email) == (replace(ADA, disabled_at=NOON),)
    assert await stored.sign_ins.list_members(ADA.email) == ()
    assert await stored.sign_ins.find(SIGN_IN.secret_sha256, NOON) is None
    await stored.users.enable(ADA.user_id)
    assert await stored.users.find_by_email(ADA.email) == (ADA,)


async def test_a_user_is_renamed_and_gets_another_role(stored: Stored) -> None:
    await stored.users.rename(ADA.user_id, "Countess Lovelace")
    await stored.users.change_role(ADA.user_id, Role.VIEWER)
    assert await stored.users.list(ORGANISATION) == (replace(ADA, name="Countess Lovelace", role=Role.VIEWER),)


async def test_of_the_administrators_of_an_organisation_one_stays(stored: Stored) -> None:
    grace = replace(ADA, user_id=UserId(identifier("grace")), email="grace@example.com")
    abroad = replace(grace, user_id=UserId(identifier("abroad")), organisation_id=STRANGER)
    viewer = replace(grace, user_id=UserId(identifier("viewer")), email="viewer@example.com", role=Role.VIEWER)
    for user in (abroad, viewer):
        await stored.users.add(user)

    with pytest.raises(LastAdministrator):
        await stored.users.disable(ADA.user_id, NOON, keeps_administrator=True)
    with pytest.raises(LastAdministrator):
        await stored.users.change_role(ADA.user_id, Role.SENDER, keeps_administrator=True)
    await stored.users.change_role(ADA.user_id, Role.ADMINISTRATOR, keeps_administrator=True)
    await stored.users.disable(viewer.user_id, NOON, keeps_administrator=True)
    assert ADA in await stored.users.list(ORGANISATION)

    await stored.users.add(grace)
    results = await asyncio.gather(
        *(stored.users.disable(user.user_id, NOON, keeps_administrator=True) for user in (ADA, grace)),
        return_exceptions=True,
    )

    assert sorted(map(type, results), key=str) == [type(None), LastAdministrator]
    assert sum(user.is_administrator for user in await stored.users.list(ORGANISATION)) == 1


async def test_a_link_is_found_until_it_is_consumed_once_or_expires(stored: Stored) -> None:
    sign_ins, secret = stored.sign_ins, LINK.secret_sha256
    await sign_ins.store_link(LINK, NOON, LinkLimits(of_strangers=1))
    assert [await sign_ins.find_link(secret, at) for at in (NOON, NOON, LATER)] == [LINK, LINK, None]

    links = await asyncio.gather(*(sign_ins.consume_link(secret, NOON) for _ in range(3)))
    assert sorted(links, key=bool) == [None, None, LINK]

    await sign_ins.store_link(LINK, NOON, LinkLimits(of_strangers=1))
    assert await sign_ins.consume_link(secret, LATER) is None


async def test_the_number_of_unexpired_links_of_an_address_is_limited(stored: Stored) -> None:
    links = [SignInLink(str(number) * 64, ADA.email, "/app", LATER) for number in range(4)]
    results = [await stored.sign_ins.store_link(link, NOON, LinkLimits(of_strangers=2)) for link in links[:3]]
    assert results == [True, True, False]
    assert await stored.sign_ins.store_link(links[3], LATER, LinkLimits(of_strangers=2))


async def test_a_sign_in_lasts_until_it_expires_or_the_user_signs_out(stored: Stored) -> None:
    sign_ins, secret = stored.sign_ins, SIGN_IN.secret_sha256
    await sign_ins.start(SIGN_IN)
    assert [await sign_ins.find(secret, at) for at in (NOON, LATER)] == [(Member(ADA, NORTHWIND), SIGN_IN), None]
    assert await sign_ins.find("3" * 64, NOON) is None

    await sign_ins.end(secret)

    assert await sign_ins.find(secret, NOON) is None
