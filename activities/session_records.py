"""Records a session, its events and its callbacks in the database, and sends the emails that go with them."""

import asyncio
from functools import reduce

import structlog
from temporalio import activity

from activities.callback_dispatcher import CallbackDispatcher
from activities.heartbeats import heartbeats
from activities.interface import EmailRequest, RecordAndSendRequest, RecordedAndSent, RecordRequest
from activities.send_mails import SessionMailActivities
from domain.ports.database import DatabaseUnavailable, SessionRows
from domain.ports.mail import MailRejected

log = structlog.get_logger(__name__)

EMAILS_AT_ONCE = 10

RECORD_AFTER = 1.0
"""Maximum seconds that the record waits for the emails, so that the row is usually written once."""

Outcomes = dict[str, str | None]
"""Emails by name: None if sent, else the mail server's response if permanently rejected."""


class RecordActivities:
    """Writes sessions to the database. Rows never return to an older revision, so late attempts are safe."""

    def __init__(self, rows: SessionRows, dispatcher: CallbackDispatcher, emails: SessionMailActivities) -> None:
        self._rows = rows
        self._dispatcher = dispatcher
        self._emails = emails

    @activity.defn
    async def record_session(self, request: RecordRequest) -> None:
        await self._rows.record(request.session, request.events, request.callbacks)
        if request.callbacks:
            callbacks = [callback.event_id for callback in request.callbacks]
            self._dispatcher.notify(request.session.organisation_id, callbacks)

    @activity.defn
    async def record_and_send(self, request: RecordAndSendRequest) -> RecordedAndSent:
        """Records the session, and sends the emails that no earlier attempt reported as sent."""
        outcomes: Outcomes = dict(*activity.info().heartbeat_details)
        async with heartbeats(outcomes):
            sending = asyncio.create_task(self._send_all(request, outcomes))
            try:
                await asyncio.wait([sending], timeout=RECORD_AFTER)
                known = len(outcomes)
                is_recorded = await self._has_recorded(request, outcomes)
                await sending
                if len(outcomes) > known:
                    is_recorded = await self._has_recorded(request, outcomes)
            finally:
                sending.cancel()
                await asyncio.gather(sending, return_exceptions=True)  # before the database is closed
        return RecordedAndSent(
            is_recorded=is_recorded,
            sent=tuple(name for name, answer in outcomes.items() if answer is None),
            refused={name: answer for name, answer in outcomes.items() if answer is not None},
        )

    async def _has_recorded(self, request: RecordAndSendRequest, outcomes: Outcomes) -> bool:
        sent = [request.emails[name] for name, answer in outcomes.items() if answer is None]
        session = reduce(lambda session, email: email.sent(session), sent, request.session)
        session = session.model_copy(update={"revision": request.revision})
        try:
            await self.record_session(
                RecordRequest(session=session, events=request.events, callbacks=request.callbacks)
            )
        except DatabaseUnavailable as error:
            log.warning("the session could not be recorded and is retried", error=str(error))
            return False
        return True

    async def _send_all(self, request: RecordAndSendRequest, outcomes: Outcomes) -> None:
        # Emails of one session leave connections to the mail server for those of others.
        turns = asyncio.Semaphore(EMAILS_AT_ONCE)

        async def send(name: str, email: EmailRequest) -> None:
            async with turns:
                try:
                    await self._emails.send(email)
                except MailRejected as error:
                    outcomes[name] = str(error)
                except Exception as error:  # noqa: BLE001  # the record and other emails do not depend on it
                    log.warning("an email could not be sent and is retried", error=str(error) or type(error).__name__)
                else:
                    outcomes[name] = None

        await asyncio.gather(*(send(name, email) for name, email in request.emails.items() if name not in outcomes))
