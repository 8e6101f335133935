"""Work of a request's size leaves the event loop."""

import threading
from contextvars import ContextVar

from application.off_loop import LARGE, off_loop

language = ContextVar("language", default="en")


async def test_large_work_runs_in_a_thread_with_the_context_of_the_caller() -> None:
    language.set("de")

    here, there = [await off_loop(size, threading.current_thread) for size in (LARGE, LARGE + 1)]

    assert here is threading.main_thread()
    assert there.name.startswith("large-work")
    assert await off_loop(LARGE + 1, language.get) == "de"
