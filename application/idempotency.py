"""A request that is sent twice with one key is done once, and answered twice (Specification 10.5).

The key is claimed in the database before anything is stored or started. Everything that the request makes gets its
identifiers from the key and the time of its first use, down to the workflow and the update in it; so a try that
follows one whose answer was lost, at whatever point, finds what is there already and makes nothing twice.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from typing import NamedTuple
from uuid import UUID, uuid4, uuid5

from pydantic import BaseModel

from application.caller import Caller
from application.errors import IdempotencyInProgress, IdempotencyKeyReused, ServiceError
from domain.session.labels import ExternalIdTaken
from domain.shared.errors import SessionNotFound, SigningError, Unavailable
from domain.shared.ids import SessionId, TemplateId
from domain.shared.times import rfc3339, to_milliseconds
from ports.database import DatabaseUnavailable
from ports.idempotency import CLAIM_LIFETIME, Claim, ClaimState, IdempotencyKeys

RENEWED_EVERY = CLAIM_LIFETIME.total_seconds() / 4
"""Seconds after which a request that is under way renews its claim."""


_ERASED = "The session of this Idempotency-Key was deleted for ever; take a new key to make something new."


class Attempt:
    """One try at what a request asks for. `is_repeated`: an earlier one may have done all of it."""

    def __init__(self, identity: UUID, *, is_keyed: bool, is_repeated: bool) -> None:
        self._identity = identity
        self.is_repeated = is_repeated
        self.update_id = str(identity) if is_keyed else None

    @property
    def session_id(self) -> SessionId:
        """Of the session that this request makes: the same in every attempt."""
        return SessionId(str(self._identity))

    @property
    def template_id(self) -> TemplateId:
        """Of the template that this request makes: the same in every attempt."""
        return TemplateId(str(self._identity))


KEY_REFUSALS = (IdempotencyKeyReused, IdempotencyInProgress, SessionNotFound)
"""What a route with an `Idempotency-Key` may refuse for the key alone."""


Act = Callable[[Attempt], Awaitable[tuple[SessionId | None, BaseModel]]]
"""What a request asks for: answers with the session that it was about, if any, and with the body of the answer."""


class Done(NamedTuple):
    """The answer to a request (JSON), and whether it was given before."""

    body: str
    is_replayed: bool = False


class Once:
    """Does what one request asks for, as often as its key allows."""

    def __init__(self, keys: IdempotencyKeys, caller: Caller, key: str | None, request_sha256: str) -> None:
        self._keys = keys
        self._caller = caller
        self._key = key
        self._request_sha256 = request_sha256
        self._at = to_milliseconds(caller.audit.at)

    async def do(self, act: Act) -> Done:
        """The answer of `act`, or the one that was given before.

        Raises:
            IdempotencyKeyReused: the key stands for another request.
            IdempotencyInProgress: the first request of the key is under way.
            SessionNotFound: the session of the first answer was deleted for ever.
        """
        if self._key is None:
            _, shown = await act(Attempt(uuid4(), is_keyed=False, is_repeated=False))
            return Done(shown.model_dump_json())
        claim = await self._keys.claim(self._caller.organisation_id, self._key, self._request_sha256, self._at)
        if claim.state is ClaimState.ANSWERED and claim.answer is not None:
            return Done(claim.answer, is_replayed=True)
        _check(claim)
        return await self._try(self._key, claim, act)

    async def _try(self, key: str, claim: Claim, act: Act) -> Done:
        organisation_id = self._caller.organisation_id
        identity = uuid5(UUID(organisation_id), f"{rfc3339(claim.since)} {key}")
        is_repeated = claim.state is ClaimState.AGAIN
        try:
            async with self._renewing(key):
                session_id, shown = await act(Attempt(identity, is_keyed=True, is_repeated=is_repeated))
        except Exception as error:
            with suppress(DatabaseUnavailable):
                if _did_nothing(error) and not is_repeated:
                    await self._keys.discard(organisation_id, key, self._at)
                else:
                    await self._keys.release(organisation_id, key, self._at)
            raise
        body = shown.model_dump_json()
        with suppress(DatabaseUnavailable):
            # Without it the next try does all of it once more, which makes nothing twice.
            await self._keys.store_answer(organisation_id, key, session_id, body)
        return Done(body)

    @asynccontextmanager
    async def _renewing(self, key: str) -> AsyncIterator[None]:
        """Keeps the claim for as long as the block lasts, so that a long request is not tried beside itself."""
        renewing = asyncio.create_task(self._renew(key))
        try:
            yield
        finally:
            renewing.cancel()
            await asyncio.gather(renewing, return_exceptions=True)

    async def _renew(self, key: str) -> None:
        is_ours = True
        while is_ours:
            await asyncio.sleep(RENEWED_EVERY)
            with suppress(DatabaseUnavailable):
                at = to_milliseconds(datetime.now(UTC))
                is_ours = await self._keys.renew(self._caller.organisation_id, key, self._at, at)
                self._at = at if is_ours else self._at


def _check(claim: Claim) -> None:
    if claim.state is ClaimState.OTHER_REQUEST:
        raise IdempotencyKeyReused
    if claim.state is ClaimState.UNDER_WAY:
        raise IdempotencyInProgress
    if claim.state is ClaimState.ERASED:
        raise SessionNotFound(_ERASED)


def _did_nothing(error: Exception) -> bool:
    return isinstance(error, SigningError | ServiceError | ExternalIdTaken) and not isinstance(error, Unavailable)
