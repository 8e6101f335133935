"""The activities of a session without their engines: they remember what they were asked and can be made to fail."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any

from temporalio import activity
from temporalio.exceptions import ApplicationError

from activities.interface import (
    MAIL_REJECTED,
    AugmentedDocument,
    AugmentRequest,
    EmailRequest,
    EraseRequest,
    GeneratedDocument,
    InvitationRequest,
    OutcomeMailRequest,
    ReceiptRequest,
    ReminderRequest,
)
from activities.session_records import RecordActivities
from domain.audit.events import Event
from domain.callbacks.callback import Callback
from domain.ports.database import DatabaseUnavailable
from domain.ports.mail import MailNotSent, MailRejected
from domain.seal.seal import Seal, SealLevel
from domain.session.deletion_mails import DeletionMailRecipient
from domain.session.materials import Materials
from domain.session.session import Session
from domain.shared.ids import EventId, OrganisationId, SessionId
from domain.shared.object_names import augmented_name, make_reference, session_prefix
from tests.databases import MemoryDatabase
from tests.fakes.sessions import WitnessedRows


class RecordedRows(WitnessedRows):
    """Rows in memory that remember all that was written, and can be made to fail: they count down `failures`."""

    def __init__(self, failures: Counter[str]) -> None:
        self._database = MemoryDatabase()
        super().__init__(self._database.engine)
        self.save, self.load = self._database.save, self._database.load
        self._failures = failures
        self.recorded: list[Session] = []
        self.callbacks: list[Callback] = []
        self.buried: list[SessionId] = []

    async def record(self, session: Session, events: Sequence[Event], callbacks: Sequence[Callback] = ()) -> None:
        self._fail_if_due()
        await super().record(session, events, callbacks)
        self._remember(session, callbacks)

    async def change(self, before: Session | None, session: Session, *args: Any, **options: Any) -> bool:
        self._fail_if_due()
        has_changed = await super().change(before, session, *args, **options)
        if has_changed:
            self._remember(session, *args[1:])
        return has_changed

    async def erase(
        self, organisation_id: OrganisationId, session_id: SessionId, at: datetime, announce: Any = None, **options: Any
    ) -> None:
        def remember(session: Session) -> Callback | None:
            callback = announce(session) if announce else None
            self.callbacks.extend(filter(None, [callback]))
            return callback

        await super().erase(organisation_id, session_id, at, remember, **options)
        self.buried.append(session_id)

    def _remember(self, session: Session, callbacks: Sequence[Callback] = ()) -> None:
        """Each callback once: it may be written again."""
        self.recorded.append(session)
        self.callbacks.extend(callback for callback in callbacks if callback not in self.callbacks)

    def _fail_if_due(self) -> None:
        if self._failures["record_session"]:
            self._failures["record_session"] -= 1
            raise DatabaseUnavailable


class FakeEffects:
    """All activities. `failures[name]` is how many more times one fails, `rejections[name]` how many of its mails are
    rejected. `begun` lists those that have begun; in `held` are events that they wait for.

    `seal` is that of generated documents; with `gives_up_seals` none is augmented. Until `mail_server` is set,
    invitations do not end.
    """

    def __init__(self) -> None:
        self.failures: Counter[str] = Counter()
        self.held: dict[str, asyncio.Event] = {}
        self.begun: list[str] = []
        self.rejections: Counter[str] = Counter()
        self.mail_server = asyncio.Event()
        self.mail_server.set()
        self.rows = RecordedRows(self.failures)
        self.recorded, self.callbacks, self.buried = self.rows.recorded, self.rows.callbacks, self.rows.buried
        self.seal: Seal | None = None
        self.gives_up_seals = False
        self.invited: list[InvitationRequest] = []
        self.generated: list[Materials] = []
        self.reminded: list[ReminderRequest] = []
        self.noticed: list[OutcomeMailRequest] = []
        self.receipts: list[ReceiptRequest] = []
        self.told_of_deletion: list[DeletionMailRecipient] = []

    def light(self) -> list[Callable[..., Any]]:
        """All but the generation of documents, which has a queue of its own."""
        recording = RecordActivities(self.rows, self, self)
        return [
            recording.record_session,
            recording.record_and_send,
            self.send_invitation,
            self.send_reminder,
            self.send_outcome_mail,
            self.send_deletion_mails,
            self.erase_objects,
            self.erase_histories,
            self.issue_receipt,
        ]

    def notify(self, organisation_id: OrganisationId, callbacks: Iterable[EventId]) -> None:
        """Nothing is to be begun here."""

    async def send(self, request: EmailRequest) -> None:
        """Takes an email."""
        name = f"send_{request.kind}"
        await self._hold(name)
        if self.failures[name]:
            self.failures[name] -= 1
            raise MailNotSent("made to fail by the test")
        if self.rejections[name]:
            self.rejections[name] -= 1
            raise MailRejected("550 5.1.1 no such user")
        if isinstance(request, OutcomeMailRequest):
            self.noticed.append(request)
        elif isinstance(request, ReminderRequest):
            self.reminded.append(request)
        else:
            await self.mail_server.wait()
            self.invited.append(request)

    @activity.defn
    async def send_invitation(self, request: InvitationRequest) -> None:
        await self._send_alone(request)

    @activity.defn
    async def send_reminder(self, request: ReminderRequest) -> None:
        await self._send_alone(request)

    @activity.defn
    async def send_outcome_mail(self, request: OutcomeMailRequest) -> None:
        await self._send_alone(request)

    async def _send_alone(self, request: EmailRequest) -> None:
        try:
            await self.send(request)
        except MailRejected as error:
            raise ApplicationError(str(error), type=MAIL_REJECTED, non_retryable=True) from error

    @activity.defn
    async def generate_document(self, materials: Materials) -> GeneratedDocument:
        self._fail_if_due("generate_document")
        await self._hold("generate_document")
        self.generated.append(materials)
        return GeneratedDocument(signed=make_reference(materials.signed_name, b"signed"), seal=self.seal)

    @activity.defn
    async def augment_seal(self, request: AugmentRequest) -> AugmentedDocument:
        """One level each time."""
        self._fail_if_due("augment_seal")
        await self._hold("augment_seal")
        if self.gives_up_seals or request.file.seal_level is None or request.file.signed is None:
            level = request.file.seal_level or SealLevel.B_B
            return AugmentedDocument(signed=make_reference("signed", b"signed"), seal=Seal(level=level, goal=level))
        level = list(SealLevel)[request.file.seal_level.rank + 1]
        prefix = session_prefix(request.organisation_id, request.session_id)
        name = augmented_name(prefix, request.file.file_id, request.file.signed.sha256, level)
        goal = request.file.seal_goal or level
        return AugmentedDocument(signed=make_reference(name, level.encode()), seal=Seal(level=level, goal=goal))

    @activity.defn
    async def send_deletion_mails(self, request: EraseRequest) -> None:
        self._fail_if_due("send_deletion_mails")
        await self._hold("send_deletion_mails")
        mails = await self.rows.find_deletion_mails(request.organisation_id, request.session_id)
        self.told_of_deletion.extend(mails.recipients if mails else ())

    @activity.defn
    async def erase_objects(self, request: EraseRequest) -> int:
        await self._hold("erase_objects")
        self._fail_if_due("erase_objects")
        return 5

    @activity.defn
    async def erase_histories(self, request: EraseRequest) -> int:
        self._fail_if_due("erase_histories")
        return 1

    @activity.defn
    async def issue_receipt(self, request: ReceiptRequest) -> str:
        self._fail_if_due("issue_receipt")
        self.receipts.append(request)
        return "receipt"

    async def _hold(self, name: str) -> None:
        self.begun.append(name)
        if name in self.held:
            await self.held[name].wait()

    def _fail_if_due(self, name: str) -> None:
        if self.failures[name]:
            self.failures[name] -= 1
            raise ApplicationError("made to fail by the test")
