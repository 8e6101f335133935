"""Idempotent requests: a request that is repeated with its key takes effect once (Specification 10.5).

The key is claimed in the database before anything is stored or started. All identifiers, including those of the
workflow and its update, derive from the key and the time of its first use. An attempt after a lost response therefore
finds the existing objects, and creates nothing twice.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from typing import Generic, NamedTuple, TypeVar
from uuid import UUID, uuid4, uuid5

from pydantic import BaseModel

from application.caller import Caller
from application.errors import IdempotencyInProgress, IdempotencyKeyReused, ServiceError
from domain.ports.database import DatabaseUnavailable
from domain.ports.idempotency import Claim, ClaimState, IdempotencyKeys
from domain.session.labels import ExternalIdTaken
from domain.shared.errors import SessionNotFound, SigningError, Unavailable
from domain.shared.ids import BatchId, ClientId, SessionId, TemplateId
from domain.shared.limits import CLAIM_LIFETIME
from domain.shared.times import rfc3339, to_milliseconds

RENEWED_EVERY = CLAIM_LIFETIME.total_seconds() / 4
"""Interval in seconds at which a request in progress renews its claim."""


_ERASED = "The session of this Idempotency-Key was deleted permanently; use a new key to create another."


class Attempt:
    """One attempt at a request. `is_repeated`: an earlier attempt may have completed the request."""

    def __init__(self, identity: UUID, *, is_keyed: bool, is_repeated: bool) -> None:
        self._identity = identity
        self.is_repeated = is_repeated
        self.update_id = str(identity) if is_keyed else None

    @property
    def session_id(self) -> SessionId:
        """Returns the id of the session that the request creates; it is the same in every attempt."""
        return SessionId(str(self._identity))

    @property
    def batch_id(self) -> BatchId:
        """Returns the id of the batch that the request creates; it is the same in every attempt."""
        return BatchId(str(self._identity))

    @property
    def client_id(self) -> ClientId:
        """Returns the id of the API client that the request creates; it is the same in every attempt."""
        return ClientId(str(self._identity))

    @property
    def template_id(self) -> TemplateId:
        """Returns the id of the template that the request creates; it is the same in every attempt."""
        return TemplateId(str(self._identity))


IDEMPOTENCY_ERRORS = (IdempotencyKeyReused, IdempotencyInProgress, SessionNotFound)
"""Errors that concern the idempotency key, not the request."""


M = TypeVar("M", bound=BaseModel)

Handler = Callable[[Attempt], Awaitable[tuple[SessionId | None, M]]]
"""Executes a request. Returns the id of its session, if any, and the response body."""


class IdempotentResult(NamedTuple, Generic[M]):
    """The response body, an `M` as JSON. `is_replayed`: it is the stored body of an earlier response."""

    body: str
    is_replayed: bool = False


class IdempotentRequest:
    """Executes one request of `caller` at most once per key.

    `sha256s` are the digests of the request, of which earlier requests have any.
    """

    def __init__(self, keys: IdempotencyKeys, caller: Caller, key: str | None, *sha256s: str) -> None:
        self._keys = keys
        self.caller = caller
        self._key = key
        self._sha256s = sha256s
        self._at = to_milliseconds(caller.audit.at)

    async def do(self, act: Handler[M]) -> IdempotentResult[M]:
        """Calls `act` and returns its response; returns the stored response if the request has been completed.

        Raises:
            IdempotencyKeyReused: the key belongs to another request.
            IdempotencyInProgress: the first request with the key is in progress.
            SessionNotFound: the session of the first response was deleted permanently.
        """
        if self._key is None:
            _, shown = await act(Attempt(uuid4(), is_keyed=False, is_repeated=False))
            return IdempotentResult(shown.model_dump_json())
        claim = await self._claim(self._key)
        if claim.state is ClaimState.ANSWERED and claim.answer is not None:
            return IdempotentResult(claim.answer, is_replayed=True)
        _check(claim)
        return await self._try(self._key, claim, act)

    async def _claim(self, key: str) -> Claim:
        for sha256 in self._sha256s:
            claim = await self._keys.claim(self.caller.organisation_id, key, sha256, self._at)
            if claim.state is not ClaimState.OTHER_REQUEST:
                return claim
        raise IdempotencyKeyReused

    async def _try(self, key: str, claim: Claim, act: Handler[M]) -> IdempotentResult[M]:
        organisation_id = self.caller.organisation_id
        identity = uuid5(UUID(organisation_id), f"{rfc3339(claim.since)} {key}")
        is_repeated = claim.state is ClaimState.AGAIN
        try:
            async with self._renewing(key):
                session_id, shown = await act(Attempt(identity, is_keyed=True, is_repeated=is_repeated))
        except Exception as error:
            # The caller gets the first error. The claim expires, and a retry then executes the request.
            with suppress(DatabaseUnavailable):
                if _did_nothing(error) and not is_repeated:
                    await self._keys.discard(organisation_id, key, self._at)
                else:
                    await self._keys.release(organisation_id, key, self._at)
            raise
        body = shown.model_dump_json()
        # If this fails, the next attempt executes the request again, which creates nothing twice.
        with suppress(DatabaseUnavailable):
            await self._keys.store_answer(organisation_id, key, session_id, body)
        return IdempotentResult(body)

    @asynccontextmanager
    async def _renewing(self, key: str) -> AsyncIterator[None]:
        """Renews the claim while the block runs, so that a long request is not executed concurrently."""
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
            # The next round renews it: a claim lasts several rounds.
            with suppress(DatabaseUnavailable):
                at = to_milliseconds(datetime.now(UTC))
                is_ours = await self._keys.renew(self.caller.organisation_id, key, self._at, at)
                self._at = at if is_ours else self._at


def _check(claim: Claim) -> None:
    if claim.state is ClaimState.UNDER_WAY:
        raise IdempotencyInProgress
    if claim.state is ClaimState.ERASED:
        raise SessionNotFound(_ERASED)


def _did_nothing(error: Exception) -> bool:
    return isinstance(error, SigningError | ServiceError | ExternalIdTaken) and not isinstance(error, Unavailable)
