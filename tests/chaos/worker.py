"""`python -m tests.chaos.worker`: the product's worker with backends that fail and places to die at.

Times that the product takes in seconds or minutes are shorter here, so that many sessions live through many faults.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

from temporalio import activity
from temporalio.client import Client
from temporalio.common import RetryPolicy
from temporalio.worker import (
    ActivityInboundInterceptor,
    ExecuteActivityInput,
    Interceptor,
    Worker,
)

import worker
from activities.callbacks import CallbackActivities, RetryLater
from activities.interface import DeliveryState
from adapters.processes.run import run_process
from config.settings import Settings
from domain.callbacks import delivery_schedule
from domain.callbacks.delivery_schedule import Delivery
from domain.ports.callbacks import OutgoingCallback
from domain.ports.database import DatabaseUnavailable
from domain.ports.mail import MailNotSent
from domain.ports.object_store import ObjectStoreError
from tests.chaos.switches import ENVIRONMENT, Switches
from workflows import activity_options

SWITCHES = Switches(Path(os.environ[ENVIRONMENT]))


class Mortal(Interceptor):
    """Dies before an activity, or after it took effect and before Temporal learns of it, when a switch is on."""

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:
        return _Dying(next)


class _Dying(ActivityInboundInterceptor):
    async def execute_activity(self, input: ExecuteActivityInput) -> Any:
        name = activity.info().activity_type
        SWITCHES.die_if_armed("before", name)
        result = await super().execute_activity(input)
        SWITCHES.die_if_armed("after", name)
        return result


class MortalDelivering(CallbackActivities):
    """Dies before a first try, or after its attempt was stored and before its delivery has begun in Temporal."""

    async def attempt_first(
        self, delivery: Delivery, outgoing: OutgoingCallback | None = None
    ) -> DeliveryState | RetryLater:
        SWITCHES.die_if_armed("before", "attempt_first")
        outcome = await super().attempt_first(delivery, outgoing)
        SWITCHES.die_if_armed("after", "attempt_first")
        return outcome


class Faulty:
    """Stands before an engine: every call of it fails, hangs or loses its answer while a switch says so."""

    def __init__(self, engine: object, name: str, failure: Exception) -> None:
        self._engine, self._name, self._failure = engine, name, failure

    def __getattr__(self, member: str) -> Callable[..., Awaitable[object]]:
        call = getattr(self._engine, member)

        async def through(*arguments: object, **named: object) -> object:
            while SWITCHES.is_on(f"hang-{self._name}"):  # noqa: ASYNC110  # another process ends it
                await asyncio.sleep(0.05)
            if SWITCHES.is_on(f"fail-{self._name}"):
                raise self._failure
            result: object = await call(*arguments, **named)
            if SWITCHES.is_on(f"lose-{self._name}"):
                raise self._failure
            return result

        return through


def in_front_of(make: Callable[..., object], name: str, failure: Exception) -> Callable[..., object]:
    return lambda *arguments: Faulty(make(*arguments), name, failure)


def with_faulty_objects(join: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[object]]:
    async def joined(*arguments: object) -> object:
        installation = await join(*arguments)
        return replace(installation, objects=Faulty(installation.objects, "storage", ObjectStoreError("chaos")))

    return joined


def mortal_worker(client: Client, **options: Any) -> Worker:  # as the product passes them
    options["interceptors"] = [*options.get("interceptors", ()), Mortal()]
    options.pop("workflow_runner")  # in the sandbox each run reads the policies that `prepare` has changed
    return Worker(client, **options)


def patch(module: ModuleType, **values: object) -> None:
    """Replaces attributes of a module of the product; fails if one does not exist."""
    for name, value in values.items():
        assert hasattr(module, name), f"{module.__name__} has no {name}"
        setattr(module, name, value)


def prepare() -> None:
    """Patches the faults, and shorter times, into the product's worker."""
    product: Any = worker
    patch(
        worker,
        Worker=mortal_worker,
        CallbackActivities=MortalDelivering,
        open_mailer=in_front_of(product.open_mailer, "mail", MailNotSent("chaos")),
        join_installation=with_faulty_objects(product.join_installation),
        DatabaseSessionRows=in_front_of(product.DatabaseSessionRows, "database", DatabaseUnavailable("chaos")),
    )
    retry = RetryPolicy(initial_interval=timedelta(milliseconds=200), maximum_interval=timedelta(seconds=3))
    policies = ("MAIL_RETRY", "GENERATE_RETRY", "ERASE_RETRY", "RECORD_RETRY", "DELIVER_RETRY", "ROWS_RETRY")
    patch(activity_options, **dict.fromkeys(policies, retry))
    patch(
        activity_options,
        IN_FLIGHT_GRACE=timedelta(seconds=10),
        HEARTBEAT=timedelta(seconds=3),
        RECORD_TIMEOUT=timedelta(seconds=5),
        RECORD_AND_SEND_TIMEOUT=timedelta(seconds=5),
        RECEIPT_TIMEOUT=timedelta(seconds=8),
        ERASE_TIMEOUT=timedelta(seconds=8),
    )
    patch(delivery_schedule, RETRY_WAITS=tuple(timedelta(seconds=seconds) for seconds in (0.5, 1, 2, 2, 3, 3, 5, 5, 5)))


if __name__ == "__main__":
    prepare()
    run_process(lambda: worker.run_worker(Settings()), "the worker failed")
