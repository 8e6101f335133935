"""The delivery of one callback: tries by a schedule until one succeeds (contract 11), `callback/<eventId>`.

It holds identifiers only. What is sent, where to and what came of it is in the database.
"""

from datetime import timedelta

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from activities import interface
    from activities.interface import DeliveryOutcome
    from domain.deliveries import Delivery
    from workflows import policies
    from workflows.callback_schedule import LONGER_BY, WAITS
    from workflows.enduring import enduring


@workflow.defn(name="CallbackDelivery")
class CallbackDeliveryWorkflow:
    """Lives until the callback is delivered, or will not be tried again."""

    @workflow.init
    def __init__(self, delivery: Delivery) -> None:
        self._delivery = delivery
        self._tries = 0
        self._is_asked_for = False

    @workflow.run
    async def run(self, delivery: Delivery) -> str:  # noqa: ARG002  # the signature of `__init__`, as the SDK asks
        """Ends with what became of the callback."""
        return await enduring(self._deliver())

    async def _deliver(self) -> str:
        waits = list(WAITS)
        while True:
            outcome = await self._try(self._jittered(waits.pop(0)) if waits else None)
            if outcome.wait is None:
                return outcome.state.value
            if await self._wait(outcome.wait):
                waits = list(WAITS)

    @workflow.signal(description="Tries at once, and begins the schedule again. No effect while a try is under way.")
    def try_now(self) -> None:
        self._is_asked_for = True

    async def _try(self, planned_wait: timedelta | None) -> DeliveryOutcome:
        self._tries += 1
        asked = self._delivery.was_asked_for or self._is_asked_for
        outcome: DeliveryOutcome = await workflow.execute_activity(
            interface.deliver_callback,
            interface.DeliverRequest(
                delivery=self._delivery.model_copy(update={"was_asked_for": asked}),
                number=self._tries,
                planned_wait=planned_wait,
            ),
            start_to_close_timeout=policies.DELIVER_TIMEOUT,
            retry_policy=policies.DELIVER_RETRY,
            summary=f"Try {self._tries}",
        )
        return outcome

    async def _wait(self, duration: timedelta) -> bool:
        """Waits for so long, or until somebody asks for a try; whether somebody did."""
        self._is_asked_for = False
        try:
            await workflow.wait_condition(
                lambda: self._is_asked_for, timeout=duration, timeout_summary=f"Try {self._tries + 1}"
            )
        except TimeoutError:
            return False
        return True

    def _jittered(self, wait: timedelta) -> timedelta:
        return wait * (1 + LONGER_BY * workflow.random().random())
