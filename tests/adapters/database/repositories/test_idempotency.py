"""Claims on idempotency keys, on the fake and on both databases."""

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import select

from adapters.database.engine import transaction
from adapters.database.repositories.idempotency import DatabaseIdempotencyKeys
from adapters.database.repositories.sessions import DatabaseSessionRows
from adapters.database.tables.sessions import IdempotencyKeyRow
from domain.shared.ids import OrganisationId, SessionId
from domain.shared.limits import CLAIM_LIFETIME, KEY_LIFETIME
from ports.idempotency import Claim, ClaimState, IdempotencyKeys
from tests.builders import NOON, ORGANISATION, identifier

STRANGER = OrganisationId(identifier("stranger"))
SESSION = SessionId(identifier("a session"))
MOMENT = timedelta(seconds=1)


@pytest.fixture
def keys(database: AsyncEngine) -> IdempotencyKeys:
    return DatabaseIdempotencyKeys(database)


async def test_of_many_at_once_one_is_to_do_it(keys: IdempotencyKeys) -> None:
    claims = await asyncio.gather(*(keys.claim(ORGANISATION, "k", "a", NOON) for _ in range(8)))
    assert sorted(claim.state.name for claim in claims) == ["FIRST", *["UNDER_WAY"] * 7]


async def test_what_was_answered_is_found_for_a_day(keys: IdempotencyKeys) -> None:
    await keys.claim(ORGANISATION, "k", "a", NOON)
    await keys.store_answer(ORGANISATION, "k", SESSION, '{"é": 1}')
    last = NOON + KEY_LIFETIME - MOMENT
    assert await keys.claim(ORGANISATION, "k", "a", last) == Claim(ClaimState.ANSWERED, NOON, '{"é": 1}')
    assert await keys.claim(ORGANISATION, "k", "b", last) == Claim(ClaimState.OTHER_REQUEST, NOON)
    assert await keys.claim(ORGANISATION, "k", "b", NOON + KEY_LIFETIME) == Claim(ClaimState.FIRST, NOON + KEY_LIFETIME)


async def test_keys_of_two_organisations_have_nothing_to_do_with_each_other(keys: IdempotencyKeys) -> None:
    await keys.claim(ORGANISATION, "k", "a", NOON)
    assert (await keys.claim(STRANGER, "k", "b", NOON)).state is ClaimState.FIRST
    assert (await keys.claim(STRANGER, "K", "b", NOON)).state is ClaimState.FIRST


async def test_who_does_not_answer_in_time_is_followed_by_one_other(keys: IdempotencyKeys) -> None:
    await keys.claim(ORGANISATION, "k", "a", NOON)
    late = NOON + CLAIM_LIFETIME
    assert (await keys.claim(ORGANISATION, "k", "a", late - MOMENT)).state is ClaimState.UNDER_WAY
    assert await keys.claim(ORGANISATION, "k", "a", late) == Claim(ClaimState.AGAIN, NOON)
    assert (await keys.claim(ORGANISATION, "k", "a", late)).state is ClaimState.UNDER_WAY


async def test_a_claim_that_is_renewed_stays_with_who_has_it(keys: IdempotencyKeys) -> None:
    half, late = NOON + CLAIM_LIFETIME / 2, NOON + CLAIM_LIFETIME
    await keys.claim(ORGANISATION, "key", "one", NOON)

    assert await keys.renew(ORGANISATION, "key", NOON, half)
    assert (await keys.claim(ORGANISATION, "key", "one", late)).state is ClaimState.UNDER_WAY
    assert not await keys.renew(ORGANISATION, "key", NOON, late)
    assert (await keys.claim(ORGANISATION, "key", "one", half + CLAIM_LIFETIME)).state is ClaimState.AGAIN
    assert not await keys.renew(ORGANISATION, "key", half, late)


async def test_what_was_let_go_is_tried_again_at_once_and_by_the_same_request_only(keys: IdempotencyKeys) -> None:
    await keys.claim(ORGANISATION, "k", "a", NOON)
    await keys.release(ORGANISATION, "k", NOON)
    assert (await keys.claim(ORGANISATION, "k", "b", NOON)).state is ClaimState.OTHER_REQUEST
    assert (await keys.claim(ORGANISATION, "k", "a", NOON)).state is ClaimState.AGAIN


async def test_what_was_forgotten_is_free_for_any_request(keys: IdempotencyKeys) -> None:
    await keys.claim(ORGANISATION, "k", "a", NOON)
    await keys.discard(ORGANISATION, "k", NOON)
    assert (await keys.claim(ORGANISATION, "k", "b", NOON)).state is ClaimState.FIRST


async def test_who_was_taken_for_dead_cannot_give_the_key_away(keys: IdempotencyKeys) -> None:
    await keys.claim(ORGANISATION, "k", "a", NOON)
    late = NOON + CLAIM_LIFETIME
    await keys.claim(ORGANISATION, "k", "a", late)
    await keys.discard(ORGANISATION, "k", NOON)
    await keys.release(ORGANISATION, "k", NOON)
    assert await keys.claim(ORGANISATION, "k", "a", late) == Claim(ClaimState.UNDER_WAY, NOON)


async def test_an_answer_stays_whoever_comes_late(keys: IdempotencyKeys) -> None:
    await keys.claim(ORGANISATION, "k", "a", NOON)
    await keys.store_answer(ORGANISATION, "k", SESSION, "first")
    await keys.store_answer(ORGANISATION, "k", SESSION, "second")
    await keys.discard(ORGANISATION, "k", NOON)
    await keys.release(ORGANISATION, "k", NOON)
    assert await keys.claim(ORGANISATION, "k", "a", NOON) == Claim(ClaimState.ANSWERED, NOON, "first")


async def test_nothing_is_kept_longer_than_a_day_of_an_organisation_that_does_not_come_back(
    database: AsyncEngine,
) -> None:
    keys = DatabaseIdempotencyKeys(database)
    await keys.claim(ORGANISATION, "k", "a", NOON)
    await keys.claim(STRANGER, "k", "a", NOON + KEY_LIFETIME)
    async with transaction(database) as rows:
        assert (await rows.exec(select(IdempotencyKeyRow.organisation_id))).all() == [STRANGER]


@pytest.mark.parametrize("erased_first", [True, False])
async def test_of_an_erased_session_no_answer_is_kept_and_its_key_stays_taken(
    database: AsyncEngine, erased_first: bool
) -> None:
    keys, rows = DatabaseIdempotencyKeys(database), DatabaseSessionRows(database)
    await keys.claim(ORGANISATION, "k", "a", NOON)
    if erased_first:
        await rows.erase(ORGANISATION, SESSION, NOON)
    await keys.store_answer(ORGANISATION, "k", SESSION, '{"name": "Ada"}')
    await rows.erase(ORGANISATION, SESSION, NOON)
    assert await keys.claim(ORGANISATION, "k", "a", NOON) == Claim(ClaimState.ERASED, NOON)


async def test_an_answer_about_no_session_is_kept_too(keys: IdempotencyKeys) -> None:
    await keys.claim(ORGANISATION, "k", "a", NOON)
    await keys.store_answer(ORGANISATION, "k", None, "{}")
    assert await keys.claim(ORGANISATION, "k", "a", NOON) == Claim(ClaimState.ANSWERED, NOON, "{}")
