"""Builds pages of large sessions in a thread, so that the event loop serves others meanwhile."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeVar

from domain.session.session import Session

T = TypeVar("T")

_MANY_PAGES = 50
_LARGE = 100_000
"""Bytes of a document that are parsed in a few milliseconds."""

_THREAD = ThreadPoolExecutor(1, thread_name_prefix="large-pages")
"""One thread, so that large pages together take at most half of the interpreter's time from the event loop."""


def is_large(session: Session) -> bool:
    """Returns whether a page with all documents of `session` takes more than a few milliseconds to build."""
    size = sum(file.source.size for file in session.files if file.source)
    return size > _LARGE or sum(file.page_count for file in session.files) > _MANY_PAGES


async def build_page(session: Session, build: Callable[[], T]) -> T:
    """Returns the result of `build`: in a thread if `session` is large, with the language of the page."""
    return await _in_thread(build) if is_large(session) else build()


async def parse(content: bytes, read: Callable[[bytes], T]) -> T:
    """Returns the result of `read`: in a thread if `content` is large."""
    return await _in_thread(lambda: read(content)) if len(content) > _LARGE else read(content)


async def _in_thread(work: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(_THREAD, copy_context().run, work)
