"""Acts on a session whose own run has ended: archive, restore, delete for ever.

Its row is the truth then. Each act reads it, takes the step and writes it back, one after another, in a short run of
its own; the run that is the signed record is never touched.
"""

import asyncio
from collections.abc import Callable

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from activities import interface
    from domain.callbacks import callback_of_deletion, callbacks_of
    from domain.errors import SessionNotFound, SigningError
    from domain.events import Occasion
    from domain.session import Session, Step
    from workflows import policies
    from workflows.burial import begin_erasure, bury
    from workflows.enduring import enduring
    from workflows.messages import ActRequest, ClosedStart, HandOutRequest
    from workflows.recording import record


@workflow.defn(name="ClosedSession", failure_exception_types=[SigningError])
class ClosedSessionWorkflow:
    """Lives for as long as acts are under way. Started along with the first of them."""

    @workflow.init
    def __init__(self, start: ClosedStart) -> None:
        self._start = start
        self._one_at_a_time = asyncio.Lock()
        self._acts = 0

    @workflow.run
    async def run(self, start: ClosedStart) -> None:  # noqa: ARG002  # the signature of `__init__`, as the SDK asks
        await enduring(workflow.wait_condition(lambda: self._acts > 0 and workflow.all_handlers_finished()))

    @workflow.update(description="To cancelled.")
    async def archive(self, request: ActRequest) -> Session:
        return await self._act(lambda session: session.archive(_now(request.occasion)))

    @workflow.update(description="Cancelled to where it was.")
    async def restore(self, request: ActRequest) -> Session:
        return await self._act(lambda session: session.restore(_now(request.occasion)))

    @workflow.update(description="Signed documents or the certificate go to somebody.")
    async def hand_out(self, request: HandOutRequest) -> Session:
        return await self._act(lambda session: session.hand_out(request.wanted, _now(request.occasion)))

    @workflow.update(description="Deletes the session for ever.")
    async def erase(self, request: ActRequest) -> Session:
        self._acts += 1
        async with self._one_at_a_time:
            session = await self._load()
            erased = session.erase(_now(request.occasion)).session
            await bury(erased, callback_of_deletion(erased, session.status))
            await begin_erasure(erased)
            return erased

    async def _act(self, act: Callable[[Session], Step]) -> Session:
        self._acts += 1
        async with self._one_at_a_time:
            session = await self._load()
            if not session.is_final:
                raise SessionNotFound  # it should be running, and is not: only deleting can be done about that
            step = act(session)
            if step.session == session:
                return session
            after = step.session.revised()
            await record(after, step.events, callbacks_of(session, step.session, step.events), is_awaited=True)
            return after

    async def _load(self) -> Session:
        """The row, kept in the history: taken up after a crash, the act goes on from what it had found."""
        loaded = await workflow.execute_activity(
            interface.load_session,
            interface.LoadRequest(organisation_id=self._start.organisation_id, session_id=self._start.session_id),
            start_to_close_timeout=policies.AWAITED_TIMEOUT,
            retry_policy=policies.RECORD_RETRY,
            summary="Load the row",
        )
        if loaded.session is None:
            raise SessionNotFound
        return loaded.session


def _now(occasion: Occasion) -> Occasion:
    return occasion.model_copy(update={"at": workflow.now()})
