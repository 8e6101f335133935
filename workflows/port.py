"""What everybody outside the workflows may ask of sessions; `client` does it on Temporal, tests have a fake."""

from typing import Protocol

from domain.ids import OrganisationId, SessionId
from domain.session import Session
from domain.waiting import Retry
from workflows.messages import (
    ActRequest,
    DeclineRequest,
    HandOutRequest,
    InviteRequest,
    RecipientActRequest,
    SessionStart,
    SignRequest,
)


class Sessions(Protocol):
    """Sessions, running or closed; `snapshot` and acts of recipients are for running ones.

    Every method raises a `domain.errors.SigningError`: the refusal of the act itself, `SessionNotFound` when there is
    no such session, `Unavailable` when Temporal or its workers do not answer in time.
    """

    async def start(self, start: SessionStart) -> Session:
        """Starts the session durably. Answers with it as soon as it is recorded, or as it was given after 3 s.

        One of that id that was started before goes on as it is, and is the answer.
        """
        ...

    async def snapshot(self, session_id: SessionId) -> Session:
        """The session as it is now."""
        ...

    async def retries(self, session_id: SessionId) -> tuple[Retry, ...]:
        """What is being tried again for the session. Never fails: what cannot be learned in 2 s is left out."""
        ...

    async def send(self, session_id: SessionId, request: ActRequest, update_id: str | None = None) -> Session:
        """Draft to pending. What was done under the same `update_id` before is not done again, but answered again."""
        ...

    async def invite(self, session_id: SessionId, request: InviteRequest, update_id: str | None = None) -> Session:
        """One more invitation; `update_id` as with `send`."""
        ...

    async def archive(self, organisation_id: OrganisationId, session_id: SessionId, request: ActRequest) -> Session: ...

    async def restore(self, organisation_id: OrganisationId, session_id: SessionId, request: ActRequest) -> Session: ...

    async def erase(self, organisation_id: OrganisationId, session_id: SessionId, request: ActRequest) -> Session: ...

    async def hand_out(
        self, organisation_id: OrganisationId, session_id: SessionId, request: HandOutRequest
    ) -> Session:
        """Records who gets which copies, as far as they had not got them before."""
        ...

    async def view(self, session_id: SessionId, request: RecipientActRequest) -> Session: ...

    async def sign(self, session_id: SessionId, request: SignRequest) -> Session: ...

    async def decline(self, session_id: SessionId, request: DeclineRequest) -> Session: ...
