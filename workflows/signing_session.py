"""The life of one session: one durable workflow, `session/<sessionId>`, started by the API when a draft is made.

The rules are in `domain.session`. This adds time, waiting and effects: handlers take a step and answer; the main loop
keeps running whatever the session's state says is due (the projection, invitations, signed PDFs) until the session is
erased. Because what is due is read off the state, a crash, an archive or a restore at any point needs no code of its
own.
"""

import contextlib
from collections.abc import Callable

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from activities import interface
    from domain.errors import LinkNotValid, SigningError
    from domain.events import Event, Occasion
    from domain.ids import FileId, RecipientId
    from domain.session import Session, Step
    from workflows import policies, search_attributes
    from workflows.chores import Chore, Chores
    from workflows.details import current_details
    from workflows.effects import erase_request, generate_request, invitation_request, link_request
    from workflows.messages import (
        ActRequest,
        DeclineRequest,
        InviteRequest,
        RecipientActRequest,
        SessionStart,
        SignRequest,
    )


@workflow.defn(name="SigningSession", failure_exception_types=[SigningError])
class SigningSessionWorkflow:
    """Holds the current session. Every change goes through `_apply`."""

    @workflow.init
    def __init__(self, start: SessionStart) -> None:
        self._session = start.session
        self._unrecorded: tuple[Event, ...] = start.events
        self._recorded_revision = -1
        self._erased = False
        self._chores = Chores()
        workflow.set_current_details(current_details(self._session))

    @workflow.run
    async def run(self, start: SessionStart) -> None:
        if start.send_immediately is not None:
            self._apply(self._session.send(self._now(start.send_immediately)))
        while not self._session.is_erased:
            await workflow.wait_condition(lambda: self._session.is_erased or not self._chores.are(self._due()))
            self._chores.become(self._due())
        await self._chores.stop()
        await workflow.execute_activity(
            interface.erase_session,
            erase_request(self._session),
            start_to_close_timeout=policies.ERASE_TIMEOUT,
            retry_policy=policies.ERASE_RETRY,
            summary="Erase objects and rows",
        )
        self._erased = True
        await workflow.wait_condition(workflow.all_handlers_finished)

    # What the organisation and the recipients do

    @workflow.query
    def snapshot(self) -> Session:
        """The session as it is now."""
        return self._session

    @workflow.update(description="Answers when the session is in the projection.")
    async def ready(self) -> Session:
        return await self._projected()

    @workflow.update(description="Draft to pending.")
    async def send(self, request: ActRequest) -> Session:
        return await self._take(self._session.send(self._now(request.occasion)))

    @send.validator
    def _may_send(self, request: ActRequest) -> None:
        self._session.send(self._now(request.occasion))

    @workflow.update(description="A recipient opens the documents.")
    async def view(self, request: RecipientActRequest) -> Session:
        return await self._take(self._session.view(request.recipient_id, self._now(request.occasion)))

    @view.validator
    def _may_view(self, request: RecipientActRequest) -> None:
        self._check_link(request)
        self._session.view(request.recipient_id, self._now(request.occasion))

    @workflow.update(description="A recipient's fields and signature.")
    async def sign(self, request: SignRequest) -> Session:
        step = self._session.sign(request.recipient_id, request.submission, self._now(request.occasion))
        return await self._take(step)

    @sign.validator
    def _may_sign(self, request: SignRequest) -> None:
        self._check_link(request)
        self._session.check_may_act(request.recipient_id, workflow.now())

    @workflow.update(description="A recipient refuses to sign.")
    async def decline(self, request: DeclineRequest) -> Session:
        step = self._session.decline(request.recipient_id, request.reason, self._now(request.occasion))
        return await self._take(step)

    @decline.validator
    def _may_decline(self, request: DeclineRequest) -> None:
        self._check_link(request)
        self._session.check_may_act(request.recipient_id, workflow.now())

    @workflow.update(description="One more invitation, which replaces the earlier link.")
    async def invite(self, request: InviteRequest) -> Session:
        return await self._take(self._session.invite(request.recipient_id, self._now(request.occasion)))

    @invite.validator
    def _may_invite(self, request: InviteRequest) -> None:
        self._session.invite(request.recipient_id, self._now(request.occasion))

    @workflow.update(description="Any status to cancelled.")
    async def archive(self, request: ActRequest) -> Session:
        return await self._take(self._session.archive(self._now(request.occasion)))

    @archive.validator
    def _may_archive(self, request: ActRequest) -> None:
        self._session.archive(self._now(request.occasion))

    @workflow.update(description="Cancelled to where it was.")
    async def restore(self, request: ActRequest) -> Session:
        return await self._take(self._session.restore(self._now(request.occasion)))

    @restore.validator
    def _may_restore(self, request: ActRequest) -> None:
        self._session.restore(self._now(request.occasion))

    @workflow.update(description="Deletes the session for ever.")
    async def erase(self, request: ActRequest) -> Session:
        self._apply(self._session.erase(self._now(request.occasion)))
        await self._wait_a_little(lambda: self._erased)
        return self._session

    @erase.validator
    def _may_erase(self, request: ActRequest) -> None:
        self._session.erase(self._now(request.occasion))

    # What is due

    def _due(self) -> dict[str, Chore]:
        """Every effect that the state of the session calls for and that has not been had yet."""
        due: dict[str, Chore] = {}
        if self._recorded_revision < self._session.revision:
            due["record"] = self._record
        for recipient in self._session.recipients:
            if recipient.awaits_delivery:
                number = recipient.invitation.number
                due[f"invite {recipient.recipient_id} {number}"] = self._inviting(recipient.recipient_id)
        if self._session.needs_documents:
            for file in self._session.files:
                if file.signed is None:
                    due[f"generate {file.file_id}"] = self._generating(file.file_id)
        return due

    async def _record(self) -> None:
        session, events = self._session, self._unrecorded
        await workflow.execute_local_activity(
            interface.record_session,
            interface.RecordRequest(session=session, events=events),
            start_to_close_timeout=policies.RECORD_TIMEOUT,
            retry_policy=policies.RECORD_RETRY,
            local_retry_threshold=policies.RECORD_RETRY_BY_TIMER,
            summary=f"Record revision {session.revision}",
        )
        self._recorded_revision = session.revision
        self._unrecorded = self._unrecorded[len(events) :]

    def _inviting(self, recipient_id: RecipientId) -> Chore:
        async def invite() -> None:
            recipient = self._session.recipient(recipient_id)
            number = recipient.invitation.number
            issued = await workflow.execute_local_activity(
                interface.issue_link,
                link_request(self._session, recipient),
                start_to_close_timeout=policies.LINK_TIMEOUT,
                summary=f"Make link {number} of {recipient.key}",
            )
            self._become(self._session.with_link(recipient_id, number, issued.link_hash))
            await workflow.execute_activity(
                interface.send_invitation,
                invitation_request(self._session, self._session.recipient(recipient_id)),
                start_to_close_timeout=policies.MAIL_TIMEOUT,
                retry_policy=policies.MAIL_RETRY,
                summary=f"Invite {recipient.key}",
            )
            self._become(self._session.with_delivery(recipient_id, number))

        return invite

    def _generating(self, file_id: FileId) -> Chore:
        async def generate() -> None:
            file = self._session.file(file_id)
            document = await workflow.execute_activity(
                interface.generate_document,
                generate_request(self._session, file),
                task_queue=interface.DOCUMENTS_QUEUE,
                start_to_close_timeout=policies.GENERATE_TIMEOUT,
                heartbeat_timeout=policies.GENERATE_HEARTBEAT,
                retry_policy=policies.GENERATE_RETRY,
                cancellation_type=workflow.ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
                summary=f"Generate {file.file_name}",
            )
            by_system = Occasion.of_system(workflow.now())
            self._apply(self._session.add_signed_document(file_id, document.signed, by_system))

        return generate

    # Changing and waiting

    def _now(self, occasion: Occasion) -> Occasion:
        return occasion.model_copy(update={"at": workflow.now()})

    def _check_link(self, request: RecipientActRequest) -> None:
        if self._session.recipient_by_link(request.link_hash).recipient_id != request.recipient_id:
            raise LinkNotValid

    async def _take(self, step: Step) -> Session:
        self._apply(step)
        return await self._projected()

    def _apply(self, step: Step) -> None:
        self._unrecorded += step.events
        if step.session != self._session:
            self._become(step.session)

    def _become(self, session: Session) -> None:
        if session.status is not self._session.status:
            workflow.upsert_search_attributes([search_attributes.SESSION_STATUS.value_set(session.status.value)])
        self._session = session.revised()
        workflow.set_current_details(current_details(self._session))

    async def _projected(self) -> Session:
        revision = self._session.revision
        await self._wait_a_little(lambda: self._recorded_revision >= revision)
        return self._session

    async def _wait_a_little(self, until: Callable[[], bool]) -> None:
        with contextlib.suppress(TimeoutError):
            await workflow.wait_condition(until, timeout=policies.PROJECTION_WAIT, timeout_summary="Projection is late")
