"""What the database promises about requests with an `Idempotency-Key`."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Protocol

from domain.shared.ids import OrganisationId, SessionId

KEPT_FOR = timedelta(hours=24)
"""How long a key stands for one request (Specification 10.5)."""

TRIED_FOR = timedelta(seconds=10)
"""A claim that was not renewed for so long is given to the next one who comes: the process that had it has died."""


class ClaimState(Enum):
    """What has come of the request under a key."""

    FIRST = auto()  # nobody has used the key: the caller is to do what is asked for
    AGAIN = auto()  # an earlier try got no answer through, and may have done all of it: the caller is to do it again
    UNDER_WAY = auto()  # somebody else is at work on it
    ANSWERED = auto()  # it was done
    ERASED = auto()  # it was done, and its session was deleted for ever since
    OTHER_REQUEST = auto()  # the key stands for another request


@dataclass(frozen=True, slots=True)
class Claim:
    """What a key stands for. `since` is when it was used first; `answer` the body that was answered."""

    state: ClaimState
    since: datetime
    answer: str | None = None


class IdempotencyKeys(Protocol):
    """What was asked for under which `Idempotency-Key`, and what was answered; for 24 hours (Specification 10.5)."""

    async def claim(self, organisation_id: OrganisationId, key: str, request_sha256: str, at: datetime) -> Claim:
        """Of all who come with one request under one key, one at a time is told to do it; durable when this returns."""
        ...

    async def store_answer(
        self, organisation_id: OrganisationId, key: str, session_id: SessionId | None, answer: str
    ) -> None:
        """The request was done, to that session, if to any.

        The first answer is kept; none about a session that was erased.
        """
        ...

    async def renew(self, organisation_id: OrganisationId, key: str, tried_at: datetime, at: datetime) -> bool:
        """Keeps the claim of `tried_at` for another `TRIED_FOR` from `at` on; false if somebody else has it by now."""
        ...

    async def release(self, organisation_id: OrganisationId, key: str, tried_at: datetime) -> None:
        """The request may have been done or not; the next one to come tries it again at once.

        No effect when somebody else has been told to do it since `tried_at`, the time of the claim or its renewal.
        """
        ...

    async def discard(self, organisation_id: OrganisationId, key: str, tried_at: datetime) -> None:
        """Nothing was done; the key is free for any request. No effect when somebody else is at work by now."""
        ...
