"""Tagged content streams of pages: frames in reading order, as marked content.

Texts belong to the element of their frame. A shape belongs to the zone that follows it in the frame, and in a figure to
the figure; other shapes are artifacts. Screen readers read a header band once, and footers never.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter

from layout.frames import PROSE, Placed, Role, Text, UnplacedZone
from layout.geometry import PAGE_HEIGHT, Rect
from layout.paging.pagination import Page
from layout.pdf.content_stream import paint_shape, paint_texts
from layout.pdf.foreign_language_spans import split_at_scripts
from layout.pdf.structure import ARTIFACT, END, PAGINATION, Element, Structure
from layout.text.character_codes import FontEncoding

_LINK_OF = attrgetter("link")
_MARKED_BY = attrgetter("link", "language")
_ABOVE_BASELINE, _BELOW_BASELINE = 0.935, 0.265  # of the font size: the area of a link


@dataclass(frozen=True, slots=True)
class LinkArea:
    """The area of a hyperlink, in page coordinates, with its target and element."""

    rect: Rect
    target: str
    element: Element


@dataclass(slots=True)
class PagePainter:
    """Paints one page, for which `Structure.begin_page` was called. Collects its `links`.

    If `language` (that of the document) is set, runs in other scripts are tagged with their own language.
    """

    encoding: FontEncoding
    tree: Structure
    language: str | None = None
    links: list[LinkArea] = field(default_factory=list)
    _pieces: list[str] = field(default_factory=list)

    def paint(self, page: Page) -> bytes:
        """Returns the content stream of `page`."""
        for at in page.placed:
            self._frame(at, self.tree.document)
        return self.encoding.encode("\n".join(self._pieces))

    def _frame(self, at: Placed, parent: Element) -> None:
        frame = at.frame
        if frame.role is Role.ARTIFACT:
            self._artifact(at)
        elif frame.role is not Role.GAP:
            self._items(at, self.tree.frame_element(at, parent))
        elif frame.items:
            self._put(ARTIFACT, self._decoration(at))

    def _items(self, at: Placed, element: Element) -> None:
        texts: list[Text] = []
        shapes: list[str] = []
        for item in at.frame.items:
            if isinstance(item, Text):
                texts.append(item)
                continue
            if isinstance(item, UnplacedZone):
                self._texts(texts, at, element)
                form = self.tree.zone_element(item, element)
                if shapes:
                    self._put(self.tree.mark(form), shapes)
                texts, shapes = [], []
            elif isinstance(item, Placed):
                self._texts(texts, at, element)
                texts = []
                self._frame(_moved(item, at), element)
            else:
                if texts:  # a caption after a rule does not continue the label before it
                    self._texts(texts, at, element)
                    texts = []
                shapes.append(paint_shape(item, at))
        self._texts(texts, at, element)
        if shapes:
            self._put(self.tree.mark(element) if at.frame.role is Role.FIGURE else ARTIFACT, shapes)

    def _texts(self, texts: Sequence[Text], at: Placed, element: Element) -> None:
        if not texts:
            return
        owner = self._owner(at.frame.role, element)
        origin = (at.x, PAGE_HEIGHT - at.y)
        if self.language is None and not any(map(_LINK_OF, texts)):
            self._put(self.tree.mark(owner), paint_texts(texts, origin, self.encoding))
            return
        parts = texts if self.language is None else split_at_scripts(texts, self.language)
        for (target, language), run in groupby(parts, key=_MARKED_BY):
            pieces = tuple(run)
            marked = owner
            if target is not None:
                marked = self.tree.add("Link", owner)
            elif language is not None:
                marked = self.tree.add("Span", owner, f"/Lang ({language})")
            self._put(self.tree.mark(marked), paint_texts(pieces, origin, self.encoding))
            if target is not None:
                self.links += (LinkArea(_area(piece, at), target, marked) for piece in pieces)

    def _owner(self, role: Role, element: Element) -> Element:
        """Returns the element that a frame's texts belong to."""
        if role is Role.ITEM:
            return self.tree.list_body(element)
        return element if role in PROSE else self.tree.add("P", element)

    def _artifact(self, at: Placed) -> None:
        """Paints a header band or footer. Nested frames are read when they first appear; the rest are artifacts."""
        parts = [_moved(item, at) for item in at.frame.items if isinstance(item, Placed)]
        if parts and self.tree.reads_band(at.frame.path):
            self._put(PAGINATION, self._decoration(at))
            for part in parts:
                self._frame(part, self.tree.document)
        else:
            self._put(PAGINATION, [piece for one in (at, *parts) for piece in self._decoration(one)])

    def _decoration(self, at: Placed) -> list[str]:
        """Returns the operators of a frame's own items."""
        own = [item for item in at.frame.items if not isinstance(item, UnplacedZone | Placed)]
        pieces = [paint_shape(item, at) for item in own if not isinstance(item, Text)]
        texts = [item for item in own if isinstance(item, Text)]
        if texts:
            pieces += paint_texts(texts, (at.x, PAGE_HEIGHT - at.y), self.encoding)
        return pieces

    def _put(self, mark: str, operators: Iterable[str]) -> None:
        self._pieces.append(mark)
        self._pieces += operators
        self._pieces.append(END)


def _moved(inner: Placed, outer: Placed) -> Placed:
    """Returns a nested frame with its position on the page."""
    return Placed(outer.x + inner.x, outer.y + inner.y, inner.frame)


def _area(text: Text, at: Placed) -> Rect:
    size = text.style.size
    top = at.y + text.y - _ABOVE_BASELINE * size
    return Rect(at.x + text.x, top, text.width, (_ABOVE_BASELINE + _BELOW_BASELINE) * size)
