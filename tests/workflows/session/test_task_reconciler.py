"""The running tasks are the due ones, each once."""

import asyncio
from collections.abc import Mapping

import pytest

from domain.shared.errors import SessionNotFound
from workflows.session.task_reconciler import TaskBody, TaskReconciler


class Work:
    """Tasks that run until `may_end` is set."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.may_end = asyncio.Event()

    def stubborn(self, name: str) -> TaskBody:
        """A task that continues although it is cancelled, as a mail being sent does."""

        async def task() -> None:
            self.begun.append(name)
            while not self.may_end.is_set():
                try:
                    await self.may_end.wait()
                except asyncio.CancelledError:
                    continue

        return task

    def willing(self, name: str) -> TaskBody:
        async def task() -> None:
            self.begun.append(name)
            await self.may_end.wait()

        return task


async def a_moment() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


async def reconcile(tasks: TaskReconciler, due: Mapping[str, TaskBody]) -> None:
    tasks.reconcile(due)
    await a_moment()


async def test_a_due_task_runs_once() -> None:
    work, tasks = Work(), TaskReconciler()
    due = {"invite": work.willing("invite")}
    assert not tasks.is_reconciled(due)

    for _ in range(2):
        await reconcile(tasks, due)

    assert tasks.is_reconciled(due)
    assert work.begun == ["invite"]
    await tasks.cancel_all()


async def test_a_task_that_is_no_longer_due_ends() -> None:
    work, tasks = Work(), TaskReconciler()
    await reconcile(tasks, {"invite": work.willing("invite")})

    await reconcile(tasks, {})

    assert not tasks.is_reconciled({})
    tasks.reconcile({})
    assert tasks.is_reconciled({})


async def test_a_task_that_is_due_again_waits_for_its_cancelled_predecessor() -> None:
    work, tasks = Work(), TaskReconciler()
    due = {"invite": work.stubborn("invite")}
    await reconcile(tasks, due)
    await reconcile(tasks, {})

    await reconcile(tasks, due)
    assert tasks.is_reconciled(due)
    assert work.begun == ["invite"]
    work.may_end.set()
    await a_moment()

    assert not tasks.is_reconciled(due)
    tasks.reconcile({})
    assert tasks.is_reconciled({})


async def test_a_failure_is_raised() -> None:
    async def task() -> None:
        raise LookupError("a bug")

    tasks = TaskReconciler()
    await reconcile(tasks, {"record": task})

    with pytest.raises(LookupError):
        tasks.reconcile({"record": task})


async def test_stopping_waits_until_everything_has_ended() -> None:
    work, tasks = Work(), TaskReconciler()
    await reconcile(tasks, {"one": work.stubborn("one"), "two": work.willing("two")})

    stopping = asyncio.create_task(tasks.cancel_all())
    await a_moment()
    assert not stopping.done()
    work.may_end.set()
    await stopping

    assert tasks.is_reconciled({})


async def test_a_domain_error_of_a_cancelled_task_is_ignored() -> None:
    async def too_late() -> None:
        raise SessionNotFound

    tasks = TaskReconciler()
    await reconcile(tasks, {"generate": too_late})

    await tasks.cancel_all()

    assert tasks.is_reconciled({})
