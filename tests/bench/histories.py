"""`make bench-histories`: bytes of the history of one session, by recipients and by how its payloads are written."""

import asyncio
import os
import sys
from uuid import uuid4

from domain.workflow_ids import session_workflow_id
from tests.builders import created, file, recipient
from tests.workflows.acts import opened_by, signed_by
from tests.workflows.servers import dev_server
from tests.workflows.stage import Stage, invited, seen, set_stage
from tests.workflows.waiting import eventually
from workflows.sdk.connection import connect
from workflows.sdk.payload_keys_setting import new_payload_key, read_payload_keys
from workflows.sdk.temporal_settings import TemporalConfig

RECIPIENTS = (2, 5, 10, 20)


async def measure() -> None:
    key = new_payload_key()
    ways = {"plain": "none", "encrypted": key.removeprefix("zlib:"), "compressed and encrypted": key}
    async with dev_server() as environment:
        address = environment.client.service_client.config.target_host
        for way, keys in ways.items():
            client = await connect(TemporalConfig(address, payload_keys=read_payload_keys(keys)))
            async with set_stage(client) as stage:
                sizes = [f"{await _history_bytes(stage, n) / 1000:.0f} KB for {n} recipients" for n in RECIPIENTS]
            print(f"{way}: {', '.join(sizes)}")


async def _history_bytes(stage: Stage, recipients: int) -> int:
    """Returns the bytes of the history of a session that all recipients have viewed and signed, one after another."""
    people = [recipient(f"person{number}", signing_order=number) for number in range(1, recipients + 1)]
    session = await stage.start(created(*people, files=(file("One"),), name=f"Agreement {uuid4()}"))
    for number, person in enumerate(people, 1):
        await invited(stage, session, number)
        await stage.sessions.act(session, opened_by(person.key))
        await stage.sessions.act(session, signed_by(person.key))
    await eventually(lambda: seen(stage, session), lambda now: now.status == "completedAndGenerated")
    history = await stage.client.get_workflow_handle(session_workflow_id(session.session_id)).fetch_history()
    return sum(event.ByteSize() for event in history.events)


if __name__ == "__main__":
    asyncio.run(measure())
    sys.stdout.flush()
    os._exit(0)
