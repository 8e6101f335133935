"""Titles and other metadata of a PDF. Programs that add evidence may note in them that they have saved it, and when."""

from collections.abc import Iterable
from io import BytesIO

from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.metadata.xmp_xml import XmpXmlProcessingError, meta_from_xmp, parse_xmp
from pyhanko.pdf_utils.reader import HistoricalResolver
from pyhanko.sign.diff_analysis import (
    DocInfoRule,
    MetadataUpdateRule,
    ReferenceUpdate,
    SuspiciousModification,
    WhitelistRule,
)

_SAVING = frozenset({"/ModDate", "/Producer"})


class SameMetadata(WhitelistRule):
    """Lets metadata be written anew that say the same of the document, and who saved the file when."""

    def apply(self, old: HistoricalResolver, new: HistoricalResolver) -> Iterable[ReferenceUpdate]:
        """The objects that may change; raises `SuspiciousModification` where something else is said."""
        if _information(old) != _information(new):
            raise SuspiciousModification("the document is said to be another")
        yield from DocInfoRule().apply(old, new)
        if _packet(old) == _packet(new):
            return  # as they were, and be it that they are none
        if _told(old) != _told(new):
            raise SuspiciousModification("the metadata say something else")
        yield from MetadataUpdateRule().apply(old, new)  # type: ignore[no-untyped-call]


def _information(revision: HistoricalResolver) -> dict[str, str]:
    trailer = revision.trailer_view
    if "/Info" not in trailer:
        return {}
    found = _object(revision, trailer.raw_get("/Info"))
    if not isinstance(found, generic.DictionaryObject):
        raise SuspiciousModification("what is said about the document is no dictionary")
    return {str(key): repr(found.raw_get(key)) for key in found if str(key) not in _SAVING}


def _packet(revision: HistoricalResolver) -> bytes | None:
    """The metadata as they are written."""
    if "/Metadata" not in revision.root:
        return None
    stream = _object(revision, revision.root.raw_get("/Metadata"))
    if not isinstance(stream, generic.StreamObject):
        raise SuspiciousModification("the metadata are no stream")
    return bytes(stream.data)


def _told(revision: HistoricalResolver) -> list[str]:
    """What the metadata say of the document."""
    try:
        found = meta_from_xmp(parse_xmp(BytesIO(_packet(revision) or b"")))
    except (XmpXmlProcessingError, ValueError) as error:
        raise SuspiciousModification("the metadata cannot be read") from error
    return [repr(told) for told in (found.title, found.author, found.subject, found.keywords, found.creator)]


def _object(revision: HistoricalResolver, held: generic.PdfObject) -> generic.PdfObject:
    """As it was in that revision, with what belongs to streams."""
    if not isinstance(held, generic.IndirectObject):
        return held
    found: generic.PdfObject = revision.reader.get_object(held.reference, revision=revision.revision)  # type: ignore[no-untyped-call]
    return found
