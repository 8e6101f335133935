"""OAuth applications, approvals and grants, in SQLite and PostgreSQL."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import NamedTuple

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repositories.oauth_grants import DatabaseGrants
from adapters.database.repositories.organisations import DatabaseOrganisations
from adapters.database.repositories.users import DatabaseUsers
from domain.ports.database import ClientCredentials, Organisation, Organisations, User, Users
from domain.ports.oauth_grants import Application, Approval, Grant, Grants, RefreshToken
from domain.shared.ids import ApplicationId, ClientId, OrganisationId, UserId
from domain.shared.roles import Role
from domain.shared.sending_limit import SendingLimit
from tests.builders import NOON, ORGANISATION, identifier

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
ADA = User(UserId(identifier("ada")), ORGANISATION, "ada@example.com", "Ada Lovelace", Role.ADMINISTRATOR)
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


class Stored(NamedTuple):
    grants: Grants
    users: Users
    organisations: Organisations


@pytest.fixture
async def stored(database: AsyncEngine) -> Stored:
    """Ada of Northwind, an application, and its approval."""
    stored = Stored(DatabaseGrants(database), DatabaseUsers(database), DatabaseOrganisations(database))
    await stored.organisations.add(Organisation(ORGANISATION, "Northwind Trading"))
    await stored.users.add(ADA)
    await stored.grants.register(ASSISTANT, at_most=10, since=NOON - DAY)
    await stored.grants.approve(APPROVAL, forget_before=NOON - DAY)
    return stored


async def test_an_application_is_found_as_it_registered(stored: Stored) -> None:
    assert await stored.grants.find_application(ASSISTANT.application_id) == replace(ASSISTANT, approved_at=NOON)
    assert await stored.grants.find_application(ApplicationId(identifier("nobody"))) is None


async def test_an_approval_becomes_a_client_of_the_organisation_with_its_budget(stored: Stored) -> None:
    assert await stored.grants.redeem(APPROVAL, TOKEN)

    client = ClientCredentials(
        CLIENT, ORGANISATION, "Assistant", "", APPROVAL.scopes, None, ADA.role, created_by=ADA.user_id, created_at=NOON
    )
    assert await stored.organisations.find_client(CLIENT) == client
    assert await stored.grants.find_application_of(CLIENT) == ASSISTANT.application_id
    assert await stored.grants.find_user_of(CLIENT) == ADA.user_id
    assert await stored.grants.find_user_of(ClientId("another")) is None
    assert await stored.grants.list(ORGANISATION, NOON) == (
        Grant(client, ASSISTANT.application_id, ADA, NOON, NOON, NOON + 30 * DAY, APPROVAL.budget),
    )
    assert await stored.grants.list(ORGANISATION, TOKEN.ends_at) == ()
    assert await stored.grants.list(OrganisationId(identifier("others")), NOON) == ()


async def test_an_approval_is_redeemed_once(stored: Stored) -> None:
    assert await stored.grants.find_approval(APPROVAL.code_sha256) == APPROVAL
    tokens = [replace(TOKEN, secret_sha256=str(number) * 64) for number in range(4)]

    redeemed = await asyncio.gather(*(stored.grants.redeem(APPROVAL, token) for token in tokens))

    assert sorted(redeemed) == [False, False, False, True]
    assert await stored.grants.find_approval(APPROVAL.code_sha256) == replace(APPROVAL, used_at=NOON)


async def test_the_approval_of_a_disabled_user_is_not_redeemed(stored: Stored) -> None:
    await stored.users.disable(ADA.user_id, NOON)
    assert not await stored.grants.redeem(APPROVAL, TOKEN)
    assert await stored.organisations.find_client(CLIENT) is None


async def test_disabling_a_user_revokes_their_grants(stored: Stored) -> None:
    await stored.grants.redeem(APPROVAL, TOKEN)

    await stored.users.disable(ADA.user_id, NOON + DAY)
    await stored.users.enable(ADA.user_id)

    client = await stored.organisations.find_client(CLIENT)
    assert client is not None
    assert client.revoked_at == NOON + DAY
    assert await stored.grants.list(ORGANISATION, NOON) == ()


async def test_a_client_has_the_present_role_of_the_user_who_approved_it(stored: Stored) -> None:
    await stored.grants.redeem(APPROVAL, TOKEN)

    await stored.users.change_role(ADA.user_id, Role.VIEWER)

    client = await stored.organisations.find_client(CLIENT)
    assert client is not None
    assert client.approver_role is Role.VIEWER
    assert client.standing.is_ended
    assert await stored.grants.list(ORGANISATION, NOON) == ()


async def test_a_token_is_rotated_once(stored: Stored) -> None:
    await stored.grants.redeem(APPROVAL, TOKEN)
    successors = [replace(NEXT, secret_sha256=str(number) * 64) for number in range(4, 8)]
    rotated = await asyncio.gather(*(stored.grants.rotate(TOKEN.secret_sha256, token) for token in successors))
    assert sorted(rotated) == [False, False, False, True]


async def test_a_used_token_is_found_as_used(stored: Stored) -> None:
    await stored.grants.redeem(APPROVAL, TOKEN)
    await stored.grants.rotate(TOKEN.secret_sha256, NEXT)

    assert await stored.grants.find_token(TOKEN.secret_sha256) == replace(TOKEN, used_at=NEXT.issued_at)
    assert await stored.grants.find_token(NEXT.secret_sha256) == NEXT
    (grant,) = await stored.grants.list(ORGANISATION, NOON)
    assert (grant.fetched_at, grant.ends_at) == (NEXT.issued_at, NEXT.ends_at)


async def test_the_oldest_applications_without_an_approval_make_room(stored: Stored) -> None:
    later = [
        replace(ASSISTANT, application_id=ApplicationId(identifier(str(number))), registered_at=NOON + number * MINUTE)
        for number in range(1, 5)
    ]
    for application in later:
        await stored.grants.register(application, at_most=3, since=NOON - DAY)

    found = [await stored.grants.find_application(application.application_id) for application in (ASSISTANT, *later)]

    assert [application is not None for application in found] == [True, False, True, True, True]


async def test_applications_without_an_approval_are_deleted_in_time(stored: Stored) -> None:
    old, newer = (
        replace(ASSISTANT, application_id=ApplicationId(identifier(name)), registered_at=at)
        for name, at in (("old", NOON), ("newer", NOON + DAY))
    )
    await stored.grants.register(old, at_most=10, since=NOON - DAY)
    assert await stored.grants.find_application(old.application_id) == old
    await stored.grants.register(newer, at_most=10, since=NOON + MINUTE)
    assert await stored.grants.find_application(old.application_id) is None


async def test_expired_approvals_are_deleted_with_the_next_one(stored: Stored) -> None:
    later = replace(APPROVAL, code_sha256="9" * 64, ends_at=NOON + 2 * DAY)
    await stored.grants.approve(later, forget_before=NOON + DAY)
    assert await stored.grants.find_approval(APPROVAL.code_sha256) is None
    assert await stored.grants.find_approval(later.code_sha256) == later
