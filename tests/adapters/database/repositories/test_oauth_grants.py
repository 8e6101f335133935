"""Grants: one suite for the fake, SQLite and PostgreSQL."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import NamedTuple

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repositories.oauth_grants import DatabaseGrants
from adapters.database.repositories.organisations import DatabaseOrganisations
from adapters.database.repositories.users import DatabaseUsers
from domain.shared.ids import ApplicationId, ClientId, UserId
from domain.shared.limits import SendingLimit
from ports.database import ClientCredentials, Organisation, Organisations, User, Users
from ports.oauth_grants import Application, Approval, Grant, Grants, RefreshToken
from tests.builders import NOON, ORGANISATION, identifier

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
ADA = User(UserId(identifier("ada")), ORGANISATION, "ada@example.com", "Ada Lovelace")
ASSISTANT = Application(
    application_id=ApplicationId(identifier("assistant")),
    name="Assistant",
    redirect_uris=("https://assistant.example.com/callback", "http://127.0.0.1/callback"),
    auth_method="none",
    secret_sha256=None,
    registered_at=NOON,
)
CLIENT = ClientId(identifier("the assistant for Northwind"))
APPROVAL = Approval(
    code_sha256="1" * 64,
    client_id=CLIENT,
    application_id=ASSISTANT.application_id,
    organisation_id=ORGANISATION,
    user_id=ADA.user_id,
    redirect_uri=ASSISTANT.redirect_uris[0],
    challenge="c" * 43,
    resource="https://sign.example.com/mcp",
    scopes=("read:sessions", "write:sessions"),
    budget=SendingLimit(recipients_per_day=20, domains=("example.com",)),
    approved_at=NOON,
    ends_at=NOON + MINUTE,
)
TOKEN = RefreshToken("2" * 64, CLIENT, ASSISTANT.application_id, APPROVAL.resource, NOON, NOON + 30 * DAY)
NEXT = replace(TOKEN, secret_sha256="3" * 64, issued_at=NOON + DAY, ends_at=NOON + 31 * DAY)


class Kept(NamedTuple):
    grants: Grants
    users: Users
    organisations: Organisations


@pytest.fixture
async def kept(database: AsyncEngine) -> Kept:
    """Ada of Northwind, and an application."""
    made = Kept(DatabaseGrants(database), DatabaseUsers(database), DatabaseOrganisations(database))
    await made.organisations.add(Organisation(ORGANISATION, "Northwind Trading"))
    await made.users.add(ADA)
    await made.grants.register(ASSISTANT, at_most=10, since=NOON - DAY)
    return made


async def test_an_application_is_found_as_it_registered(kept: Kept) -> None:
    assert await kept.grants.find_application(ASSISTANT.application_id) == ASSISTANT
    assert await kept.grants.find_application(ApplicationId(identifier("nobody"))) is None


async def test_an_approval_becomes_a_client_of_the_organisation_with_its_budget(kept: Kept) -> None:
    await kept.grants.approve(APPROVAL, forget_before=NOON - DAY)

    assert await kept.grants.redeem(APPROVAL, TOKEN)

    client = ClientCredentials(CLIENT, ORGANISATION, "Assistant", "", APPROVAL.scopes)
    assert await kept.organisations.find_client(CLIENT) == client
    assert await kept.grants.find_application_of(CLIENT) == ASSISTANT.application_id
    assert await kept.grants.list(ORGANISATION, NOON) == (
        Grant(client, ASSISTANT.application_id, ADA, NOON, NOON, NOON + 30 * DAY, APPROVAL.budget),
    )


async def test_of_several_who_redeem_an_approval_one_does(kept: Kept) -> None:
    await kept.grants.approve(APPROVAL, forget_before=NOON - DAY)
    tokens = [replace(TOKEN, secret_sha256=str(number) * 64) for number in range(4)]

    redeemed = await asyncio.gather(*(kept.grants.redeem(APPROVAL, token) for token in tokens))

    assert sorted(redeemed) == [False, False, False, True]


async def test_a_used_approval_is_found_as_used(kept: Kept) -> None:
    await kept.grants.approve(APPROVAL, forget_before=NOON - DAY)
    assert await kept.grants.find_approval(APPROVAL.code_sha256) == APPROVAL

    await kept.grants.redeem(APPROVAL, TOKEN)

    assert await kept.grants.find_approval(APPROVAL.code_sha256) == replace(APPROVAL, used_at=NOON)


async def test_the_approval_of_somebody_who_was_disabled_meanwhile_becomes_nothing(kept: Kept) -> None:
    await kept.grants.approve(APPROVAL, forget_before=NOON - DAY)
    await kept.users.disable(ADA.user_id, NOON)

    assert not await kept.grants.redeem(APPROVAL, TOKEN)
    assert await kept.organisations.find_client(CLIENT) is None


async def test_disabling_somebody_ends_what_they_approved(kept: Kept) -> None:
    await kept.grants.approve(APPROVAL, forget_before=NOON - DAY)
    await kept.grants.redeem(APPROVAL, TOKEN)

    await kept.users.disable(ADA.user_id, NOON + DAY)
    await kept.users.enable(ADA.user_id)

    client = await kept.organisations.find_client(CLIENT)
    assert client is not None
    assert client.revoked_at == NOON + DAY
    assert await kept.grants.list(ORGANISATION, NOON) == ()


async def test_of_several_who_rotate_a_token_one_does(kept: Kept) -> None:
    await kept.grants.approve(APPROVAL, forget_before=NOON - DAY)
    await kept.grants.redeem(APPROVAL, TOKEN)
    successors = [replace(NEXT, secret_sha256=str(number) * 64) for number in range(4, 8)]

    rotated = await asyncio.gather(*(kept.grants.rotate(TOKEN.secret_sha256, token) for token in successors))

    assert sorted(rotated) == [False, False, False, True]


async def test_a_token_that_was_used_is_still_found_as_used(kept: Kept) -> None:
    await kept.grants.approve(APPROVAL, forget_before=NOON - DAY)
    await kept.grants.redeem(APPROVAL, TOKEN)
    await kept.grants.rotate(TOKEN.secret_sha256, NEXT)

    assert await kept.grants.find_token(TOKEN.secret_sha256) == replace(TOKEN, used_at=NEXT.issued_at)
    assert await kept.grants.find_token(NEXT.secret_sha256) == NEXT
    (grant,) = await kept.grants.list(ORGANISATION, NOON)
    assert (grant.fetched_at, grant.ends_at) == (NEXT.issued_at, NEXT.ends_at)


async def test_grants_that_are_over_and_those_of_others_are_not_listed(kept: Kept) -> None:
    await kept.grants.approve(APPROVAL, forget_before=NOON - DAY)
    await kept.grants.redeem(APPROVAL, TOKEN)

    assert await kept.grants.list(ORGANISATION, TOKEN.ends_at) == ()
    assert await kept.grants.list(replace(ADA, organisation_id=identifier("others")).organisation_id, NOON) == ()


async def test_applications_that_nobody_approved_make_room_and_approved_ones_stay(kept: Kept) -> None:
    await kept.grants.approve(APPROVAL, forget_before=NOON - DAY)
    later = [
        replace(ASSISTANT, application_id=ApplicationId(identifier(str(number))), registered_at=NOON + number * MINUTE)
        for number in range(1, 5)
    ]
    for application in later:
        await kept.grants.register(application, at_most=3, since=NOON - DAY)

    found = [await kept.grants.find_application(application.application_id) for application in (ASSISTANT, *later)]

    assert [application is not None for application in found] == [True, False, True, True, True]


async def test_applications_that_nobody_approved_in_time_go(kept: Kept) -> None:
    newer = replace(ASSISTANT, application_id=ApplicationId(identifier("newer")), registered_at=NOON + DAY)

    await kept.grants.register(newer, at_most=10, since=NOON + MINUTE)

    assert await kept.grants.find_application(ASSISTANT.application_id) is None


async def test_approvals_that_are_long_over_go_with_the_next_one(kept: Kept) -> None:
    await kept.grants.approve(APPROVAL, forget_before=NOON - DAY)
    later = replace(APPROVAL, code_sha256="9" * 64, ends_at=NOON + 2 * DAY)

    await kept.grants.approve(later, forget_before=NOON + DAY)

    assert await kept.grants.find_approval(APPROVAL.code_sha256) is None
    assert await kept.grants.find_approval(later.code_sha256) == later
