"""Deliveries of callbacks."""

from datetime import timedelta
from typing import Protocol

from domain.callbacks.delivery import Delivery


class Deliveries(Protocol):
    """Deliveries of callbacks. Each method raises `Unavailable` when Temporal does not answer."""

    async def start(self, delivery: Delivery, wait: timedelta = timedelta()) -> None:
        """Has the callback delivered, after that wait. Durable when this returns; a second time has no effect."""
        ...

    async def retry_now(self, delivery: Delivery) -> None:
        """Has the callback tried now, and the schedule begin again. No effect while a try is under way."""
        ...
