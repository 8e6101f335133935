"""Deliveries, and warnings of pauses, without Temporal: they are remembered."""

from domain.deliveries import Delivery, Pause
from domain.errors import Unavailable


class FakeDeliveries:
    """Keeps `workflows.deliveries.Deliveries`. While `is_down`, nothing can be begun."""

    def __init__(self) -> None:
        self.begun: list[Delivery] = []
        self.asked_for: list[Delivery] = []
        self.is_down = False

    async def begin(self, delivery: Delivery) -> None:
        self._check()
        self.begun.append(delivery)

    async def again(self, delivery: Delivery) -> None:
        self._check()
        self.asked_for.append(delivery)

    def _check(self) -> None:
        if self.is_down:
            raise Unavailable


class FakeWarnings:
    """Keeps `activities.delivering.Warnings`."""

    def __init__(self) -> None:
        self.begun: list[Pause] = []

    async def begin(self, pause: Pause) -> None:
        self.begun.append(pause)
