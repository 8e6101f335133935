"""References between the objects of a PDF: an added object must be referenced only where validation data belongs.

A PDF can be prepared for an attack before it is sealed: a page may refer to a content stream that does not exist yet,
or share an array with the document security store. Objects added later would then appear on the page.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from io import BytesIO

import pikepdf

from pades.updates.syntax import DisallowedChange

TRAILER = 0
"""Number that stands for the trailer among object numbers."""

AllowedReferrers = Mapping[int, Set[int]]
"""By object number, the numbers of the objects that may refer to it, each once."""

_REFERENCE = re.compile(rb"(?<![^\s\[\]<>()/])(\d{1,10}) \d{1,5} R(?![^\s\[\]<>()/])")
_GENERATION_ABOVE_0 = re.compile(rb"(?<!\d)0*(\d{1,10})[\0\s]+0*[1-9]\d{0,4}[\0\s]+R(?![^\0\s\[\]<>()/%])")


def check_references(pdf: bytes, allowed: AllowedReferrers) -> None:
    """Checks that each object in `allowed` is referenced by its allowed referrers only, and by each only once.

    Raises:
        DisallowedChange: another reference exists, or the PDF cannot be read completely.
    """
    try:
        with pikepdf.open(BytesIO(pdf), attempt_recovery=False, inherit_page_attributes=False) as opened:
            counts: Counter[tuple[int, int]] = Counter()
            for referrer, written in _written(opened):
                counts.update((int(number), referrer) for number in _REFERENCE.findall(written))
            packed = [one.read_bytes() for one in _objects(opened) if _is_object_stream(one)]
            is_sound = not opened.get_warnings()
    except (pikepdf.PdfError, ValueError, RuntimeError) as error:
        raise DisallowedChange("the PDF cannot be read to its end") from error
    counted = [(number, referrer, count) for (number, referrer), count in counts.items() if number in allowed]
    is_allowed = all(count == 1 and referrer in allowed[number] for number, referrer, count in counted)
    others = {int(number) for part in (pdf, *packed) for number in _GENERATION_ABOVE_0.findall(part)}
    if not is_sound or not is_allowed or others & allowed.keys():
        raise DisallowedChange("what was there before refers to what was added")


def _written(opened: pikepdf.Pdf) -> Iterator[tuple[int, bytes]]:
    """Yields the trailer and each object as written, streams without their contents."""
    yield TRAILER, opened.trailer.unparse()
    for one in _objects(opened):
        if not isinstance(one, pikepdf.Stream):
            yield one.objgen[0], one.unparse(resolved=True)
            continue
        entries = pikepdf.Dictionary(dict(one.stream_dict.items()))
        if entries.get("/Type") == "/XRef":  # it has the same references as the trailer
            for key in {"/Root", "/Info"} & set(entries.keys()):
                del entries[key]
        yield one.objgen[0], entries.unparse()


def _objects(opened: pikepdf.Pdf) -> Iterator[pikepdf.Object]:
    """Yields the objects that can hold references; pikepdf returns numbers and booleans as Python values."""
    return (one for one in opened.objects if isinstance(one, pikepdf.Object))


def _is_object_stream(one: pikepdf.Object) -> bool:
    return isinstance(one, pikepdf.Stream) and one.get("/Type") == "/ObjStm"
