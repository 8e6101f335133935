"""The activities of a session without their engines: they remember what they were asked and can be made to fail."""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any

from temporalio import activity
from temporalio.exceptions import ApplicationError

from activities.interface import (
    MAIL_REJECTED,
    BuryRequest,
    EraseRequest,
    GeneratedDocument,
    GenerateRequest,
    InvitationRequest,
    IssuedLink,
    IssueLinkRequest,
    LoadedSession,
    LoadRequest,
    NoticeRequest,
    RaisedDocument,
    RaiseRequest,
    ReceiptRequest,
    RecordRequest,
    ReminderRequest,
)
from domain.callbacks import Callback
from domain.events import Event
from domain.ids import SessionId
from domain.links import link_hash, link_secret
from domain.objects import raised_name, refer_to, session_prefix, signed_name
from domain.sealing import Seal, SealLevel
from domain.session import Session
from tests.fakes.sessions import LINK_KEY


class FakeEffects:
    """One registration of every activity. `failures[name]` is how many more times that activity fails;
    `rejections[name]` how many more mails of it the mail server refuses for good.

    `begun` are the names of those that have begun and may be `held` until an event is set.

    `seal` is that of the documents that are generated; `gives_up_seals` has none of them raised.

    While `mail_server` is not set, invitations are under way and do not end.
    """

    def __init__(self) -> None:
        self.failures: Counter[str] = Counter()
        self.held: dict[str, asyncio.Event] = {}
        self.begun: list[str] = []
        self.rejections: Counter[str] = Counter()
        self.mail_server = asyncio.Event()
        self.mail_server.set()
        self.recorded: list[Session] = []
        self.events: list[Event] = []
        self.callbacks: list[Callback] = []
        self.seal: Seal | None = None
        self.gives_up_seals = False
        self.invited: list[InvitationRequest] = []
        self.generated: list[GenerateRequest] = []
        self.reminded: list[ReminderRequest] = []
        self.noticed: list[NoticeRequest] = []
        self.buried: list[SessionId] = []
        self.receipts: list[ReceiptRequest] = []

    def light(self) -> list[Callable[..., Any]]:
        """All but the generation of documents, which has a queue of its own."""
        return [
            self.record_session,
            self.load_session,
            self.issue_link,
            self.send_invitation,
            self.send_reminder,
            self.send_notice,
            self.bury_session,
            self.erase_objects,
            self.erase_histories,
            self.issue_receipt,
        ]

    @activity.defn
    async def record_session(self, request: RecordRequest) -> None:
        self._fail_if_due("record_session")
        self.recorded.append(request.session)
        self.events.extend(event for event in request.events if event not in self.events)  # it may be tried again
        self.events.sort(key=lambda event: event.sequence)  # and a try that was given up may end after the next
        self.callbacks.extend(request.callbacks)

    @activity.defn
    async def issue_link(self, request: IssueLinkRequest) -> IssuedLink:
        secret = link_secret(LINK_KEY, request.session_id, request.recipient_id, request.invitation)
        return IssuedLink(link_hash=link_hash(secret))

    @activity.defn
    async def send_invitation(self, request: InvitationRequest) -> None:
        self._fail_if_due("send_invitation")
        self._reject_if_due("send_invitation")
        await self.mail_server.wait()
        self.invited.append(request)

    @activity.defn
    async def generate_document(self, request: GenerateRequest) -> GeneratedDocument:
        self._fail_if_due("generate_document")
        await self._hold("generate_document")
        self.generated.append(request)
        name = signed_name(session_prefix(request.organisation_id, request.session_id), request.file.file_id)
        return GeneratedDocument(signed=refer_to(name, b"signed"), seal=self.seal)

    @activity.defn
    async def raise_seal(self, request: RaiseRequest) -> RaisedDocument:
        """One level each time."""
        self._fail_if_due("raise_seal")
        await self._hold("raise_seal")
        if self.gives_up_seals or request.file.seal_level is None or request.file.signed is None:
            level = request.file.seal_level or SealLevel.B_B
            return RaisedDocument(signed=refer_to("signed", b"signed"), seal=Seal(level=level, goal=level))
        level = list(SealLevel)[request.file.seal_level.rank + 1]
        name = raised_name(session_prefix(request.organisation_id, request.session_id), request.file.file_id, level)
        goal = request.file.seal_goal or level
        return RaisedDocument(signed=refer_to(name, level.encode()), seal=Seal(level=level, goal=goal))

    @activity.defn
    async def send_reminder(self, request: ReminderRequest) -> None:
        self._fail_if_due("send_reminder")
        self._reject_if_due("send_reminder")
        self.reminded.append(request)

    @activity.defn
    async def send_notice(self, request: NoticeRequest) -> None:
        self._fail_if_due("send_notice")
        self._reject_if_due("send_notice")
        self.noticed.append(request)

    @activity.defn
    async def load_session(self, request: LoadRequest) -> LoadedSession:
        self._fail_if_due("load_session")
        found = [s for s in self.recorded if s.session_id == request.session_id and s.session_id not in self.buried]
        return LoadedSession(session=max(found, key=lambda s: s.revision, default=None))

    @activity.defn
    async def bury_session(self, request: BuryRequest) -> None:
        self._fail_if_due("bury_session")
        await self._hold("bury_session")
        self.buried.append(request.session_id)
        self.callbacks.extend(filter(None, [request.callback]))

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

    def _reject_if_due(self, name: str) -> None:
        if self.rejections[name]:
            self.rejections[name] -= 1
            raise ApplicationError("550 5.1.1 no such user", type=MAIL_REJECTED, non_retryable=True)
