"""Which object of a PDF refers to which: what is added to a sealed PDF must have the one place that evidence has.

A PDF can be prepared before it is sealed: a page may name a content that is not there yet, or one list may serve as the
store of certificates and as the contents of a page. What is added later would show there.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from io import BytesIO

import pikepdf

from pades.updates.syntax import DisallowedChange

TRAILER = 0
"""Stands for the trailer among the numbers of objects."""

AllowedReferrers = Mapping[int, Set[int]]
"""By the number of an object, the numbers of those that may refer to it, each of them once."""

_REFERENCE = re.compile(rb"(?<![^\s\[\]<>()/])(\d{1,10}) \d{1,5} R(?![^\s\[\]<>()/])")
_GENERATION_ABOVE_0 = re.compile(rb"(?<!\d)0*(\d{1,10})[\0\s]+0*[1-9]\d{0,4}[\0\s]+R(?![^\0\s\[\]<>()/%])")


def check_references(pdf: bytes, allowed: AllowedReferrers) -> None:
    """Returns if nothing in `pdf` refers to the objects in `allowed` but what may, and only once.

    Raises:
        ForeignAddition: something does, or the PDF cannot be read to its end.
    """
    try:
        with pikepdf.open(BytesIO(pdf), attempt_recovery=False, inherit_page_attributes=False) as opened:
            found: Counter[tuple[int, int]] = Counter()
            for referrer, written in _written(opened):
                found.update((int(number), referrer) for number in _REFERENCE.findall(written))
            packed = [one.read_bytes() for one in _objects(opened) if _is_object_stream(one)]
            is_sound = not opened.get_warnings()
    except (pikepdf.PdfError, ValueError, RuntimeError) as error:
        raise DisallowedChange("the PDF cannot be read to its end") from error
    counted = [(number, referrer, count) for (number, referrer), count in found.items() if number in allowed]
    is_held = all(count == 1 and referrer in allowed[number] for number, referrer, count in counted)
    others = {int(number) for part in (pdf, *packed) for number in _GENERATION_ABOVE_0.findall(part)}
    if not is_sound or not is_held or others & allowed.keys():
        raise DisallowedChange("what was there before refers to what was added")


def _written(opened: pikepdf.Pdf) -> Iterator[tuple[int, bytes]]:
    """Each object as it is written, streams without their content; the trailer too."""
    yield TRAILER, opened.trailer.unparse()
    for one in _objects(opened):
        if not isinstance(one, pikepdf.Stream):
            yield one.objgen[0], one.unparse(resolved=True)
            continue
        entries = pikepdf.Dictionary(dict(one.stream_dict.items()))
        if entries.get("/Type") == "/XRef":  # it names what the trailer names
            for key in {"/Root", "/Info"} & set(entries.keys()):
                del entries[key]
        yield one.objgen[0], entries.unparse()


def _objects(opened: pikepdf.Pdf) -> Iterator[pikepdf.Object]:
    """Those that can refer to others: the library gives numbers and truth values as Python has them."""
    return (one for one in opened.objects if isinstance(one, pikepdf.Object))


def _is_object_stream(one: pikepdf.Object) -> bool:
    return isinstance(one, pikepdf.Stream) and one.get("/Type") == "/ObjStm"
