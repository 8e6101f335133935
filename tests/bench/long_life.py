"""`python -m tests.bench.long_life`: how long the histories of a session become in two years.

Its 20 recipients are reminded every day and open the documents thousands of times. A day lasts half a second here.
"""

import asyncio
import logging
import os
import sys
from datetime import timedelta

from temporalio.client import Client

from adapters.temporal.dev_server import TUNING
from domain import reminders
from domain.ids import SessionId
from domain.reminders import ReminderFrequency
from domain.workflow_ids import session_workflow_id
from tests.builders import created, recipient
from tests.workflows.acts import opened_by
from tests.workflows.servers import dev_server
from tests.workflows.stage import Stage, invited, seen, set_stage
from tests.workflows.waiting import eventually
from workflows import client as sessions_client

RECIPIENTS = 20
DAYS = 730
DAY = 0.5
"""Seconds."""
VIEWS = 4000


async def live(stage: Stage) -> SessionId:
    """The session after its two years."""
    step = created(
        *(recipient(f"r{number}") for number in range(RECIPIENTS)),
        name="Two years",
        reminder_enabled=True,
        reminder_frequency=ReminderFrequency.DAILY,
    )
    session = await invited(stage, await stage.start(step), RECIPIENTS)
    for view in range(VIEWS):
        await stage.sessions.view(session.session_id, opened_by(session, f"r{view % RECIPIENTS}"))
    await eventually(
        lambda: seen(stage, session), lambda now: now.recipients[0].reminders_delivered >= DAYS, tries=10**6
    )
    sent = len(stage.effects.reminded)
    print(f"{RECIPIENTS} recipients, {VIEWS} views, {sent} reminders, {sent / RECIPIENTS:.0f} each")
    return session.session_id


async def describe(client: Client, session_id: SessionId) -> None:
    """Prints how long each run's history became."""
    workflow_id = session_workflow_id(session_id)
    run = (
        await client.get_workflow_handle(workflow_id).describe()
    ).raw_description.workflow_execution_info.first_run_id
    number = 0
    while run:
        number += 1
        history = await client.get_workflow_handle(workflow_id, run_id=run).fetch_history()
        size = sum(event.ByteSize() for event in history.events)
        print(f"run {number:2}: {len(history.events):5} events (limit 51200), {size / 1e6:.2f} MB (limit 50)")
        run = history.events[-1].workflow_execution_continued_as_new_event_attributes.new_execution_run_id


async def measure() -> None:
    async with dev_server(*TUNING) as environment, set_stage(environment.client) as stage:
        await describe(environment.client, await live(stage))


if __name__ == "__main__":
    logging.disable()
    sessions_client.READ_TIMEOUT = sessions_client.WRITE_TIMEOUT = timedelta(minutes=1)  # nobody waits here
    reminders._DAYS[ReminderFrequency.DAILY] = DAY / 86_400  # type: ignore[assignment]
    asyncio.run(measure())
    sys.stdout.flush()
    os._exit(0)
