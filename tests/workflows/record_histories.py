"""`python -m tests.workflows.record_histories`: records every story on a dev server, for `test_replay`.

Run it when a path is added. Histories that are there already are never recorded again: they stand for sessions that
run in the field, and must replay for as long as such sessions may exist.
"""

import asyncio
import os
import re
import sys
from pathlib import Path

from temporalio.contrib.pydantic import pydantic_data_converter
from temporalio.testing import WorkflowEnvironment

from tests.conftest import BINARIES
from tests.workflows.stage import set_stage
from tests.workflows.stories import STORIES
from workflows import search_attributes
from workflows.client import workflow_id

ROOT = Path(__file__).parent.parent.parent
HISTORIES = ROOT / "tests" / "histories"


def without_machine(history: str) -> str:
    """The history without the names of processes, hosts and folders."""
    history = re.sub(r'("identity": )"[^"]*"', r'\1"worker"', history)
    history = re.sub(r'"[^"]*@[^"@]*-[0-9a-f]{32}"', '"sticky"', history)
    return history.replace(f"{ROOT}/", "")


async def record() -> None:
    HISTORIES.mkdir(exist_ok=True)
    async with (
        await WorkflowEnvironment.start_local(
            dev_server_existing_path=str(BINARIES / "temporal"),
            search_attributes=list(search_attributes.ALL),
            data_converter=pydantic_data_converter,
        ) as environment,
        set_stage(environment.client) as stage,
    ):
        for name, story in STORIES.items():
            path = HISTORIES / f"{name}.json"
            if path.exists():
                continue
            session = await story(stage)
            handle = environment.client.get_workflow_handle(workflow_id(session.session_id))
            path.write_text(without_machine((await handle.fetch_history()).to_json()), encoding="utf-8")
            sys.stdout.write(f"recorded {path.name}\n")


if __name__ == "__main__":
    asyncio.run(record())
    sys.stdout.flush()
    os._exit(0)
