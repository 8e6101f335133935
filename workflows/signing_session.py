"""One session: one durable workflow, `session/<sessionId>`, started by the API when a draft is made.

The rules are in `domain.session`. Handlers take a step and answer; `Life` has the effects and the clocks that the
session's state calls for; the main loop keeps both going until the session's story is over or it is erased.
"""

import asyncio

from temporalio import workflow
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from domain.callbacks import callback_of_deletion
    from domain.errors import LinkNotValid, SigningError
    from domain.events import Occasion
    from domain.session import Session
    from workflows.burial import begin_erasure, bury
    from workflows.enduring import is_asked_for
    from workflows.life import Life
    from workflows.messages import (
        ActRequest,
        DeclineRequest,
        HandOutRequest,
        InviteRequest,
        RecipientActRequest,
        SessionStart,
        SignRequest,
    )


@workflow.defn(name="SigningSession", failure_exception_types=[SigningError])
class SigningSessionWorkflow:
    """Holds the life of one session."""

    @workflow.init
    def __init__(self, start: SessionStart) -> None:
        self._life = Life(start)
        self._is_buried = False

    @property
    def _session(self) -> Session:
        return self._life.session

    @workflow.run
    async def run(self, start: SessionStart) -> Session | None:
        """Ends some time after the session's story is over, with the session as it is then; None when it was erased."""
        if start.send_immediately is not None:
            self._life.apply(self._session.send(self._now(start.send_immediately)))
        try:
            return await self._live()
        except (asyncio.CancelledError, ActivityError) as error:
            if not is_asked_for(error):
                raise
        return await self._live()

    async def _live(self) -> Session | None:
        """Takes up whatever is due: again from the start, if need be. In no task of its own, where the order of things
        would be another one than in the histories of before.
        """
        while True:
            await workflow.wait_condition(self._has_something_to_do)
            if self._session.is_erased:
                await self._disappear()
                return None
            if self._is_over():
                return self._session
            if self._should_continue():
                await self._life.rest()
                if workflow.all_handlers_finished():
                    workflow.continue_as_new(self._life.continued())
            self._life.attend()

    async def _disappear(self) -> None:
        await bury(self._session, callback_of_deletion(self._session, self._session.status))
        self._is_buried = True
        await self._life.rest()
        await workflow.wait_condition(workflow.all_handlers_finished)
        await begin_erasure(self._session)

    def _has_something_to_do(self) -> bool:
        return self._session.is_erased or self._is_over() or self._life.needs_attention() or self._should_continue()

    def _is_over(self) -> bool:
        return self._life.is_over and workflow.all_handlers_finished()

    def _should_continue(self) -> bool:
        """Whether the history has become long, and this is a good moment to go on with a new one."""
        return workflow.info().is_continue_as_new_suggested() and workflow.all_handlers_finished()

    # What the organisation and the recipients do

    @workflow.update(description="Answers when the session is in the projection.")
    async def ready(self) -> Session:
        return await self._life.projected()

    @workflow.update(description="Draft to pending.")
    async def send(self, request: ActRequest) -> Session:
        return await self._life.take(self._session.send(self._now(request.occasion)))

    @send.validator
    def _may_send(self, request: ActRequest) -> None:
        self._session.send(self._now(request.occasion))

    @workflow.update(description="A recipient opens the documents.")
    async def view(self, request: RecipientActRequest) -> Session:
        return await self._life.take(self._session.view(request.recipient_id, self._now(request.occasion)))

    @view.validator
    def _may_view(self, request: RecipientActRequest) -> None:
        self._check_link(request)
        self._session.view(request.recipient_id, self._now(request.occasion))

    @workflow.update(description="A recipient's fields and signature.")
    async def sign(self, request: SignRequest) -> Session:
        step = self._session.sign(request.recipient_id, request.submission, self._now(request.occasion))
        return await self._life.take(step)

    @sign.validator
    def _may_sign(self, request: SignRequest) -> None:
        self._check_link(request)
        self._session.check_may_act(request.recipient_id, workflow.now())

    @workflow.update(description="A recipient refuses to sign.")
    async def decline(self, request: DeclineRequest) -> Session:
        step = self._session.decline(request.recipient_id, request.reason, self._now(request.occasion))
        return await self._life.take(step)

    @decline.validator
    def _may_decline(self, request: DeclineRequest) -> None:
        self._check_link(request)
        self._session.check_may_act(request.recipient_id, workflow.now())

    @workflow.update(description="One more invitation, which replaces the earlier link.")
    async def invite(self, request: InviteRequest) -> Session:
        return await self._life.take(self._session.invite(request.recipient_id, self._now(request.occasion)))

    @invite.validator
    def _may_invite(self, request: InviteRequest) -> None:
        self._session.invite(request.recipient_id, self._now(request.occasion))

    @workflow.update(description="Any status to cancelled.")
    async def archive(self, request: ActRequest) -> Session:
        return await self._life.take(self._session.archive(self._now(request.occasion)))

    @archive.validator
    def _may_archive(self, request: ActRequest) -> None:
        self._session.archive(self._now(request.occasion))

    @workflow.update(description="Cancelled to where it was.")
    async def restore(self, request: ActRequest) -> Session:
        return await self._life.take(self._session.restore(self._now(request.occasion)))

    @restore.validator
    def _may_restore(self, request: ActRequest) -> None:
        self._session.restore(self._now(request.occasion))

    @workflow.update(description="Signed documents or the certificate go to somebody.")
    async def hand_out(self, request: HandOutRequest) -> Session:
        return await self._life.take(self._session.hand_out(request.wanted, self._now(request.occasion)))

    @hand_out.validator
    def _may_hand_out(self, request: HandOutRequest) -> None:
        self._session.hand_out(request.wanted, self._now(request.occasion))

    @workflow.update(description="Deletes the session for ever.")
    async def erase(self, request: ActRequest) -> Session:
        self._life.apply(self._session.erase(self._now(request.occasion)))
        await workflow.wait_condition(lambda: self._is_buried)
        return self._session

    @erase.validator
    def _may_erase(self, request: ActRequest) -> None:
        self._session.erase(self._now(request.occasion))

    def _now(self, occasion: Occasion) -> Occasion:
        return occasion.model_copy(update={"at": workflow.now()})

    def _check_link(self, request: RecipientActRequest) -> None:
        if self._session.recipient_by_link(request.link_hash).recipient_id != request.recipient_id:
            raise LinkNotValid
