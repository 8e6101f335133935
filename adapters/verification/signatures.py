"""The signatures of a PDF: what each covers, and what was added after it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.diff_analysis import DiffResult, ModificationLevel
from pyhanko.sign.validation.pdf_embedded import EmbeddedPdfSignature
from pyhanko.sign.validation.status import SignatureCoverageLevel

from adapters.verification.updates import OnlyEvidence
from domain.objects import digest

MOST_SIGNATURES = 50

_END = re.compile(rb"startxref\s{1,2}(\d{1,10})\s{1,2}%%EOF(?:\r\n|\r|\n)?\Z")
_LONGEST_END = 40

_POLICY = OnlyEvidence()
_ADDED = {
    ModificationLevel.NONE: "which change nothing that anybody sees",
    ModificationLevel.LTA_UPDATES: "which keep the seal checkable",
    ModificationLevel.FORM_FILLING: "which fill in a form or sign once more",
    ModificationLevel.ANNOTATIONS: "which add comments",
    ModificationLevel.OTHER: "which change the document",
}


@dataclass(frozen=True, slots=True)
class Signature:
    """One signature or document timestamp, and the file that it is in."""

    embedded: EmbeddedPdfSignature
    file: bytes

    @property
    def is_timestamp(self) -> bool:
        return bool(self.embedded.sig_object_type == "/DocTimeStamp")

    @property
    def room(self) -> bytes:
        """The bytes that it stands in, which it cannot cover itself."""
        ranges = self.embedded.byte_range
        return self.file[int(ranges[1]) : int(ranges[2])]

    @property
    def reason(self) -> str | None:
        """What whoever signed wrote beside it; readers show it."""
        found = self.embedded.sig_object.get("/Reason")
        return str(found) if isinstance(found, str) and found.strip() else None

    @property
    def end(self) -> int:
        """Where what it covers ends."""
        ranges = self.embedded.byte_range
        return int(ranges[2]) + int(ranges[3])

    @property
    def added(self) -> int:
        """Bytes that came after it."""
        return len(self.file) - self.end

    @property
    def revision_sha256(self) -> str:
        """The SHA-256 (hex) of the file up to the end of what it covers."""
        return digest(self.file[: self.end])

    @property
    def covers_its_revision(self) -> bool:
        """Whether it covers all of the file as it was when it was signed; `look` must have been called."""
        found = self.embedded.coverage
        return found is not None and bool(found >= SignatureCoverageLevel.ENTIRE_REVISION)

    @property
    def allows_what_followed(self) -> bool:
        """Whether all that was added only keeps it checkable: certificates, lists of revoked ones, timestamps."""
        if not self.covers_its_revision or self._level > ModificationLevel.LTA_UPDATES:
            return False
        return not self.added or self._ends_with_an_update()

    @property
    def allows_what_others_added(self) -> bool:
        """Whether what was added is allowed by itself, such as one more signature."""
        return bool(self.covers_its_revision and self.embedded.summarise_integrity_info()["docmdp_ok"])

    @property
    def what_was_added(self) -> str:
        """What was added, in words."""
        return _ADDED[self._level]

    def look(self) -> None:
        """Finds what it covers, and what was added after it."""
        self.embedded.compute_integrity_info(_POLICY)  # type: ignore[no-untyped-call]

    def _ends_with_an_update(self) -> bool:
        """Whether the file ends where its newest revision does, and that is newer than what was signed."""
        xrefs = self.embedded.reader.xrefs
        newest = xrefs.total_revisions - 1
        end = _END.search(self.file, max(0, len(self.file) - _LONGEST_END))
        is_update = newest > self.embedded.signed_revision
        return is_update and end is not None and int(end[1]) == xrefs.get_startxref_for_revision(newest)

    @property
    def _level(self) -> ModificationLevel:
        found = self.embedded.diff_result
        return found.modification_level if isinstance(found, DiffResult) else ModificationLevel.OTHER


def signatures_of(reader: PdfFileReader, file: bytes) -> Iterator[Signature]:
    """All signatures and document timestamps, the oldest first."""
    for embedded in reader.embedded_signatures[:MOST_SIGNATURES]:
        yield Signature(embedded, file)
