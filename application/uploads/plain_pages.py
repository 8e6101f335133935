"""The pages of uploads as a plain tree: one node, whose leaves have all attributes themselves (ISO 32000-2, 7.7.3)."""

from collections.abc import Iterator
from decimal import Decimal

from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream

from application.uploads.pdf_keys import keep, key_set
from application.uploads.pdf_limits import PdfRefused, check_annotations
from layout.geometry import MAX_PAGES

_MAX_DEPTH = 100
_INHERITED = ("/Resources", "/MediaBox", "/CropBox", "/Rotate")
_PAGE = key_set(
    "Type Parent Resources MediaBox CropBox BleedBox TrimBox ArtBox Contents Rotate Group Annots "
    "StructParents Tabs Metadata AF"
)
_BOXES = ("/CropBox", "/BleedBox", "/TrimBox", "/ArtBox")
_LETTER = (0.0, 0.0, 612.0, 792.0)
"""The size of a page that states none, in all readers."""

_MAX_SIZE = 14_400
"""The longest side of a page, in points, that all readers draw (annex C)."""

_TOO_LARGE_A_PAGE = "A page of the PDF is longer than five metres. Make it smaller."
DAMAGED = "The PDF is damaged. Open it in another program, save or print it as a new PDF from there, and upload that."
_NO_PAGES = "The PDF has no pages."
_TOO_MANY_PAGES = f"The PDF has more than {MAX_PAGES:,} pages. Divide it."
_TREE = "a tree of pages that readers count differently"
ACTIONS = "actions that some readers run and others do not"
_UNITS = "pages in a unit of their own"

Box = tuple[float, float, float, float]


def find_pages(pdf: Pdf, found: set[str]) -> list[Object]:
    """Returns the leaves of the page tree in order, with inherited attributes. Raises `PdfRefused`."""
    root = pdf.Root.get(Name.Pages)
    if not isinstance(root, Dictionary):
        raise PdfRefused(DAMAGED)
    pages = list(_leaves(root, found))
    if not pages:
        raise PdfRefused(_NO_PAGES)
    if root.get(Name.Count) != len(pages):
        found.add(_TREE)
    return pages


def _leaves(root: Object, found: set[str]) -> Iterator[Object]:
    """Yields the leaves. Refuses nodes with two parents, so the walk ends."""
    seen = {root.objgen}
    levels: list[Iterator[tuple[Object, dict[str, Object]]]] = [iter([(root, {})])]
    count = 0
    while levels:
        node, above = next(levels[-1], (None, {}))
        if node is None:
            levels.pop()
            continue
        if not _is_leaf(node, found):
            if len(levels) > _MAX_DEPTH:
                raise PdfRefused(DAMAGED)
            inherited = {**above, **{key: node[key] for key in _INHERITED if key in node}}
            levels.append((kid, inherited) for kid in _kids(node, seen))
            continue
        count += 1
        if count > MAX_PAGES:
            raise PdfRefused(_TOO_MANY_PAGES)
        check_annotations(node)
        for key, value in above.items():
            if node.get(key) is None:
                node[key] = value
        yield node


def _is_leaf(node: Object, found: set[str]) -> bool:
    kids, is_page = node.get(Name.Kids), node.get(Name.Type) == Name.Page
    is_leaf = kids is None or (isinstance(kids, Array) and not len(kids) and is_page)
    if is_leaf != is_page or (kids is not None) == is_leaf:
        found.add(_TREE)
    return is_leaf


def _kids(node: Object, seen: set[tuple[int, int]]) -> Iterator[Object]:
    kids = node.Kids
    if not isinstance(kids, Array):
        raise PdfRefused(DAMAGED)
    for kid in kids:
        if not isinstance(kid, Dictionary) or not kid.is_indirect or kid.objgen in seen:
            raise PdfRefused(DAMAGED)
        seen.add(kid.objgen)
        yield kid


def rebuild_tree(pdf: Pdf, pages: list[Object]) -> None:
    """Replaces the page tree by one node with the leaves `pages`."""
    root = pdf.make_indirect(Dictionary(Type=Name.Pages, Kids=Array(pages), Count=len(pages)))
    for page in pages:
        page[Name.Parent] = root
    pdf.Root[Name.Pages] = root


def plain_page(page: Object, found: set[str]) -> None:
    """Makes the attributes of a leaf plain. Its resources, contents and annotations are other functions' work."""
    if page.get(Name.UserUnit, 1) != 1:
        found.add(_UNITS)
    if Name.AA in page:
        found.add(ACTIONS)
    keep(page, _PAGE)
    page[Name.Type] = Name.Page
    media = _box(page.get(Name.MediaBox)) or _LETTER
    if max(media[2] - media[0], media[3] - media[1]) > _MAX_SIZE:
        raise PdfRefused(_TOO_LARGE_A_PAGE)
    page[Name.MediaBox] = _written(media)
    for key in _BOXES:
        box = _box(page.get(key))
        inner = None if box is None else _intersection(box, media)
        if inner is not None:
            page[key] = _written(inner)
        elif key in page:
            del page[key]
    turn = page.get(Name.Rotate, 0)
    turn = int(turn) % 360 if isinstance(turn, int | Decimal) and turn % 90 == 0 else 0
    if turn:
        page[Name.Rotate] = turn
    elif Name.Rotate in page:
        del page[Name.Rotate]
    if not isinstance(page.get(Name.Resources), Dictionary):
        page[Name.Resources] = Dictionary()


def content_streams(page: Object, found: set[str]) -> list[Object]:
    """Returns the content streams of a page, and leaves only those in it."""
    contents = page.get(Name.Contents)
    listed = list(contents) if isinstance(contents, Array) else [contents]
    streams: list[Object] = [stream for stream in listed if isinstance(stream, Stream)]
    if len(streams) < len(listed) and contents is not None:
        found.add("contents of pages that are missing")
    if not streams:
        if contents is not None:
            del page[Name.Contents]
    else:
        page[Name.Contents] = streams[0] if len(streams) == 1 else Array(streams)
    return streams


def _box(value: Object | None) -> Box | None:
    """Returns left, bottom, right and top; None if this is no rectangle or an empty one."""
    if not isinstance(value, Array) or len(value) != 4:
        return None
    if not all(isinstance(side, int | float | Decimal) for side in value):
        return None
    left, bottom, right, top = (float(side) for side in value)
    box = (min(left, right), min(bottom, top), max(left, right), max(bottom, top))
    return box if box[0] < box[2] and box[1] < box[3] else None


def _intersection(one: Box, other: Box) -> Box | None:
    box = (max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3]))
    return box if box[0] < box[2] and box[1] < box[3] else None


def _written(box: Box) -> Array:
    return Array([int(side) if side == int(side) else Decimal(f"{side:.5f}").normalize() for side in box])
