"""Forms and annotations inside PDFs: those that show something else in every reader, and those that never end.

What seals a PDF walks through all its fields, and writes the annotations of its first page anew.
"""

from collections.abc import Iterator

from pikepdf import Array, Dictionary, Name, Object, Pdf

from application.uploads.pdf.errors import PdfRefused

MAX_FIELDS = 5_000
"""Fields of one form; tax returns have several hundred."""

MAX_ANNOTATIONS = 5_000
"""Annotations of one page."""

_DEEPEST = 32
"""Levels of fields within fields."""

_DRAWN_BY_READERS = (
    "The PDF has a form whose fields are drawn by each reader in its own way. Print it to a new PDF, which keeps what "
    "you see, and upload that."
)
_DAMAGED = "The form in the PDF is damaged. Print it to a new PDF, and upload that."
_TOO_MANY_FIELDS = f"The PDF has a form of more than {MAX_FIELDS:,} fields. Print it to a new PDF, and upload that."
_TOO_MANY_ANNOTATIONS = (
    f"A page of the PDF has more than {MAX_ANNOTATIONS:,} annotations. Print it to a new PDF, and upload that."
)


def check_form(pdf: Pdf) -> None:
    """Returns if the form, if there is any, is a tree of some size whose fields look the same in every reader.

    The order to draw them anew (ISO 32000-2: 12.7.3, NeedAppearances) is taken away with a seal, since it would change
    what was sealed; the fields would then look otherwise.

    Raises:
        PdfRefused: it is not.
    """
    form = pdf.Root.get(Name.AcroForm)
    if form is None:
        return
    if _count_fields(form.get(Name.Fields)) and bool(form.get(Name.NeedAppearances, False)):
        raise PdfRefused(_DRAWN_BY_READERS)


def check_annotations(page: Object) -> None:
    """Returns unless the page has more of them than anybody could read. Raises `PdfRefused`."""
    if len(page.get(Name.Annots, ())) > MAX_ANNOTATIONS:
        raise PdfRefused(_TOO_MANY_ANNOTATIONS)


def _count_fields(fields: Object | None) -> int:
    """How many there are. A field that is listed twice is none: so the walk ends."""
    seen: set[tuple[int, int]] = set()
    levels = [_fields(fields, seen)]
    count = 0
    while levels:
        field = next(levels[-1], None)
        if field is None:
            levels.pop()
            continue
        count += 1
        if count > MAX_FIELDS:
            raise PdfRefused(_TOO_MANY_FIELDS)
        if len(levels) > _DEEPEST:
            raise PdfRefused(_DAMAGED)
        levels.append(_fields(field.get(Name.Kids), seen))
    return count


def _fields(listed: Object | None, seen: set[tuple[int, int]]) -> Iterator[Object]:
    if listed is None:
        return
    if not isinstance(listed, Array):
        raise PdfRefused(_DAMAGED)
    for field in listed:
        if not isinstance(field, Dictionary) or (field.is_indirect and field.objgen in seen):
            raise PdfRefused(_DAMAGED)
        if field.is_indirect:
            seen.add(field.objgen)
        yield field
