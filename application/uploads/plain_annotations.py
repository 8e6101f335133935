"""Annotations and form fields of uploads: drawn into the pages, or removed (ISO 32000-2, 12.5 and 12.7).

Readers draw annotations by their flags, some without an appearance, and fields by their values. What a screen shows is
therefore made a part of the page. Links stay, if they lead to a page of the file or to an address.
"""

from decimal import Decimal

from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream, String

from application.uploads.annotation_looks import draw_look
from application.uploads.pdf_keys import keep, key_set
from application.uploads.pdf_limits import PdfRefused
from application.uploads.plain_layers import Layers
from application.uploads.plain_pages import ACTIONS
from domain.ports.uploads import PRINT_AGAIN

_LINK = key_set("Type Subtype Rect QuadPoints A Dest H StructParent Contents Border F NM M Lang")

_SCHEMES = ("http:", "https:", "mailto:")
_HIDDEN, _PRINT, _NO_VIEW = 2, 4, 32
_WIDEST_BORDER = 3

_NO_LOOKS = (
    "Page {page} of the PDF has a remark ({kind}) that each PDF reader draws in its own way, or not at all. "
    f"{PRINT_AGAIN}"
)
_UNSIGNED = "a signature field that is not signed but has looks of its own"
_DIFFERENT_IN_PRINT = "remarks or fields that differ between screen and print"


def plain_action(holder: Object) -> bool:
    """Keeps `/A` of `holder` if it leads to a page of the file or an address, and nothing else of it.

    Returns whether another action was removed.
    """
    action = holder.get(Name.A)
    if action is None:
        return False
    kept = _plain_action(action)
    if kept is None:
        del holder[Name.A]
        return True
    chained = isinstance(action, Dictionary) and Name.Next in action
    holder[Name.A] = kept
    return chained


def _plain_action(action: Object) -> Dictionary | None:
    if not isinstance(action, Dictionary):
        return None
    kind, address, place = action.get(Name.S), action.get(Name.URI), action.get(Name.D)
    if kind == Name.GoTo and isinstance(place, Array | Name | String):
        return Dictionary(S=Name.GoTo, D=place)
    if kind == Name.URI and isinstance(address, String) and str(address).strip().lower().startswith(_SCHEMES):
        return Dictionary(S=Name.URI, URI=address)
    return None


def prepare_annotations(pdf: Pdf, page: Object, number: int, layers: Layers, found: set[str]) -> None:
    """Leaves the annotations of a page that have an appearance to be drawn, and links.

    `number` counts from 1. Raises `PdfRefused` for an annotation that draws without one.
    """
    listed = page.get(Name.Annots)
    kept = []
    for annotation in listed if isinstance(listed, Array) else ():
        if not isinstance(annotation, Dictionary):
            continue
        if _stays(pdf, annotation, number, layers, found):
            kept.append(annotation if annotation.is_indirect else pdf.make_indirect(annotation))
        else:
            clear(annotation)
    if kept:
        page[Name.Annots] = Array(kept)
    elif listed is not None:
        del page[Name.Annots]


def clear(annotation: Object) -> None:
    """Empties an annotation, to which the structure tree may still refer."""
    keep(annotation, frozenset())


def _stays(pdf: Pdf, annotation: Object, number: int, layers: Layers, found: set[str]) -> bool:
    kind = str(annotation.get(Name.Subtype, Name("/None")))
    if Name.AA in annotation or Name.PA in annotation:
        found.add(ACTIONS)
    if not _is_seen(annotation, layers, found):
        return False
    if kind == "/Link":
        return _plain_link(annotation, found)
    if Name.A in annotation:
        found.add(ACTIONS)
    normal = _appearance(annotation)
    if kind == "/Widget" and _field_type(annotation) == "/Sig":
        if normal is not None and _value(annotation) is None and not _is_empty(annotation):
            found.add(_UNSIGNED)
        return normal is not None and _value(annotation) is not None
    if normal is None:
        return not _is_empty(annotation) and _is_drawn_by_us(pdf, annotation, number, found)
    if kind == "/Popup" or _is_empty(annotation):
        found.add("remarks with looks but without a place")
        return False
    return True


def _is_drawn_by_us(pdf: Pdf, annotation: Object, number: int, found: set[str]) -> bool:
    """Gives an annotation the appearance that it lacks, and returns whether it has one now."""
    if draw_look(pdf, annotation):
        found.add("remarks that each PDF reader draws in its own way")
        return True
    kind = annotation.get(Name.Subtype)
    if kind == Name.Stamp or (kind == Name.FreeText and str(annotation.get(Name.Contents, "")).strip()):
        # people would miss these words
        raise PdfRefused(_NO_LOOKS.format(page=number, kind=str(kind)[1:]))
    return False


def _is_seen(annotation: Object, layers: Layers, found: set[str]) -> bool:
    """Returns whether a screen shows the annotation. Removes its layer."""
    value = annotation.get(Name.F)
    flags = int(value) if isinstance(value, int | Decimal) else 0
    is_drawn = annotation.get(Name.Subtype) not in {Name.Link, Name.Popup} and not _is_empty(annotation)
    if is_drawn and not flags & _HIDDEN and bool(flags & _PRINT) == bool(flags & _NO_VIEW):
        found.add(_DIFFERENT_IN_PRINT)
    layer = annotation.get(Name.OC)
    if layer is not None:
        found.add("layers of remarks")
        del annotation[Name.OC]
    return not flags & (_HIDDEN | _NO_VIEW) and (layer is None or layers.is_shown(layer))


def _plain_link(link: Object, found: set[str]) -> bool:
    if plain_action(link):
        found.add(ACTIONS)
    if _border(link) > _WIDEST_BORDER or Name.AP in link:
        found.add("links with looks of their own")
    keep(link, _LINK)
    link[Name.Border] = Array([0, 0, 0])
    return Name.A in link or isinstance(link.get(Name.Dest), Array | Name | String)


def _border(link: Object) -> float:
    style, border = link.get(Name.BS), link.get(Name.Border)
    width = style.get(Name.W) if isinstance(style, Dictionary) else None
    if width is None and isinstance(border, Array) and len(border) > 2:
        width = border[2]
    return float(width) if isinstance(width, int | float | Decimal) else 1


def _appearance(annotation: Object) -> Object | None:
    """Returns the stream of the normal appearance in its present state."""
    appearances = annotation.get(Name.AP)
    normal = appearances.get(Name.N) if isinstance(appearances, Dictionary) else None
    if isinstance(normal, Stream):
        return normal
    state = annotation.get(Name.AS)
    shown = normal.get(state) if isinstance(normal, Dictionary) and isinstance(state, Name) else None
    return shown if isinstance(shown, Stream) else None


def _field_type(widget: Object) -> str | None:
    kind = _inherited(widget, Name.FT)
    return None if kind is None else str(kind)


def _value(widget: Object) -> Object | None:
    value = _inherited(widget, Name.V)
    return value if isinstance(value, Dictionary) else None


def _inherited(widget: Object, key: Name) -> Object | None:
    field: Object | None = widget
    for _ in range(32):
        if not isinstance(field, Dictionary):
            return None
        if key in field:
            return field[key]
        field = field.get(Name.Parent)
    return None


def _is_empty(annotation: Object) -> bool:
    box = annotation.get(Name.Rect)
    if not isinstance(box, Array) or len(box) != 4:
        return True
    left, bottom, right, top = (float(side) if isinstance(side, int | float | Decimal) else 0.0 for side in box)
    return left == right or bottom == top
