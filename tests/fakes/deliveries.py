"""Deliveries without Temporal: they are remembered."""

from datetime import timedelta

from domain.callbacks.delivery_schedule import Delivery
from domain.shared.errors import Unavailable
from domain.shared.ids import EventId


class FakeDeliveries:
    """Implements `domain.ports.callbacks.Deliveries`. While `is_down`, nothing can be begun; what is `refused`
    never.
    """

    def __init__(self) -> None:
        self.begun: list[Delivery] = []
        self.waits: list[timedelta] = []
        self.asked_for: list[Delivery] = []
        self.is_down = False
        self.refused: set[EventId] = set()
        self.refusals = 0

    async def start(self, delivery: Delivery, wait: timedelta = timedelta()) -> None:
        if self.is_down or delivery.event_id in self.refused:
            self.refusals += 1
            raise Unavailable
        self.begun.append(delivery)
        self.waits.append(wait)

    async def retry_now(self, delivery: Delivery) -> None:
        if self.is_down:
            raise Unavailable
        self.asked_for.append(delivery)
