"""Delivering: one try of a callback, and its line in the log."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from temporalio import activity

from activities.interface import DeliverRequest, DeliveryOutcome, DeliveryState
from adapters.database.callback_port import Callbacks, Outgoing, Tried, WebhookSecrets
from adapters.database.port import DatabaseUnavailable
from adapters.webhooks.port import Sender
from adapters.webhooks.signing import signed_headers
from domain.deliveries import Attempt, Delivery, Pause

SUSPECT_AFTER = 2.0
"""A receiver that has not answered within so many seconds counts as one that fails, until it does answer."""


class Warnings(Protocol):
    """Tells an organisation's people that a receiver is paused."""

    async def begin(self, pause: Pause) -> None:
        """Has them told. Durable when this returns; a second time has no effect."""
        ...


@dataclass(frozen=True, slots=True)
class Delivering:
    """Makes tries. What a receiver answers is a result; what raises is a database that does not."""

    callbacks: Callbacks
    secrets: WebhookSecrets
    sender: Sender
    warnings: Warnings
    suspect_after: float = SUSPECT_AFTER

    @activity.defn
    async def deliver_callback(self, request: DeliverRequest) -> DeliveryOutcome:
        """See `interface.deliver_callback`."""
        delivery = request.delivery
        outgoing = await self.callbacks.find(delivery.organisation_id, delivery.event_id)
        if outgoing is None:
            return DeliveryOutcome(state=DeliveryState.ERASED)
        attempt = _made_before()
        if attempt is None:
            if outgoing.paused_since and not delivery.was_asked_for:
                await self.callbacks.hold(delivery)
                return await self._held(delivery, outgoing.paused_since)
            attempt = await self._send(delivery, outgoing)
            activity.heartbeat(attempt)  # whoever goes on from here does not send again
        wait = attempt.wait(request.planned_wait)
        run_id = activity.info().workflow_run_id or ""
        paused_since = await self.callbacks.keep_attempt(Tried(delivery, run_id, request.number, attempt, wait))
        if paused_since:
            return await self._held(delivery, paused_since)
        return DeliveryOutcome(state=_state(attempt, is_last=wait is None), wait=wait)

    async def _held(self, delivery: Delivery, since: datetime) -> DeliveryOutcome:
        """Whoever finds a receiver paused has its people told, so that a crash right after the pause loses no mail."""
        pause = Pause(organisation_id=delivery.organisation_id, receiver=delivery.receiver, at=since)
        await self.warnings.begin(pause)
        return DeliveryOutcome(state=DeliveryState.HELD)

    async def _send(self, delivery: Delivery, outgoing: Outgoing) -> Attempt:
        now = datetime.now(UTC)
        signing = await self.secrets.signing(delivery.organisation_id, now)
        headers = signed_headers(delivery.event_id, now, outgoing.body, signing)
        suspecting = asyncio.create_task(self._suspect(delivery, now))
        try:
            return await self.sender.send(outgoing.url, headers, outgoing.body.encode())
        finally:
            suspecting.cancel()

    async def _suspect(self, delivery: Delivery, began_at: datetime) -> None:
        await asyncio.sleep(self.suspect_after)
        with suppress(DatabaseUnavailable):  # what comes of the try will be written down all the same
            await self.callbacks.suspect(delivery, began_at)


def _made_before() -> Attempt | None:
    """The try that an earlier run of this activity made and did not come to write down."""
    for kept in activity.info().heartbeat_details:
        return Attempt.model_validate(kept)
    return None


def _state(attempt: Attempt, *, is_last: bool) -> DeliveryState:
    if attempt.succeeded:
        return DeliveryState.DELIVERED
    return DeliveryState.FAILED if is_last else DeliveryState.WAITING
