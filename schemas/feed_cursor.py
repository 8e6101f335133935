"""Cursors of the feed of all events (Specification 4.21): opaque to clients."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Annotated

from pydantic import AfterValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from domain.audit.events import FeedPosition

_POSITION = re.compile(r"([0-9]{1,18}):([0-9a-f]{0,16})")


def cursor_of(position: FeedPosition) -> str:
    """Returns the cursor of the page that follows `position`."""
    return urlsafe_b64encode(f"{position.number}:{position.mark}".encode()).decode().rstrip("=")


def parse_cursor(cursor: str) -> FeedPosition:
    """Returns the position of a cursor. Raises `PydanticCustomError`."""
    try:
        text = cursor.encode("ascii")
        match = _POSITION.fullmatch(urlsafe_b64decode(text + b"=" * (-len(text) % 4)).decode("ascii"))
    except ValueError:
        match = None
    position = FeedPosition(int(match[1]), match[2]) if match else None
    if position is None or cursor_of(position) != cursor:
        raise PydanticCustomError("cursor", "Give the cursor of an earlier answer as it was, or none.")
    return position


def _check(cursor: str) -> str:
    parse_cursor(cursor)
    return cursor


Cursor = Annotated[str, AfterValidator(_check), WithJsonSchema({"type": "string", "maxLength": 50})]
"""The start of a page of the feed."""
