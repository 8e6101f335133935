"""Delivering: one try of a callback, and its line in the log."""

from dataclasses import dataclass
from datetime import UTC, datetime

from temporalio import activity

from activities.interface import DeliverRequest, DeliveryOutcome, DeliveryState
from adapters.database.callback_port import Callbacks, Outgoing, Tried, WebhookSecrets
from adapters.webhooks.port import Sender
from adapters.webhooks.signing import signed_headers
from domain.deliveries import Attempt, Delivery


@dataclass(frozen=True, slots=True)
class Delivering:
    """Makes tries. What a receiver answers is a result; what raises is a database that does not."""

    callbacks: Callbacks
    secrets: WebhookSecrets
    sender: Sender

    @activity.defn
    async def deliver_callback(self, request: DeliverRequest) -> DeliveryOutcome:
        """See `interface.deliver_callback`."""
        delivery = request.delivery
        outgoing = await self.callbacks.find(delivery.organisation_id, delivery.event_id)
        if outgoing is None:
            return DeliveryOutcome(state=DeliveryState.ERASED)
        attempt = _made_before()
        if attempt is None:
            if outgoing.is_paused and not delivery.was_asked_for:
                await self.callbacks.hold(delivery)
                return DeliveryOutcome(state=DeliveryState.HELD)
            attempt = await self._send(delivery, outgoing)
            activity.heartbeat(attempt)  # whoever goes on from here does not send again
        wait = attempt.wait(request.planned_wait)
        run_id = activity.info().workflow_run_id or ""
        if await self.callbacks.keep_attempt(Tried(delivery, run_id, request.number, attempt, wait)):
            return DeliveryOutcome(state=DeliveryState.HELD)
        return DeliveryOutcome(state=_state(attempt, is_last=wait is None), wait=wait)

    async def _send(self, delivery: Delivery, outgoing: Outgoing) -> Attempt:
        now = datetime.now(UTC)
        signing = await self.secrets.signing(delivery.organisation_id, now)
        headers = signed_headers(delivery.event_id, now, outgoing.body, signing)
        return await self.sender.send(outgoing.url, headers, outgoing.body.encode())


def _made_before() -> Attempt | None:
    """The try that an earlier run of this activity made and did not come to write down."""
    for kept in activity.info().heartbeat_details:
        return Attempt.model_validate(kept)
    return None


def _state(attempt: Attempt, *, is_last: bool) -> DeliveryState:
    if attempt.succeeded:
        return DeliveryState.DELIVERED
    return DeliveryState.FAILED if is_last else DeliveryState.WAITING
