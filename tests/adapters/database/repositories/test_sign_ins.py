"""The ways into the app: one suite for the fake, SQLite and PostgreSQL."""

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repositories.organisations import DatabaseOrganisations
from adapters.database.repositories.users import DatabaseSignIns, DatabaseUsers
from domain.shared.ids import UserId
from ports.database import Organisation, User
from ports.sign_ins import Member, SignIn, SignInLink, SignIns
from tests.builders import NOON, ORGANISATION, identifier

ADA = User(UserId(identifier("ada")), ORGANISATION, "ada@example.com", "Ada Lovelace")
NORTHWIND = Organisation(ORGANISATION, "Northwind Trading")
LATER = NOON + timedelta(minutes=15)
LINK = SignInLink("1" * 64, ADA.email, "/app/sessions", LATER)
SIGN_IN = SignIn("2" * 64, ADA.user_id, NOON, LATER)


@pytest.fixture
async def kept(database: AsyncEngine) -> tuple[SignIns, DatabaseUsers]:
    """The sign-ins and the people, of whom there is Ada."""
    organisations, users, sign_ins = DatabaseOrganisations(database), DatabaseUsers(database), DatabaseSignIns(database)
    await organisations.add(NORTHWIND)
    await users.add(ADA)
    return sign_ins, users


async def test_people_are_found_by_their_address_with_their_organisation(kept: tuple[SignIns, DatabaseUsers]) -> None:
    sign_ins, users = kept

    assert await sign_ins.list_members(ADA.email) == (Member(ADA, NORTHWIND),)
    assert await sign_ins.list_members("grace@example.com") == ()
    await users.disable(ADA.user_id, NOON)
    assert await sign_ins.list_members(ADA.email) == ()


async def test_of_several_who_take_a_link_one_gets_it(kept: tuple[SignIns, DatabaseUsers]) -> None:
    sign_ins, _ = kept
    await sign_ins.store_link(LINK, NOON, at_most=1)

    taken = await asyncio.gather(*(sign_ins.consume_link(LINK.secret_sha256, NOON) for _ in range(3)))

    assert sorted(taken, key=bool) == [None, None, LINK]


async def test_looking_at_a_link_does_not_use_it_up(kept: tuple[SignIns, DatabaseUsers]) -> None:
    sign_ins, _ = kept
    await sign_ins.store_link(LINK, NOON, at_most=1)

    assert await sign_ins.find_link(LINK.secret_sha256, NOON) == LINK
    assert await sign_ins.find_link(LINK.secret_sha256, NOON) == LINK


async def test_a_link_is_over_at_its_time(kept: tuple[SignIns, DatabaseUsers]) -> None:
    sign_ins, _ = kept
    await sign_ins.store_link(LINK, NOON, at_most=1)

    assert await sign_ins.find_link(LINK.secret_sha256, LATER) is None
    assert await sign_ins.consume_link(LINK.secret_sha256, LATER) is None


async def test_an_address_has_so_many_links_and_more_when_they_are_over(kept: tuple[SignIns, DatabaseUsers]) -> None:
    sign_ins, _ = kept
    links = [SignInLink(str(number) * 64, ADA.email, "/app", LATER) for number in range(4)]

    assert await sign_ins.store_link(links[0], NOON, at_most=2)
    assert await sign_ins.store_link(links[1], NOON, at_most=2)
    assert not await sign_ins.store_link(links[2], NOON, at_most=2)
    assert await sign_ins.store_link(links[3], LATER, at_most=2)


async def test_who_is_signed_in_is_found_until_the_time_is_over(kept: tuple[SignIns, DatabaseUsers]) -> None:
    sign_ins, _ = kept
    await sign_ins.start(SIGN_IN)

    assert await sign_ins.find(SIGN_IN.secret_sha256, NOON) == Member(ADA, NORTHWIND)
    assert await sign_ins.find(SIGN_IN.secret_sha256, LATER) is None
    assert await sign_ins.find("3" * 64, NOON) is None


async def test_signing_out_ends_it(kept: tuple[SignIns, DatabaseUsers]) -> None:
    sign_ins, _ = kept
    await sign_ins.start(SIGN_IN)

    await sign_ins.end(SIGN_IN.secret_sha256)

    assert await sign_ins.find(SIGN_IN.secret_sha256, NOON) is None


async def test_whoever_is_disabled_is_signed_out_at_once(kept: tuple[SignIns, DatabaseUsers]) -> None:
    sign_ins, users = kept
    await sign_ins.start(SIGN_IN)

    await users.disable(ADA.user_id, NOON)

    assert await sign_ins.find(SIGN_IN.secret_sha256, NOON) is None
