"""Titles and other metadata of a PDF, which programs that add evidence touch: when and by what it was last saved."""

from collections.abc import Iterable
from io import BytesIO

from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.metadata.xmp_xml import XmpXmlProcessingError, parse_xmp
from pyhanko.pdf_utils.reader import HistoricalResolver
from pyhanko.sign.diff_analysis import (
    DocInfoRule,
    MetadataUpdateRule,
    ReferenceUpdate,
    SuspiciousModification,
    WhitelistRule,
)

_SAVING = frozenset({"ModDate", "Producer", "ModifyDate", "MetadataDate"})


class SameMetadata(WhitelistRule):
    """Lets metadata be written anew that say the same, except for who saved the file when."""

    def __init__(self) -> None:
        self._rules = (DocInfoRule(), MetadataUpdateRule())  # type: ignore[no-untyped-call]

    def apply(self, old: HistoricalResolver, new: HistoricalResolver) -> Iterable[ReferenceUpdate]:
        """The objects that may change; raises `SuspiciousModification` where something else is said."""
        if _information(old) != _information(new) or _packet(old) != _packet(new):
            raise SuspiciousModification("the metadata say something else")
        for rule in self._rules:
            yield from rule.apply(old, new)


def _information(revision: HistoricalResolver) -> dict[str, str]:
    reader, trailer = revision.reader, revision.trailer_view
    if "/Info" not in trailer:
        return {}
    reference = trailer.raw_get("/Info")
    found = reader.get_object(reference.reference, revision=revision.revision)  # type: ignore[no-untyped-call]
    return {str(key): repr(found.raw_get(key)) for key in found if str(key).lstrip("/") not in _SAVING}


def _packet(revision: HistoricalResolver) -> dict[str, str]:
    root = revision.root
    if "/Metadata" not in root:
        return {}
    reference = root.raw_get("/Metadata")
    stream = revision.reader.get_object(reference.reference, revision=revision.revision)  # type: ignore[no-untyped-call]
    if not isinstance(stream, generic.StreamObject):
        raise SuspiciousModification("the metadata are no stream")
    try:
        described = parse_xmp(BytesIO(stream.data))
    except XmpXmlProcessingError as error:
        raise SuspiciousModification("the metadata cannot be read") from error
    return {
        str(name): repr(value) for structure in described for name, value in structure if name.local_name not in _SAVING
    }
