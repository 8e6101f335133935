"""Delivering: the tries of a callback, and their lines in the log.

The worker that announces a callback makes the first try itself, outside of Temporal. All others are those of the
activity `deliver_callback`, which Temporal tries again.
"""

import asyncio
import random
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Protocol

from temporalio import activity
from temporalio.exceptions import ApplicationError, ApplicationErrorCategory

from activities.interface import DeliveryState
from domain.callbacks.callback import signer_of, with_values
from domain.callbacks.delivery import Attempt, Delivery, Pause, planned_wait
from domain.callbacks.signature import signed_headers
from ports.callbacks import BEFORE_RUNS, AttemptRecord, Callbacks, OutgoingCallback, WebhookSecrets
from ports.database import DatabaseUnavailable, SessionRows
from ports.object_store import ObjectStore
from ports.webhooks import Sender
from stamping.inputs import read_values

FAILING_AFTER = 2.0
"""A receiver that has not answered within so many seconds counts as one that fails, until it does answer."""


class PauseNotifier(Protocol):
    """Tells an organisation's people that a receiver is paused."""

    async def start(self, pause: Pause) -> None:
        """Has them told. Durable when this returns; a second time has no effect."""
        ...


@dataclass(frozen=True, slots=True)
class RetryLater:
    """A delivery that has not ended: the time until its next try, and the reason."""

    wait: timedelta
    reason: str


@dataclass(frozen=True, slots=True)
class CallbackValues:
    """Completes bodies of callbacks, from the submissions in the object store."""

    rows: SessionRows
    objects: ObjectStore

    async def complete(self, delivery: Delivery, body: str) -> str | None:
        """`body` with the values that belong into it, the same at every try; None if the session was erased.

        Raises:
            DatabaseUnavailable, ObjectStoreError: they cannot be read now.
        """
        recipient_id = signer_of(delivery.type, body)
        if recipient_id is None:
            return body
        session = await self.rows.find(delivery.organisation_id, delivery.session_id)
        if session is None:
            return None
        return with_values(body, await read_values(self.objects.get, session, [session.recipient(recipient_id)]))


@dataclass(frozen=True, slots=True)
class CallbackActivities:
    """Makes tries. What a receiver answers is a result; what raises is a database or a store that does not."""

    callbacks: Callbacks
    secrets: WebhookSecrets
    sender: Sender
    warnings: PauseNotifier
    values: CallbackValues
    failing_after: float = FAILING_AFTER

    @activity.defn
    async def deliver_callback(self, delivery: Delivery) -> DeliveryState:
        """See `interface.deliver_callback`.

        Raises:
            ApplicationError: there will be another try; Temporal makes it after `next_retry_delay`.
        """
        info = activity.info()
        outcome = await self._try(delivery, info.workflow_run_id or BEFORE_RUNS, info.started_time)
        if isinstance(outcome, DeliveryState):
            return outcome
        raise ApplicationError(
            outcome.reason,
            type="NotDelivered",
            next_retry_delay=outcome.wait,
            category=ApplicationErrorCategory.BENIGN,
        )

    @activity.defn
    async def stop_callback(self, delivery: Delivery) -> None:
        """See `interface.stop_callback`."""
        await self.callbacks.stop(delivery)

    async def attempt_first(
        self, delivery: Delivery, outgoing: OutgoingCallback | None = None
    ) -> DeliveryState | RetryLater:
        """Makes the first try, if none was made; how the delivery ended, or when the next try is due.

        `outgoing` is what was found a moment ago.
        """
        return await self._try(delivery, BEFORE_RUNS, datetime.now(UTC), outgoing)

    async def pause(self, delivery: Delivery, since: datetime) -> DeliveryState:
        """Leaves a callback whose receiver is paused since then, and has the organisation's people told."""
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
            if outgoing.tries and due_at and due_at > now:  # the try before was stored, and its worker died
                return RetryLater(due_at - now, "the next try is not due yet")
            attempt = await self._send(delivery, outgoing)
            if activity.in_activity():
                activity.heartbeat(number, attempt)  # the next worker does not send again
        wait = attempt.wait(planned_wait(number, random.random()))  # noqa: S311  # spreads the tries, hides nothing
        paused_since = await self.callbacks.store_attempt(AttemptRecord(delivery, run_id, number, attempt, wait))
        if paused_since:
            return await self._warn(delivery, paused_since)
        if wait is not None:
            return RetryLater(wait, f"try {number}: {attempt.error}")
        return DeliveryState.DELIVERED if attempt.succeeded else DeliveryState.FAILED

    async def _complete(self, delivery: Delivery, outgoing: OutgoingCallback | None) -> OutgoingCallback | None:
        """What is to be sent, with the values that belong into it; None if its session was erased."""
        body = await self.values.complete(delivery, outgoing.body) if outgoing else None
        return replace(outgoing, body=body) if outgoing and body is not None else None

    async def _warn(self, delivery: Delivery, since: datetime) -> DeliveryState:
        """Every delivery that finds a receiver paused does so, so that a crash right after the pause loses no mail."""
        pause = Pause(organisation_id=delivery.organisation_id, receiver=delivery.receiver, at=since)
        await self.warnings.start(pause)
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
        with suppress(DatabaseUnavailable):  # what comes of the try will be written down all the same
            await self.callbacks.mark_failing(delivery, began_at)


def _unstored_attempt(number: int) -> Attempt | None:
    """The try of that number, if an earlier run of this activity made it and did not come to write it down."""
    kept = activity.info().heartbeat_details if activity.in_activity() else ()
    return Attempt.model_validate(kept[1]) if kept and kept[0] == number else None
