"""Claims of idempotency keys, in SQLite and PostgreSQL."""

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import select

from adapters.database.engine import transaction
from adapters.database.repositories.idempotency import DatabaseIdempotencyKeys
from adapters.database.repositories.sessions import DatabaseSessionRows
from adapters.database.tables.sessions import IdempotencyKeyRow
from domain.ports.idempotency import Claim, ClaimState, IdempotencyKeys
from domain.shared.ids import OrganisationId, SessionId
from domain.shared.limits import CLAIM_LIFETIME, KEY_LIFETIME
from domain.shared.object_names import digest
from tests.builders import NOON, ORGANISATION, identifier

STRANGER = OrganisationId(identifier("stranger"))
SESSION = SessionId(identifier("a session"))
MOMENT = timedelta(seconds=1)


@pytest.fixture
def keys(database: AsyncEngine) -> IdempotencyKeys:
    return DatabaseIdempotencyKeys(database)


async def test_of_concurrent_claims_one_is_the_first(keys: IdempotencyKeys) -> None:
    claims = await asyncio.gather(*(keys.claim(ORGANISATION, "k", "a", NOON) for _ in range(8)))
    assert sorted(claim.state.name for claim in claims) == ["FIRST", *["UNDER_WAY"] * 7]


@pytest.mark.parametrize(("session", "answer"), [(SESSION, '{"é": 1}'), (None, "{}")])
async def test_the_first_answer_is_kept_a_day(keys: IdempotencyKeys, session: SessionId | None, answer: str) -> None:
    await keys.claim(ORGANISATION, "k", "a", NOON)
    for text in (answer, "second"):
        await keys.store_answer(ORGANISATION, "k", session, text)
    await keys.discard(ORGANISATION, "k", NOON)
    await keys.release(ORGANISATION, "k", NOON)
    last = NOON + KEY_LIFETIME - MOMENT
    assert await keys.claim(ORGANISATION, "k", "a", last) == Claim(ClaimState.ANSWERED, NOON, answer)
    assert await keys.claim(ORGANISATION, "k", "b", last) == Claim(ClaimState.OTHER_REQUEST, NOON)
    assert await keys.claim(ORGANISATION, "k", "b", NOON + KEY_LIFETIME) == Claim(ClaimState.FIRST, NOON + KEY_LIFETIME)


async def test_keys_are_separate_for_each_organisation(keys: IdempotencyKeys) -> None:
    await keys.claim(ORGANISATION, "k", "a", NOON)
    assert (await keys.claim(STRANGER, "k", "b", NOON)).state is ClaimState.FIRST
    assert (await keys.claim(STRANGER, "K", "b", NOON)).state is ClaimState.FIRST


async def test_a_claim_that_expires_is_claimed_again_once(keys: IdempotencyKeys) -> None:
    await keys.claim(ORGANISATION, "k", "a", NOON)
    late = NOON + CLAIM_LIFETIME
    assert (await keys.claim(ORGANISATION, "k", "a", late - MOMENT)).state is ClaimState.UNDER_WAY
    assert await keys.claim(ORGANISATION, "k", "a", late) == Claim(ClaimState.AGAIN, NOON)
    assert (await keys.claim(ORGANISATION, "k", "a", late)).state is ClaimState.UNDER_WAY


async def test_a_renewed_claim_does_not_expire(keys: IdempotencyKeys) -> None:
    half, late = NOON + CLAIM_LIFETIME / 2, NOON + CLAIM_LIFETIME
    await keys.claim(ORGANISATION, "key", "one", NOON)

    assert await keys.renew(ORGANISATION, "key", NOON, half)
    assert (await keys.claim(ORGANISATION, "key", "one", late)).state is ClaimState.UNDER_WAY
    assert not await keys.renew(ORGANISATION, "key", NOON, late)
    assert (await keys.claim(ORGANISATION, "key", "one", half + CLAIM_LIFETIME)).state is ClaimState.AGAIN
    assert not await keys.renew(ORGANISATION, "key", half, late)


async def test_a_released_claim_is_for_the_same_request_and_a_discarded_one_for_any(keys: IdempotencyKeys) -> None:
    await keys.claim(ORGANISATION, "k", "a", NOON)
    await keys.release(ORGANISATION, "k", NOON)
    assert (await keys.claim(ORGANISATION, "k", "b", NOON)).state is ClaimState.OTHER_REQUEST
    assert (await keys.claim(ORGANISATION, "k", "a", NOON)).state is ClaimState.AGAIN
    await keys.discard(ORGANISATION, "k", NOON)
    assert (await keys.claim(ORGANISATION, "k", "b", NOON)).state is ClaimState.FIRST


async def test_an_expired_claim_cannot_be_discarded_or_released(keys: IdempotencyKeys) -> None:
    await keys.claim(ORGANISATION, "k", "a", NOON)
    late = NOON + CLAIM_LIFETIME
    await keys.claim(ORGANISATION, "k", "a", late)
    await keys.discard(ORGANISATION, "k", NOON)
    await keys.release(ORGANISATION, "k", NOON)
    assert await keys.claim(ORGANISATION, "k", "a", late) == Claim(ClaimState.UNDER_WAY, NOON)


async def test_expired_keys_of_every_organisation_are_deleted(database: AsyncEngine) -> None:
    keys = DatabaseIdempotencyKeys(database)
    await keys.claim(ORGANISATION, "k", "a", NOON)
    await keys.claim(STRANGER, "k", "a", NOON + KEY_LIFETIME)
    async with transaction(database) as rows:
        assert (await rows.exec(select(IdempotencyKeyRow.organisation_id))).all() == [STRANGER]


@pytest.mark.parametrize("erased_first", [True, False])
async def test_the_answer_about_an_erased_session_is_erased(database: AsyncEngine, erased_first: bool) -> None:
    keys, rows = DatabaseIdempotencyKeys(database), DatabaseSessionRows(database)
    await keys.claim(ORGANISATION, "k", "a", NOON)
    if erased_first:
        await rows.erase(ORGANISATION, SESSION, NOON)
    await keys.store_answer(ORGANISATION, "k", SESSION, '{"name": "Ada"}')
    await rows.erase(ORGANISATION, SESSION, NOON)
    assert await keys.claim(ORGANISATION, "k", "a", NOON) == Claim(ClaimState.ERASED, NOON)
    assert await keys.claim(ORGANISATION, "k", "b", NOON) == Claim(ClaimState.OTHER_REQUEST, NOON)
    async with transaction(database) as found:
        assert (await found.exec(select(IdempotencyKeyRow.key))).all() == [digest(b"k")]
