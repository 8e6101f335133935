"""The workflow of one sent session, `session/<sessionId>`.

The rules are in `domain.session.session`. An update handler applies a transition and returns the new session at once.
All other work follows from the state, so a crash, an archive, a restore or a continued run needs no code of its own:

    a transition, or emails are due   -> `record_and_send`, once
    a record or an email failed       -> `record_session`, `send_...`: retried until they succeed
    all recipients have signed        -> `generate_document` for each file
    a seal can be augmented           -> `augment_seal`
    a pending reminder or the expiry  -> a timer

The run ends when the session is final and no work is due. From then on, the database holds the session
(`application.session_actions`).
"""

import asyncio
import contextlib
from datetime import datetime
from functools import reduce

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from activities.interface import (
        EmailRequest,
        InvitationRequest,
        OutcomeMailRequest,
        RecordAndSendRequest,
        RecordedAndSent,
        RecordRequest,
    )
    from domain.audit.events import AuditContext
    from domain.callbacks.callback import callbacks_of
    from domain.ports.session_requests import (
        ActionResult,
        SessionStart,
    )
    from domain.session.refused_mails import fail_outcome_mail
    from domain.session.session import Session, Transition
    from domain.session.status import OPEN_FOR_SIGNING
    from domain.shared.errors import AlreadyArchived, NotDue
    from domain.shared.ids import FileId
    from workflows.activity_options import (
        augment_seal,
        generate,
        record_and_send,
        record_session,
        send_mail,
    )
    from workflows.session.email_requests import ACTIVITIES, capitalised, due_emails, sent, summary_of
    from workflows.session.ignore_cancellation import is_cancellation_request
    from workflows.session.session_updates import SessionUpdates
    from workflows.session.task_reconciler import TaskBody, TaskReconciler
    from workflows.session.ui_details import SESSION_STATUS, SESSION_WAITS_FOR, current_details, waits_for


@workflow.defn(name="SigningSession")
class SigningSessionWorkflow(SessionUpdates):
    """Holds the session, applies updates to it, and runs the tasks that its state requires."""

    @workflow.init
    def __init__(self, start: SessionStart) -> None:
        self._session = start.session
        self._last_revision = max(start.last_revision, start.session.revision)
        # Events and callbacks that may not be in the database; whether to record them; whether recording has failed.
        self._events, self._callbacks = start.events, start.callbacks
        self._must_record = workflow.info().continued_run_id is not None
        self._record_failed = False
        # Emails that are being sent with a record, and those that failed there, which have activities of their own.
        self._running_records: dict[str, TaskBody] = {}
        self._emails_in_flight: set[str] = set()
        self._failed_emails: dict[str, EmailRequest] = {}
        self._tasks = TaskReconciler()
        self._cancel_requested = False
        self._shows_cause = workflow.info().typed_search_attributes.get(SESSION_WAITS_FOR) is not None
        self._set_session(start.session)

    @workflow.run
    async def run(self, start: SessionStart) -> Session:  # noqa: ARG002  # that of `__init__`, as the SDK requires
        """Returns the session when it is final and no work is left."""
        while True:
            try:
                await workflow.wait_condition(self._needs_wakeup)
                if self._should_continue():
                    await self._tasks.cancel_all()
                    if workflow.all_handlers_finished():
                        workflow.continue_as_new(self._continue_as_new_input())
            except asyncio.CancelledError as error:
                if not is_cancellation_request(error):
                    raise
                self._cancel()
            if self._is_over():
                return self._session
            self._reconcile()

    def _needs_wakeup(self) -> bool:
        return (
            self._should_record()
            or not self._tasks.is_reconciled(self._due_tasks)
            or self._is_over()
            or self._should_continue()
        )

    def _is_over(self) -> bool:
        is_idle = not self._due_tasks and not self._is_behind() and workflow.all_handlers_finished()
        return is_idle and self._session.is_final and not self._session.has_pending_outcome_mails

    def _should_continue(self) -> bool:
        """Whether the history is long and no handler or record is running, so that the run can be continued as new."""
        is_quiet = workflow.all_handlers_finished() and not self._running_records
        return is_quiet and workflow.info().is_continue_as_new_suggested()

    def _continue_as_new_input(self) -> SessionStart:
        return SessionStart(
            session=self._session, events=self._events, callbacks=self._callbacks, last_revision=self._last_revision
        )

    def _cancel(self) -> None:
        """Archives the session on a cancellation request. The run continues, so that the session can be restored."""
        self._cancel_requested = True
        try:
            self._commit(self._session.archive(self._by_system()))
        except AlreadyArchived:
            self._set_session(self._session)  # updates the current details
            self._show_status()

    def _by_system(self) -> AuditContext:
        return AuditContext.of_system(workflow.now())

    def _commit(self, step: Transition, *, must_record: bool = True) -> ActionResult:
        if step.session != self._session:
            self._events += step.events
            self._callbacks += callbacks_of(self._session, step.session, step.events)
            self._must_record |= must_record
            self._set_session(self._with_next_revision(step.session))
        return ActionResult(session=self._session, events=self._events, callbacks=self._callbacks)

    def _with_next_revision(self, session: Session) -> Session:
        self._last_revision += 1
        return session.model_copy(update={"revision": self._last_revision})

    def _set_session(self, session: Session) -> None:
        was = self._session.status
        self._session = session
        if session.status is not was:
            self._show_status()
        workflow.set_current_details(current_details(session, was_cancelled=self._cancel_requested))
        self._plan()

    def _show_status(self) -> None:
        """Writes the status into the search attributes, so that the workflow task has a command.

        A task that only receives a result may be replayed as part of the next one (docs/decisions/0035). Replay does
        not compare the attributes, so that the same command writes what the session waits for, in runs that began so.
        """
        attributes = [SESSION_STATUS.value_set(self._session.status.value)]
        if self._shows_cause:
            attributes.append(SESSION_WAITS_FOR.value_set(waits_for(self._session)))
        workflow.upsert_search_attributes(attributes)

    def _plan(self) -> None:
        """Computes the due emails and tasks. Called after every change of the session."""
        emails = due_emails(self._session)
        self._failed_emails = {name: email for name, email in self._failed_emails.items() if name in emails}
        self._new_emails = {
            n: email for n, email in emails.items() if n not in self._failed_emails and n not in self._emails_in_flight
        }
        self._due_tasks = {
            **self._running_records,
            **{name: self._mail_task(name, email) for name, email in self._failed_emails.items()},
            **self._document_tasks(),
            **self._seal_tasks(),
            **self._timers(),
        }
        if self._record_failed:
            self._due_tasks["record"] = self._record

    def _document_tasks(self) -> dict[str, TaskBody]:
        if not self._session.needs_documents:
            return {}
        return {
            f"generate {f.file_id}": self._generate_task(f.file_id) for f in self._session.files if f.signed is None
        }

    def _seal_tasks(self) -> dict[str, TaskBody]:
        return {f"raise {f.file_id} {f.seal_level}": self._augment_task(f.file_id) for f in self._session.due_seals}

    def _timers(self) -> dict[str, TaskBody]:
        if self._session.status not in OPEN_FOR_SIGNING:
            return {}
        clocks = {"Next reminder": self._session.next_reminder_at, "Expiry": self._session.expires_at}
        return {f"{name} at {time}": self._timer_task(time, name) for name, time in clocks.items() if time}

    def _is_behind(self) -> bool:
        """Whether a record or emails are due. A record waits until the signed documents exist."""
        must_record = self._must_record and not self._record_failed and not self._session.needs_documents
        return bool(self._new_emails) or must_record

    def _should_record(self) -> bool:
        """Whether to record now. A long history is continued as new first, which waits for running records."""
        return self._is_behind() and not workflow.info().is_continue_as_new_suggested()

    def _reconcile(self) -> None:
        """Starts the due record and tasks, and cancels tasks that are no longer due."""
        if self._should_record():
            name = f"record revision {self._session.revision} and send {', '.join(self._new_emails)}"
            self._running_records[name] = self._record_and_send_task(name)
            self._emails_in_flight |= self._new_emails.keys()
            self._must_record = False
            self._plan()
        if self._tasks.reconcile(self._due_tasks):
            self._show_status()

    def _record_and_send_task(self, name: str) -> TaskBody:
        session, emails, revision = self._session, self._new_emails, self._with_next_revision(self._session).revision
        request = RecordAndSendRequest(
            session=session, events=self._events, callbacks=self._callbacks, emails=emails, revision=revision
        )

        async def work() -> None:
            done = await record_and_send(request, summary_of(request))
            del self._running_records[name]
            self._emails_in_flight -= emails.keys()
            self._apply_results(request, done)

        return work

    def _apply_results(self, request: RecordAndSendRequest, done: RecordedAndSent) -> None:
        """Applies the results to the session. If it has not changed meanwhile, the row holds them already."""
        now = workflow.now()
        after = reduce(lambda session, name: sent(session, request.emails[name], now), done.sent, self._session)
        is_latest = self._session.revision == request.session.revision
        if done.is_recorded:
            self._drop_recorded(request)
        if is_latest and done.is_recorded:
            after = after.model_copy(update={"revision": request.revision})
        elif after != self._session:
            after, self._must_record = self._with_next_revision(after), True
        self._record_failed |= not done.is_recorded
        left = request.emails.keys() - set(done.sent) - done.refused.keys()
        self._failed_emails |= {name: email for name, email in request.emails.items() if name in left}
        self._set_session(after)
        for name, answer in done.refused.items():
            self._mark_rejected(request.emails[name], answer)

    def _drop_recorded(self, recorded: RecordRequest) -> None:
        """Drops the events and callbacks that are in the database."""
        last = recorded.session.sequence
        self._events = tuple(event for event in self._events if event.sequence > last)
        self._callbacks = tuple(callback for callback in self._callbacks if callback.sequence > last)

    async def _record(self) -> None:
        request = RecordRequest(session=self._session, events=self._events, callbacks=self._callbacks)
        await record_session(request, f"Record revision {request.session.revision} when the database is back")
        self._drop_recorded(request)
        if self._session.revision == request.session.revision:
            self._record_failed = self._must_record = False
            self._plan()

    def _mail_task(self, name: str, email: EmailRequest) -> TaskBody:
        async def work() -> None:
            refusal = await send_mail(ACTIVITIES[email.kind], email, capitalised(name))
            self._failed_emails.pop(name, None)
            if refusal is None:
                self._must_record = True
                self._set_session(self._with_next_revision(sent(self._session, email, workflow.now())))
            else:
                self._mark_rejected(email, refusal)

        return work

    def _mark_rejected(self, email: EmailRequest, answer: str) -> None:
        """Handles an email that the mail server rejected permanently."""
        if isinstance(email, OutcomeMailRequest):
            workflow.logger.warning("an email about the end of the session was refused: %s", email.notice.name)
            self._must_record = True
            # The session was deleted, or this email was recorded before.
            with contextlib.suppress(NotDue):
                self._commit(fail_outcome_mail(self._session, email.notice, answer, self._by_system()))
            return
        link = email.link if isinstance(email, InvitationRequest) else email.invitation.link
        with contextlib.suppress(NotDue):  # the invitation is outdated
            self._commit(self._session.fail_invitation(link.recipient_id, link.invitation, answer, self._by_system()))

    def _generate_task(self, file_id: FileId) -> TaskBody:
        async def work() -> None:
            file = self._session.file(file_id)
            document = await generate(self._session, file)
            by_system = self._by_system()
            self._commit(self._session.add_signed_document(file_id, document.signed, by_system, document.seal))

        return work

    def _augment_task(self, file_id: FileId) -> TaskBody:
        async def work() -> None:
            file = self._session.file(file_id)
            raised = await augment_seal(self._session, file)
            self._commit(self._session.augment_seal(file_id, raised.signed, raised.seal, self._by_system()))

        return work

    def _timer_task(self, time: datetime, summary: str) -> TaskBody:
        """Sleeps until `time`, then applies the expiry or the reminder, whichever is due."""

        async def work() -> None:
            if time > workflow.now():
                await workflow.sleep(time - workflow.now(), summary=summary)
            for clock in (Session.expire, Session.remind):
                # The timer is for one of the two. A change of the session may have moved that one too.
                with contextlib.suppress(NotDue):
                    self._commit(clock(self._session, self._by_system()))

        return work
