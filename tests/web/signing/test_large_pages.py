"""A page with very many pages is built in a thread, while the event loop serves others."""

import sys
import threading
from types import FrameType
from typing import Any

import pytest

from domain.session.session import Session
from tests.web.desk import Desk, Visitor
from web.signing.large_pages import build_page

MANY = 2_000


def enlarged(session: Session, **changes: Any) -> Session:
    """The session with a file that is changed."""
    return session.model_copy(update={"files": (session.files[0].model_copy(update=changes),)})


@pytest.mark.parametrize("is_long", [False, True], ids=["of large text", "of many pages"])
async def test_pages_of_large_sessions_and_documents_are_built_in_a_thread(session: Session, *, is_long: bool) -> None:
    source = session.files[0].source
    assert source is not None
    large = {"page_count": MANY} if is_long else {"source": source.model_copy(update={"size": 200_000})}

    assert await build_page(session, threading.current_thread) is threading.main_thread()
    assert (await build_page(enlarged(session, **large), threading.current_thread)).name.startswith("large-work")


async def test_a_large_page_has_every_page_in_the_language_of_the_reader(
    desk: Desk, session: Session, ada: Visitor
) -> None:
    await desk.change(enlarged(session, page_count=MANY))

    page = await ada.browser.get(ada.path, headers={"Accept-Language": "de"})

    assert page.text.count('loading="lazy"') == MANY
    assert f"Seite {MANY} von {MANY}" in page.text


async def calls_of_the_loop(ada: Visitor) -> int:
    """How many functions the thread of the event loop calls while it serves the page, after it has served it once."""
    count = 0

    def counted(_frame: FrameType, event: str, _of: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    assert (await ada.browser.get(ada.path)).is_success
    sys.setprofile(counted)
    try:
        assert (await ada.browser.get(ada.path)).is_success
    finally:
        sys.setprofile(None)
    return count


async def test_the_work_of_the_event_loop_does_not_grow_with_the_pages(
    desk: Desk, session: Session, ada: Visitor
) -> None:
    counts = []
    for pages in (MANY // 4, MANY):
        await desk.change(enlarged(session, page_count=pages))
        counts.append(await calls_of_the_loop(ada))
    few, many = counts
    assert many < few * 1.2
