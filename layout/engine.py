"""The way into the engine: check a document, lay it out, paint it, stamp it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from layout.document import BlockDocument
from layout.issues import Issue
from layout.zones import Zone


@dataclass(frozen=True, slots=True)
class Rendered:
    """A document as pages. With issues there is no PDF; page count and zones are then as far as they could be found."""

    page_count: int
    zones: tuple[Zone, ...]
    issues: tuple[Issue, ...]
    pdf: bytes | None


@dataclass(frozen=True, slots=True)
class Mark:
    """What to put into one zone: text, a tick, or a picture (PNG bytes). Exactly one of them is set.

    `small_print` is a line of fine text under a signature.
    """

    zone: Zone
    text: str | None = None
    ticked: bool = False
    picture: bytes | None = None
    small_print: str | None = None


def render(document: BlockDocument, recipient_keys: Collection[str]) -> Rendered:
    """Lays `document` out and paints it; every issue of it is found, not the first one. Spec: 2.12, 7.3."""
    raise NotImplementedError


def stamp(pdf: bytes, marks: Sequence[Mark]) -> bytes:
    """`pdf` with every mark drawn into its zone; nothing on it stays editable. Same input, same bytes."""
    raise NotImplementedError
