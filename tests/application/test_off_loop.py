"""Work of a request's size leaves the event loop."""

import asyncio
import threading
from contextlib import suppress
from contextvars import ContextVar
from typing import Any

from pydantic import BaseModel, field_validator

from application.errors import InvalidRequest
from application.off_loop import LARGE, off_loop
from application.parse_json import parse_json
from application.schemas.session_from_template import SessionFromTemplate
from application.templates.create_session import fill_template
from domain.ports.process_pool import run_jobs_for
from tests.api.service import Service
from tests.builders import template

language = ContextVar("language", default="en")


async def test_large_work_runs_in_a_thread_with_the_context_of_the_caller() -> None:
    language.set("de")

    here, there = [await off_loop(size, threading.current_thread) for size in (LARGE, LARGE + 1)]

    assert here is threading.main_thread()
    assert there.name.startswith("large-work")
    assert await off_loop(LARGE + 1, language.get) == "de"


async def test_the_large_work_of_one_organisation_leaves_a_thread_to_others() -> None:
    end, started, begun = threading.Event(), threading.Semaphore(0), list[str]()

    async def work(organisation: str) -> None:
        run_jobs_for(organisation)
        await off_loop(LARGE + 1, lambda: (begun.append(organisation), started.release(), end.wait()))

    busy = [asyncio.create_task(work("busy")) for _ in range(20)]
    await asyncio.to_thread(started.acquire)
    other = asyncio.create_task(work("other"))
    await asyncio.to_thread(started.acquire)
    assert begun == ["busy", "other"]
    end.set()
    await asyncio.gather(*busy, other)


class Witness(BaseModel):
    """A request that stores the thread in which it is parsed."""

    text: str
    thread: str = ""

    @field_validator("thread")
    @classmethod
    def _name_thread(cls, _: str) -> str:
        return threading.current_thread().name


async def test_a_large_body_is_parsed_in_a_thread(service: Service) -> None:
    def body(size: int) -> bytes:
        return b'{"text": "%s", "thread": ""}' % (b"a" * size)

    services = service.services()
    assert (await parse_json(body(10), Witness, services)).thread == threading.main_thread().name
    assert (await parse_json(body(LARGE), Witness, services)).thread.startswith("large-work")


async def test_a_template_is_filled_in_a_thread() -> None:
    seen = set[str]()

    class Values(dict[str, Any]):
        def __contains__(self, name: object) -> bool:
            seen.add(threading.current_thread().name)
            return super().__contains__(name)

    request = SessionFromTemplate.model_construct(variable_values=Values(x="ada@example.com"))
    with suppress(InvalidRequest):  # the recipient has no name
        await fill_template(template("Lease"), request)
    assert seen
    assert all(name.startswith("large-work") for name in seen)
