"""The updates of a session's run: each applies a transition, and returns the session after it at once."""

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from domain.audit.events import AuditContext
    from domain.session.delegation import delegate
    from domain.session.edits import correct_recipient, remind_recipient, reschedule
    from domain.session.refused_mails import invite_again
    from domain.session.session import Session, Transition
    from domain.shared.errors import LinkNotValid
    from ports.session_requests import (
        ActionRequest,
        ActionResult,
        ArchiveRequest,
        CorrectRequest,
        DeclineRequest,
        DelegateRequest,
        InviteRequest,
        RecipientActionRequest,
        RecordDownloadRequest,
        RescheduleRequest,
        SignRequest,
    )


class SessionUpdates:
    """The update handlers of a workflow that holds a session."""

    _session: Session
    _cancel_requested: bool

    def _commit(self, step: Transition, *, must_record: bool = True) -> ActionResult:
        """Replaces the session with that of the transition, and returns the result of the update."""
        raise NotImplementedError

    @workflow.update(description="A recipient opens the documents.")
    async def view(self, request: RecipientActionRequest) -> ActionResult:
        # The caller writes the row. If the caller fails, the next action, reminder or view writes it.
        return self._commit(self._session.view(request.recipient_id, self._audit(request)), must_record=False)

    @view.validator
    def _validate_view(self, request: RecipientActionRequest) -> None:
        self._check_link(request)
        self._session.view(request.recipient_id, self._audit(request))

    @workflow.update(description="A recipient's fields and signature.")
    async def sign(self, request: SignRequest) -> ActionResult:
        return self._commit(self._session.sign(request.recipient_id, request.submission, self._audit(request)))

    @sign.validator
    def _validate_sign(self, request: SignRequest) -> None:
        self._check_link(request)
        self._session.check_may_act(request.recipient_id, workflow.now())

    @workflow.update(description="A recipient approves the documents.")
    async def approve(self, request: RecipientActionRequest) -> ActionResult:
        return self._commit(self._session.approve(request.recipient_id, self._audit(request)))

    @approve.validator
    def _validate_approve(self, request: RecipientActionRequest) -> None:
        self._check_link(request)
        self._session.approve(request.recipient_id, self._audit(request))

    @workflow.update(description="A recipient passes their turn on to another person.")
    async def delegate(self, request: DelegateRequest) -> ActionResult:
        return self._commit(delegate(self._session, request.recipient_id, request.to, self._audit(request)))

    @delegate.validator
    def _validate_delegate(self, request: DelegateRequest) -> None:
        self._check_link(request)
        delegate(self._session, request.recipient_id, request.to, self._audit(request))

    @workflow.update(description="A recipient refuses to sign or to approve.")
    async def decline(self, request: DeclineRequest) -> ActionResult:
        return self._commit(self._session.decline(request.recipient_id, request.reason, self._audit(request)))

    @decline.validator
    def _validate_decline(self, request: DeclineRequest) -> None:
        self._check_link(request)
        self._session.check_may_act(request.recipient_id, workflow.now())

    @workflow.update(description="One more invitation, which replaces the earlier link.")
    async def invite(self, request: InviteRequest) -> ActionResult:
        return self._commit(invite_again(self._session, request.recipient_id, self._audit(request), request.to_email))

    @invite.validator
    def _validate_invite(self, request: InviteRequest) -> None:
        invite_again(self._session, request.recipient_id, self._audit(request), request.to_email)

    @workflow.update(description="A reminder of one recipient now, with the same link.")
    async def remind(self, request: InviteRequest) -> ActionResult:
        return self._commit(remind_recipient(self._session, request.recipient_id, self._audit(request)))

    @remind.validator
    def _validate_remind(self, request: InviteRequest) -> None:
        remind_recipient(self._session, request.recipient_id, self._audit(request))

    @workflow.update(description="Another name or address of a recipient who has not signed.")
    async def correct(self, request: CorrectRequest) -> ActionResult:
        return self._commit(correct_recipient(self._session, request.recipient_id, request.right, self._audit(request)))

    @correct.validator
    def _validate_correct(self, request: CorrectRequest) -> None:
        correct_recipient(self._session, request.recipient_id, request.right, self._audit(request))

    @workflow.update(description="A later expiry or none, and other reminders.")
    async def reschedule(self, request: RescheduleRequest) -> ActionResult:
        return self._commit(reschedule(self._session, request.change, self._audit(request)))

    @reschedule.validator
    def _validate_reschedule(self, request: RescheduleRequest) -> None:
        reschedule(self._session, request.change, self._audit(request))

    @workflow.update(description="Archives the session.")
    async def archive(self, request: ArchiveRequest) -> ActionResult:
        return self._commit(self._session.archive(self._audit(request), request.reason))

    @archive.validator
    def _validate_archive(self, request: ArchiveRequest) -> None:
        self._session.archive(self._audit(request), request.reason)

    @workflow.update(description="Restores an archived session.")
    async def restore(self, request: ActionRequest) -> ActionResult:
        self._cancel_requested = False
        return self._commit(self._session.restore(self._audit(request)))

    @restore.validator
    def _validate_restore(self, request: ActionRequest) -> None:
        self._session.restore(self._audit(request))

    @workflow.update(description="Records a download of signed documents or of the certificate.")
    async def record_download(self, request: RecordDownloadRequest) -> ActionResult:
        return self._commit(self._session.record_download(request.wanted, self._audit(request)))

    @record_download.validator
    def _validate_record_download(self, request: RecordDownloadRequest) -> None:
        self._session.record_download(request.wanted, self._audit(request))

    def _audit(self, request: ActionRequest) -> AuditContext:
        return request.audit.model_copy(update={"at": workflow.now()})

    def _check_link(self, request: RecipientActionRequest) -> None:
        if self._session.recipient(request.recipient_id).invitation.number != request.invitation:
            raise LinkNotValid
