"""The life of one session inside its workflow: the current state, and the effects and clocks that it calls for.

What is due is read off the state, so that a crash, an archive, a restore or a continued run needs no code of its own.
"""

import contextlib
from collections.abc import Callable
from datetime import datetime

from temporalio import workflow

from activities import interface
from domain.callbacks import callbacks_of
from domain.errors import NotDue, SessionNotFound
from domain.events import Occasion
from domain.ids import FileId
from domain.notices import Notice
from domain.recipients import Recipient
from domain.session import Session, Step
from domain.session_state import OPEN_FOR_SIGNING
from workflows import policies, search_attributes
from workflows.chores import Chore, Chores
from workflows.details import current_details
from workflows.effects import (
    generate_request,
    invitation_request,
    link_request,
    notice_request,
    raise_request,
    reminder_request,
)
from workflows.mails import send_mail
from workflows.messages import SessionStart
from workflows.recording import record


class Life:
    """Holds the current session. Every change goes through `take` or `apply`."""

    def __init__(self, start: SessionStart) -> None:
        self.session = start.session
        self.is_over = False
        """Nothing has been left to do for a while, and nothing will be."""
        self._unrecorded = start.events
        self._unannounced = start.callbacks
        self._recorded_revision = -1
        self._chores = Chores()
        workflow.set_current_details(current_details(self.session))

    def continued(self) -> SessionStart:
        """What a run that goes on from here begins with."""
        return SessionStart(session=self.session, events=self._unrecorded, callbacks=self._unannounced)

    @property
    def is_recorded(self) -> bool:
        return self._recorded_revision >= self.session.revision

    def needs_attention(self) -> bool:
        """Whether other chores are due than those that are running."""
        return not self._chores.are(self._due())

    def attend(self) -> None:
        """Starts what is due and cancels what no longer is."""
        self._chores.become(self._due())

    async def rest(self) -> None:
        """Cancels all chores and waits until they have ended. Whatever is still due starts again with `attend`."""
        await self._chores.stop()

    async def take(self, step: Step) -> Session:
        """Takes the step. Answers when the projection shows it; for an open session after two seconds anyway."""
        was_final = self.session.is_final
        self.apply(step)
        return await self.projected(always=was_final)

    def apply(self, step: Step) -> None:
        """Takes the step."""
        self._unrecorded += step.events
        self._unannounced += callbacks_of(self.session, step.session, step.events)
        if step.session != self.session:
            self._become(step.session)

    async def projected(self, *, always: bool = False) -> Session:
        """The session, when the projection shows it; unless `always`, after two seconds in any case.

        A session whose story is over is read from its row, so that an act on it counts when the row says so.
        """
        revision = self.session.revision

        def is_recorded() -> bool:
            return self._recorded_revision >= revision

        if always:
            await workflow.wait_condition(is_recorded)
        else:
            await wait_a_little(is_recorded)
        return self.session

    def _due(self) -> dict[str, Chore]:
        """Every effect and clock that the state of the session calls for and that is not over yet."""
        due = {**self._due_mails(), **self._due_documents(), **self._due_seals(), **self._due_clocks()}
        if not self.is_recorded:
            due["record"] = self._record
        if self.session.is_final and not due and not self.session.has_notices_to_come and not self.is_over:
            due[f"close {self.session.revision}"] = self._closing
        return due

    def _due_mails(self) -> dict[str, Chore]:
        due: dict[str, Chore] = {}
        for recipient in self.session.recipients:
            if recipient.awaits_delivery:
                due[f"invite {recipient.recipient_id} {recipient.invitation.number}"] = self._inviting(recipient)
            elif recipient.awaits_reminder:
                due[f"remind {recipient.recipient_id} {recipient.reminders}"] = self._reminding(recipient)
        return due | {f"notify {notice.name}": self._notifying(notice) for notice in self.session.due_notices}

    def _due_documents(self) -> dict[str, Chore]:
        if not self.session.needs_documents:
            return {}
        return {f"generate {f.file_id}": self._generating(f.file_id) for f in self.session.files if f.signed is None}

    def _due_seals(self) -> dict[str, Chore]:
        due = self.session.due_seals
        return {f"raise {file.file_id} {file.seal_level}": self._raising(file.file_id) for file in due}

    def _due_clocks(self) -> dict[str, Chore]:
        if self.session.status not in OPEN_FOR_SIGNING:
            return {}
        clocks = {"Next reminder": self.session.next_reminder_at, "Expiry": self.session.expires_at}
        return {f"{name} at {time}": self._at(time, name) for name, time in clocks.items() if time}

    async def _record(self) -> None:
        session, events, callbacks = self.session, self._unrecorded, self._unannounced
        await record(session, events, callbacks, is_awaited=session.is_final)  # as `projected` has it
        self._recorded_revision = session.revision
        self._unrecorded = self._unrecorded[len(events) :]
        self._unannounced = self._unannounced[len(callbacks) :]

    def _inviting(self, recipient: Recipient) -> Chore:
        who, number = recipient.recipient_id, recipient.invitation.number

        async def invite() -> None:
            issued = await workflow.execute_local_activity(
                interface.issue_link,
                link_request(self.session, recipient),
                start_to_close_timeout=policies.LINK_TIMEOUT,
                summary=f"Make link {number} of {recipient.key}",
            )
            self._become(self.session.with_link(who, number, issued.link_hash))
            request = invitation_request(self.session, self.session.recipient(who))
            refusal = await send_mail(interface.send_invitation, request, f"Invite {recipient.key}")
            if refusal is None:
                self._become(self.session.with_delivery(who, number))
            else:
                self._fail_invitation(recipient, refusal)

        return invite

    def _reminding(self, recipient: Recipient) -> Chore:
        async def remind() -> None:
            request = reminder_request(self.session, recipient, workflow.now())
            refusal = await send_mail(interface.send_reminder, request, f"Remind {recipient.key}")
            if refusal is None:
                self._become(self.session.with_reminder(recipient.recipient_id, recipient.reminders))
            else:
                self._fail_invitation(recipient, refusal)

        return remind

    def _fail_invitation(self, recipient: Recipient, refusal: str) -> None:
        by_system = Occasion.of_system(workflow.now())
        with contextlib.suppress(NotDue, SessionNotFound):  # it is of no importance any more
            number = recipient.invitation.number
            self.apply(self.session.fail_invitation(recipient.recipient_id, number, refusal, by_system))

    def _notifying(self, notice: Notice) -> Chore:
        async def notify() -> None:
            to = self.session.recipient(notice.recipient_id).key if notice.recipient_id else "the sender"
            request = notice_request(self.session, notice)
            refusal = await send_mail(interface.send_notice, request, f"Tell {to}: {notice.kind.value}")
            if refusal is not None:
                workflow.logger.warning("a mail about the end of the session was refused: %s", notice.name)
            self._become(self.session.without_notice(notice))

        return notify

    def _generating(self, file_id: FileId) -> Chore:
        async def generate() -> None:
            file = self.session.file(file_id)
            document = await workflow.execute_activity(
                interface.generate_document,
                generate_request(self.session, file),
                task_queue=interface.DOCUMENTS_QUEUE,
                start_to_close_timeout=policies.GENERATE_TIMEOUT,
                heartbeat_timeout=policies.HEARTBEAT,
                retry_policy=policies.GENERATE_RETRY,
                cancellation_type=policies.TO_ITS_END,
                summary=f"Generate {file.file_name}",
            )
            by_system = Occasion.of_system(workflow.now())
            self.apply(self.session.add_signed_document(file_id, document.signed, by_system, document.seal))

        return generate

    def _raising(self, file_id: FileId) -> Chore:
        async def raise_seal() -> None:
            file = self.session.file(file_id)
            raised = await workflow.execute_activity(
                interface.raise_seal,
                raise_request(self.session, file),
                task_queue=interface.DOCUMENTS_QUEUE,
                start_to_close_timeout=policies.GENERATE_TIMEOUT,
                heartbeat_timeout=policies.HEARTBEAT,
                retry_policy=policies.RAISE_RETRY,
                cancellation_type=policies.TO_ITS_END,
                summary=f"Raise the seal of {file.file_name}",
            )
            by_system = Occasion.of_system(workflow.now())
            self.apply(self.session.raise_seal(file_id, raised.signed, raised.seal, by_system))

        return raise_seal

    def _at(self, time: datetime, summary: str) -> Chore:
        """Sleeps until `time`, then lets the session's clocks strike."""

        async def strike() -> None:
            if time > workflow.now():
                await workflow.sleep(time - workflow.now(), summary=summary)
            by_system = Occasion.of_system(workflow.now())
            for clock in (Session.expire, Session.remind):
                with contextlib.suppress(NotDue):
                    self.apply(clock(self.session, by_system))

        return strike

    async def _closing(self) -> None:
        await workflow.sleep(policies.CLOSING_GRACE, summary="Close when nothing follows")
        self.is_over = True

    def _become(self, session: Session) -> None:
        if session.notices and not workflow.patched("notices"):
            session = session.model_copy(update={"notices": ()})
        if session.status is not self.session.status:
            workflow.upsert_search_attributes([search_attributes.SESSION_STATUS.value_set(session.status.value)])
        self.session = session.revised()
        self.is_over = False
        workflow.set_current_details(current_details(self.session))


async def wait_a_little(until: Callable[[], bool]) -> None:
    """Waits for `until`, two seconds at most."""
    with contextlib.suppress(TimeoutError):
        await workflow.wait_condition(
            until, timeout=policies.PROJECTION_WAIT, timeout_summary="Wait for the record, two seconds at most"
        )
