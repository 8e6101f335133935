"""Requests with an `Idempotency-Key`."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto
from typing import Protocol

from domain.shared.ids import OrganisationId, SessionId


class ClaimState(Enum):
    """The state of the request with a key."""

    FIRST = auto()  # the key is new: the caller executes the request
    AGAIN = auto()  # an earlier attempt stored no answer: the caller executes the request again
    UNDER_WAY = auto()  # another caller executes it
    ANSWERED = auto()  # it was executed
    ERASED = auto()  # it was executed, and its session was permanently deleted since
    OTHER_REQUEST = auto()  # the key belongs to another request


@dataclass(frozen=True, slots=True)
class Claim:
    """The claim of a key. `since` is its first use; `answer` the stored response body."""

    state: ClaimState
    since: datetime
    answer: str | None = None


class IdempotencyKeys(Protocol):
    """Requests by `Idempotency-Key`, and their answers, for 24 hours (Specification 10.5)."""

    async def claim(self, organisation_id: OrganisationId, key: str, request_sha256: str, at: datetime) -> Claim:
        """Claims the request for the caller. Of concurrent callers only one executes it. Durable when this returns."""

    async def store_answer(
        self, organisation_id: OrganisationId, key: str, session_id: SessionId | None, answer: str
    ) -> None:
        """Stores the first answer of the request, with its session if it has one; but none about an erased session."""

    async def renew(self, organisation_id: OrganisationId, key: str, tried_at: datetime, at: datetime) -> bool:
        """Extends the claim of `tried_at` to `at` plus `CLAIM_LIFETIME`; false if another caller has claimed since."""

    async def release(self, organisation_id: OrganisationId, key: str, tried_at: datetime) -> None:
        """Releases the claim, so that the next caller executes the request, unless it was claimed since `tried_at`."""

    async def discard(self, organisation_id: OrganisationId, key: str, tried_at: datetime) -> None:
        """Deletes the key of a request that did nothing. Has no effect if another caller has claimed it since."""
