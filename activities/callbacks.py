"""Makes the attempts of callbacks, and logs them.

The worker that writes a callback makes the first attempt itself, outside Temporal. All other attempts are made by the
activity `deliver_callback`, which Temporal retries.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from temporalio import activity
from temporalio.exceptions import ApplicationError, ApplicationErrorCategory

from activities.interface import DeliveryState
from application.stamping.inputs import read_values
from domain.callbacks.callback import signer_of, with_values
from domain.callbacks.callback_signature import signed_headers
from domain.callbacks.delivery_schedule import Attempt, Delivery, ReceiverPause, planned_wait
from domain.ports.callbacks import (
    BEFORE_RUNS,
    CallbackAttempt,
    Callbacks,
    CallbackSender,
    OutgoingCallback,
    WebhookSecrets,
)
from domain.ports.database import DatabaseUnavailable, SessionRows
from domain.ports.object_store import ObjectStore

FAILING_AFTER = 2.0
"""Seconds without a response after which a receiver counts as failing."""


@dataclass(frozen=True, slots=True)
class RetryLater:
    """A delivery that is not finished: the time until its next attempt, and the reason."""

    wait: timedelta
    reason: str


@dataclass(frozen=True, slots=True)
class CallbackActivities:
    """Makes attempts. A receiver's response is a result; only errors of the database and the object store raise."""

    callbacks: Callbacks
    secrets: WebhookSecrets
    sender: CallbackSender
    start_pause_warning: Callable[[ReceiverPause], Awaitable[None]]
    rows: SessionRows
    objects: ObjectStore
    failing_after: float = FAILING_AFTER

    @activity.defn
    async def deliver_callback(self, delivery: Delivery) -> DeliveryState:
        """Makes one attempt. Raises `ApplicationError` if the delivery is not finished; Temporal then retries it."""
        info = activity.info()
        outcome = await self._try(delivery, info.workflow_run_id or BEFORE_RUNS, info.started_time)
        if isinstance(outcome, DeliveryState):
            return outcome
        raise ApplicationError(
            outcome.reason, type="NotDelivered", next_retry_delay=outcome.wait, category=ApplicationErrorCategory.BENIGN
        )

    @activity.defn
    async def stop_callback(self, delivery: Delivery) -> None:
        await self.callbacks.stop(delivery)

    async def attempt_first(
        self, delivery: Delivery, outgoing: OutgoingCallback | None = None
    ) -> DeliveryState | RetryLater:
        """Makes the first attempt, unless it was made before. `outgoing` is the callback, if the caller has read it."""
        return await self._try(delivery, BEFORE_RUNS, datetime.now(UTC), outgoing)

    async def pause(self, delivery: Delivery, since: datetime) -> DeliveryState:
        """Holds a callback whose receiver is paused since `since`, and starts the mails to the administrators."""
        await self.callbacks.pause(delivery)
        return await self._warn(delivery, since)

    async def _try(
        self, delivery: Delivery, run_id: str, now: datetime, outgoing: OutgoingCallback | None = None
    ) -> DeliveryState | RetryLater:
        outgoing = await self._complete(delivery, outgoing or await self.callbacks.find(delivery, run_id))
        if outgoing is None:
            return DeliveryState.ERASED
        number = outgoing.tries + 1
        attempt = _unstored_attempt(number)
        if attempt is None:
            if outgoing.paused_since and not delivery.was_asked_for:
                return await self.pause(delivery, outgoing.paused_since)
            due_at = outgoing.next_attempt_at
            if outgoing.tries and due_at and due_at > now:  # the last attempt was stored, then its worker died
                return RetryLater(due_at - now, "the next try is not due yet")
            attempt = await self._send(delivery, outgoing)
            if activity.in_activity():
                activity.heartbeat(number, attempt)  # the next worker does not send again
        wait = attempt.wait(planned_wait(number, random.random()))  # noqa: S311  # jitter, not cryptography
        paused_since = await self.callbacks.record_attempt(CallbackAttempt(delivery, run_id, number, attempt, wait))
        if paused_since:
            return await self._warn(delivery, paused_since)
        if wait is not None:
            return RetryLater(wait, f"try {number}: {attempt.error}")
        return DeliveryState.DELIVERED if attempt.succeeded else DeliveryState.FAILED

    async def _complete(self, delivery: Delivery, outgoing: OutgoingCallback | None) -> OutgoingCallback | None:
        """Returns the callback with the recipient's values, if it has any; None if its session was erased."""
        recipient_id = signer_of(delivery.type, outgoing.body) if outgoing else None
        if outgoing is None or recipient_id is None:
            return outgoing
        session = await self.rows.find(delivery.organisation_id, delivery.session_id)
        if session is None:
            return None
        values = await read_values(self.objects.get, session, [session.recipient(recipient_id)])
        return replace(outgoing, body=with_values(outgoing.body, values))

    async def _warn(self, delivery: Delivery, since: datetime) -> DeliveryState:
        """Starts the mails about a pause. Every held delivery does, so that a crash after the pause loses none."""
        pause = ReceiverPause(organisation_id=delivery.organisation_id, receiver=delivery.receiver, at=since)
        await self.start_pause_warning(pause)
        return DeliveryState.HELD

    async def _send(self, delivery: Delivery, outgoing: OutgoingCallback) -> Attempt:
        now = datetime.now(UTC)
        signing = await self.secrets.signing(delivery.organisation_id, now)
        headers = signed_headers(delivery.event_id, now, outgoing.body, signing)
        marking = asyncio.create_task(self._mark_failing_later(delivery, now))
        try:
            return await self.sender.send(outgoing.url, headers, outgoing.body.encode())
        finally:
            marking.cancel()

    async def _mark_failing_later(self, delivery: Delivery, began_at: datetime) -> None:
        await asyncio.sleep(self.failing_after)
        with suppress(DatabaseUnavailable):  # the result of the attempt is stored anyway
            await self.callbacks.mark_failing(delivery, began_at)


def _unstored_attempt(number: int) -> Attempt | None:
    """Returns the attempt of that number if an earlier run of this activity made it but did not store it."""
    details = activity.info().heartbeat_details if activity.in_activity() else ()
    return Attempt.model_validate(details[1]) if details and details[0] == number else None
