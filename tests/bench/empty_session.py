"""A workflow that does nothing, in as many steps as a session of two recipients takes: what Temporal itself costs."""

import asyncio
from datetime import timedelta

from temporalio import activity, workflow
from temporalio.client import Client, WorkflowHandle

from activities.interface import DOCUMENTS_QUEUE, SESSIONS_QUEUE

_TIMEOUT = timedelta(seconds=10)


@activity.defn
async def nothing_nearby(word: str) -> None:
    """In place of making a link."""


@activity.defn
async def nothing_recorded(word: str) -> None:
    """In place of recording the row."""


@activity.defn
async def nothing_mailed(word: str) -> None:
    """In place of an invitation."""


@activity.defn
async def nothing_generated(word: str) -> str:
    """In place of a signed document."""
    return word


@workflow.defn
class EmptySession:
    """One update for each act, with the activities that follow from it in a session."""

    def __init__(self) -> None:
        self._mails = 0
        self._signed = 0

    @workflow.run
    async def run(self) -> str:
        await self._record()
        for mails in (1, 2):
            await workflow.wait_condition(lambda n=mails: self._mails >= n)
            await workflow.execute_local_activity(nothing_nearby, "link", start_to_close_timeout=_TIMEOUT)
            await workflow.execute_activity(nothing_mailed, "mail", start_to_close_timeout=_TIMEOUT)
            await self._record()
        await workflow.wait_condition(lambda: self._signed == 2)
        await workflow.execute_activity(
            nothing_generated, "document", task_queue=DOCUMENTS_QUEUE, start_to_close_timeout=_TIMEOUT
        )
        await self._record()
        await workflow.sleep(60)
        return "done"

    @workflow.update
    async def act(self, word: str) -> str:
        self._mails += word in {"send", "first signature"}
        self._signed += "signature" in word
        await self._record()
        return word

    async def _record(self) -> None:
        await workflow.execute_activity(nothing_recorded, "row", start_to_close_timeout=_TIMEOUT)


ACTS = ("created", "send", "first view", "first signature", "second view", "second signature")


async def live(client: Client, name: str) -> WorkflowHandle[EmptySession, str]:
    """One of them from its start to its document."""
    handle = await client.start_workflow(EmptySession.run, id=name, task_queue=SESSIONS_QUEUE)
    for act in ACTS:
        await handle.execute_update(EmptySession.act, act)
    await asyncio.sleep(0)
    return handle
