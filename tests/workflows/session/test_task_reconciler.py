"""The running tasks are the due ones, each once."""

import asyncio

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

        async def chore() -> None:
            self.begun.append(name)
            while not self.may_end.is_set():
                try:
                    await self.may_end.wait()
                except asyncio.CancelledError:
                    continue

        return chore

    def willing(self, name: str) -> TaskBody:
        async def chore() -> None:
            self.begun.append(name)
            await self.may_end.wait()

        return chore


async def a_moment() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


async def test_a_due_task_runs_once() -> None:
    work, chores = Work(), TaskReconciler()
    due = {"invite": work.willing("invite")}
    assert not chores.is_reconciled(due)

    for _ in range(2):
        chores.reconcile(due)
        await a_moment()

    assert chores.is_reconciled(due)
    assert work.begun == ["invite"]
    await chores.cancel_all()


async def test_a_task_that_is_no_longer_due_ends() -> None:
    work, chores = Work(), TaskReconciler()
    chores.reconcile({"invite": work.willing("invite")})
    await a_moment()

    chores.reconcile({})
    await a_moment()

    assert not chores.is_reconciled({})
    chores.reconcile({})
    assert chores.is_reconciled({})


async def test_a_task_that_is_due_again_waits_for_its_cancelled_predecessor() -> None:
    work, chores = Work(), TaskReconciler()
    due = {"invite": work.stubborn("invite")}
    chores.reconcile(due)
    await a_moment()
    chores.reconcile({})
    await a_moment()

    chores.reconcile(due)
    await a_moment()
    assert chores.is_reconciled(due)
    assert work.begun == ["invite"]
    work.may_end.set()
    await a_moment()

    assert not chores.is_reconciled(due)
    chores.reconcile({})
    assert chores.is_reconciled({})


async def test_a_failure_is_raised() -> None:
    async def chore() -> None:
        raise LookupError("a bug")

    chores = TaskReconciler()
    chores.reconcile({"record": chore})
    await a_moment()

    with pytest.raises(LookupError):
        chores.reconcile({"record": chore})


async def test_stopping_waits_until_everything_has_ended() -> None:
    work, chores = Work(), TaskReconciler()
    chores.reconcile({"one": work.stubborn("one"), "two": work.willing("two")})
    await a_moment()

    stopping = asyncio.create_task(chores.cancel_all())
    await a_moment()
    assert not stopping.done()
    work.may_end.set()
    await stopping

    assert chores.is_reconciled({})


async def test_a_domain_error_of_a_cancelled_task_is_ignored() -> None:
    async def too_late() -> None:
        raise SessionNotFound

    chores = TaskReconciler()
    chores.reconcile({"generate": too_late})
    await a_moment()

    await chores.cancel_all()

    assert chores.is_reconciled({})
