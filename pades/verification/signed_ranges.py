"""The signatures of a PDF: the bytes that each covers, and the additions after it."""

from collections.abc import Sequence
from dataclasses import dataclass

from asn1crypto import x509
from pyhanko.sign.validation.pdf_embedded import EmbeddedPdfSignature
from pyhanko.sign.validation.status import SignatureCoverageLevel

from domain.shared.object_names import digest
from pades.signatures import read_store
from pades.updates.check_updates import check_updates
from pades.updates.grammar import DisallowedChange

MAX_SIGNATURES = 50
"""Limit of signatures that are validated in one file."""


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature or document timestamp, with its file."""

    embedded: EmbeddedPdfSignature
    file: bytes

    @property
    def is_timestamp(self) -> bool:
        return bool(self.embedded.sig_object_type == "/DocTimeStamp")

    @property
    def reserved_region(self) -> bytes:
        """The bytes of the signature's contents, angle brackets included, which it cannot cover."""
        ranges = self.embedded.byte_range
        return self.file[int(ranges[1]) : int(ranges[2])]

    @property
    def reason(self) -> str | None:
        """The reason in the signature dictionary, which PDF readers show."""
        reason = self.embedded.sig_object.get("/Reason")
        return str(reason) if isinstance(reason, str) and reason.strip() else None

    @property
    def end(self) -> int:
        """The offset of the end of the covered bytes."""
        ranges = self.embedded.byte_range
        return int(ranges[2]) + int(ranges[3])

    @property
    def added_size(self) -> int:
        """Number of bytes after the covered ones."""
        return len(self.file) - self.end

    @property
    def revision_sha256(self) -> str:
        """SHA-256 (hex) of the file up to the end of the covered bytes."""
        return digest(self.file[: self.end])

    @property
    def covers_its_revision(self) -> bool:
        """Whether it covers all of the file as it was when it was signed; `compute_coverage` must have been called."""
        coverage = self.embedded.coverage
        return coverage is not None and bool(coverage >= SignatureCoverageLevel.ENTIRE_REVISION)

    @property
    def allows_additions(self) -> bool:
        """Whether the signature permits the additions after it, such as another signature."""
        self.embedded.compute_integrity_info()
        return bool(self.covers_its_revision and self.embedded.summarise_integrity_info()["docmdp_ok"])

    def find_disallowed_change(self) -> str | None:
        """Describes a change after the signature that is not a permitted update; None if there is none."""
        try:
            check_updates(self.file, self.end)
        except DisallowedChange as error:
            return str(error)
        return None

    @property
    def is_store_readable(self) -> bool:
        """Whether all of the document security store can be read that was there when it was signed."""
        if b"/DSS" not in self.file:
            return True
        return read_store(self.embedded.reader.get_historical_resolver(self.embedded.signed_revision))[1]

    def compute_coverage(self) -> None:
        self.embedded.compute_integrity_info(skip_diff=True)


def signatures_of(
    embedded: Sequence[EmbeddedPdfSignature], file: bytes, trusted: Sequence[bytes]
) -> tuple[Signature, ...]:
    """Returns at most `MAX_SIGNATURES` of the signatures in `file`, oldest first.

    If there are more, it prefers those that name a `trusted` certificate (DER), then the newest.
    """
    signatures = [Signature(one, file) for one in embedded]
    names = [x509.Certificate.load(der).subject.dump() for der in trusted]
    by_interest = sorted(
        range(len(signatures)),
        key=lambda place: (any(name in signatures[place].embedded.pkcs7_content for name in names), place),
    )
    return tuple(signatures[place] for place in sorted(by_interest[-MAX_SIGNATURES:]))
