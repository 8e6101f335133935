"""The signatures of a PDF: what each covers, and what was added after it."""

from collections.abc import Sequence
from dataclasses import dataclass

from asn1crypto import x509
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation.pdf_embedded import EmbeddedPdfSignature
from pyhanko.sign.validation.status import SignatureCoverageLevel

from domain.shared.object_names import digest
from pades.updates.check_updates import check_updates
from pades.updates.syntax import DisallowedChange

MAX_SIGNATURES = 50
"""That are looked at in one file."""


@dataclass(frozen=True, slots=True)
class Signature:
    """One signature or document timestamp, and the file that it is in."""

    embedded: EmbeddedPdfSignature
    file: bytes

    @property
    def is_timestamp(self) -> bool:
        return bool(self.embedded.sig_object_type == "/DocTimeStamp")

    @property
    def reserved_region(self) -> bytes:
        """The bytes that it stands in, which it cannot cover itself."""
        ranges = self.embedded.byte_range
        return self.file[int(ranges[1]) : int(ranges[2])]

    @property
    def container(self) -> bytes:
        """The signature itself, a CMS structure, with the zeros after it."""
        return bytes(self.embedded.pkcs7_content)

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
    def added_size(self) -> int:
        """Bytes that came after it."""
        return len(self.file) - self.end

    @property
    def revision_sha256(self) -> str:
        """The SHA-256 (hex) of the file up to the end of what it covers."""
        return digest(self.file[: self.end])

    @property
    def covers_its_revision(self) -> bool:
        """Whether it covers all of the file as it was when it was signed; `compute_coverage` must have been called."""
        found = self.embedded.coverage
        return found is not None and bool(found >= SignatureCoverageLevel.ENTIRE_REVISION)

    @property
    def allows_additions(self) -> bool:
        """Whether what was added is allowed by itself, such as one more signature."""
        self.embedded.compute_integrity_info()
        return bool(self.covers_its_revision and self.embedded.summarise_integrity_info()["docmdp_ok"])

    def find_disallowed_change(self) -> str | None:
        """What was added after it that does not only keep it checkable, in words; None if there is no such thing."""
        try:
            check_updates(self.file, self.end)
        except DisallowedChange as found:
            return str(found)
        return None

    def compute_coverage(self) -> None:
        """Finds what it covers."""
        self.embedded.compute_integrity_info(skip_diff=True)


def signatures_of(reader: PdfFileReader, file: bytes, trusted: Sequence[bytes]) -> tuple[Signature, ...]:
    """Signatures and document timestamps, the oldest first.

    Of more than `MAX_SIGNATURES`, those that name a certificate of `trusted` (DER), and then the newest.
    """
    found = [Signature(embedded, file) for embedded in reader.embedded_signatures]
    names = [x509.Certificate.load(der).subject.dump() for der in trusted]
    by_interest = sorted(
        range(len(found)), key=lambda place: (any(name in found[place].container for name in names), place)
    )
    return tuple(found[place] for place in sorted(by_interest[-MAX_SIGNATURES:]))
