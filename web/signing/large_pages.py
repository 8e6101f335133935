"""Builds pages of large sessions in a thread, so that the event loop serves others meanwhile."""

from collections.abc import Callable
from typing import TypeVar

from application.off_loop import off_loop
from domain.session.session import Session

T = TypeVar("T")

_A_PAGE = 2_000
"""Bytes of a document that take as long as the image of a page."""


async def build_page(session: Session, build: Callable[[], T]) -> T:
    """Returns the result of `build`, a page with all documents of `session`, in the language of the reader."""
    text = sum(file.source.size for file in session.files if file.source)
    return await off_loop(text + _A_PAGE * sum(file.page_count for file in session.files), build)
