"""Compares the pages of an upload in two renderers. Runs in child processes, as uploads are untrusted."""

from base64 import b64encode
from typing import NamedTuple

BATCH = 20
"""Pages of one job: some seconds, far below the limit of time."""

_MAX_PICTURE = 1_000_000


class Difference(NamedTuple):
    """Page `page` (from 1) differs, or cannot be drawn. `picture` is a PNG as a `data:` address, if any."""

    page: int
    picture: str | None


def compare_readers(pdf: bytes, first: int, last: int) -> Difference | None:
    """Returns the first of the pages `first` to `last` that readers show differently, or that none can draw."""
    from layout.pdf.compare_pages import find_disagreement  # noqa: PLC0415  # only child processes may load renderers
    from layout.pdf.draw_page_images import NotDrawable  # noqa: PLC0415  # see above

    try:
        found = find_disagreement(pdf, range(first, last + 1))
    except NotDrawable:
        return Difference(first, None)
    if found is None:
        return None
    picture = found.picture
    shown = None if picture is None or len(picture) > _MAX_PICTURE else b64encode(picture).decode()
    return Difference(found.page, None if shown is None else f"data:image/png;base64,{shown}")
