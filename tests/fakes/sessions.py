"""Running sessions without Temporal: the same rules, in memory."""

from collections.abc import Callable

from domain.errors import LinkNotValid, SessionNotFound
from domain.ids import OrganisationId, SessionId
from domain.links import link_hash, link_secret
from domain.recipients import ACTIVE
from domain.session import Session, Step
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

LINK_KEY = b"k" * 32


class FakeSessions:
    """Keeps `workflows.port.Sessions`. Links are made at once under `LINK_KEY`; nothing is mailed or generated.

    The runs of the sessions in `closed` have ended: only their organisation can still act on them.
    """

    def __init__(self) -> None:
        self.held: dict[SessionId, Session] = {}
        self.updates: dict[str, Session] = {}
        self.closed: set[SessionId] = set()
        self.retrying: dict[SessionId, tuple[Retry, ...]] = {}

    async def start(self, start: SessionStart) -> Session:
        if start.session.session_id in self.held:
            return self.held[start.session.session_id]
        step = Step(start.session)
        if start.send_immediately:
            step = start.session.send(start.send_immediately)
        return self._hold(step)

    async def snapshot(self, session_id: SessionId) -> Session:
        if session_id in self.closed:
            raise SessionNotFound
        return self._found(session_id)

    async def retries(self, session_id: SessionId) -> tuple[Retry, ...]:
        return self.retrying.get(session_id, ())

    async def send(self, session_id: SessionId, request: ActRequest, update_id: str | None = None) -> Session:
        return await self._once(update_id, session_id, lambda session: session.send(request.occasion))

    async def invite(self, session_id: SessionId, request: InviteRequest, update_id: str | None = None) -> Session:
        return await self._once(
            update_id, session_id, lambda session: session.invite(request.recipient_id, request.occasion)
        )

    async def archive(self, organisation_id: OrganisationId, session_id: SessionId, request: ActRequest) -> Session:
        return await self._act(session_id, lambda session: session.archive(request.occasion), closed_too=True)

    async def restore(self, organisation_id: OrganisationId, session_id: SessionId, request: ActRequest) -> Session:
        return await self._act(session_id, lambda session: session.restore(request.occasion), closed_too=True)

    async def erase(self, organisation_id: OrganisationId, session_id: SessionId, request: ActRequest) -> Session:
        return await self._act(session_id, lambda session: session.erase(request.occasion), closed_too=True)

    async def hand_out(
        self, organisation_id: OrganisationId, session_id: SessionId, request: HandOutRequest
    ) -> Session:
        return await self._act(
            session_id, lambda session: session.hand_out(request.wanted, request.occasion), closed_too=True
        )

    async def view(self, session_id: SessionId, request: RecipientActRequest) -> Session:
        await self._check_link(session_id, request)
        return await self._act(session_id, lambda session: session.view(request.recipient_id, request.occasion))

    async def sign(self, session_id: SessionId, request: SignRequest) -> Session:
        await self._check_link(session_id, request)
        return await self._act(
            session_id, lambda session: session.sign(request.recipient_id, request.submission, request.occasion)
        )

    async def decline(self, session_id: SessionId, request: DeclineRequest) -> Session:
        await self._check_link(session_id, request)
        return await self._act(
            session_id, lambda session: session.decline(request.recipient_id, request.reason, request.occasion)
        )

    async def _check_link(self, session_id: SessionId, request: RecipientActRequest) -> None:
        session = await self.snapshot(session_id)
        if session.recipient_by_link(request.link_hash).recipient_id != request.recipient_id:
            raise LinkNotValid

    async def _once(self, update_id: str | None, session_id: SessionId, act: Callable[[Session], Step]) -> Session:
        if update_id in self.updates:
            return self.updates[update_id]
        session = await self._act(session_id, act)
        if update_id is not None:
            self.updates[update_id] = session
        return session

    async def _act(self, session_id: SessionId, act: Callable[[Session], Step], *, closed_too: bool = False) -> Session:
        return self._hold(act(self._found(session_id) if closed_too else await self.snapshot(session_id)))

    def _found(self, session_id: SessionId) -> Session:
        if session_id not in self.held:
            raise SessionNotFound
        return self.held[session_id]

    def _hold(self, step: Step) -> Session:
        session = step.session
        for recipient in session.recipients:
            if recipient.status in ACTIVE and recipient.invitation.link_hash is None:
                number = recipient.invitation.number
                secret = link_secret(LINK_KEY, session.session_id, recipient.recipient_id, number)
                session = session.with_link(recipient.recipient_id, number, link_hash(secret)).with_delivery(
                    recipient.recipient_id, number
                )
        self.held[session.session_id] = session
        return session
