"""Sealing of PDFs.

SealFailed
|-- SealNotValid       the sealed PDF does not validate; it must not be published
|-- SealKeyFailed      the key, or the service that holds it, did not sign; try again later
|-- TimestampsFailed   the timestamp authority returned no timestamp; try again later
|-- EvidenceFailed     revocation data is unavailable, or a certificate is revoked; try again later
`-- NotSealable        this PDF cannot take a seal
"""

from dataclasses import dataclass
from typing import NamedTuple, Protocol

from domain.seal.seal import SealLevel, Statement


class SealFailed(Exception):
    """Base of errors of sealing. Messages say what to do and hold no secrets."""


class PagesCompared(NamedTuple):
    """The first page that two renderers show differently, and the first that was not compared yet, if any."""

    differing: int | None
    following: int | None


class SealNotValid(SealFailed):
    pass


class SealKeyFailed(SealFailed):
    pass


class TimestampsFailed(SealFailed):
    pass


class EvidenceFailed(SealFailed):
    pass


class NotSealable(SealFailed):
    pass


@dataclass(frozen=True, slots=True)
class CertificateChain:
    """The certificate of a seal and its issuers in order, all DER. A self-signed certificate has no issuers."""

    certificate: bytes
    issuers: tuple[bytes, ...]


class SealKey(Protocol):
    """A private key and its certificate, in a file, a token or a service."""

    @property
    def certificate_chain(self) -> CertificateChain: ...

    async def sign(self, content: bytes) -> bytes:
        """Returns a SHA-256 signature: PKCS #1 v1.5 for RSA keys, ECDSA (DER) for EC keys. Raises `SealKeyFailed`."""


@dataclass(frozen=True, slots=True)
class PreparedPdf:
    """A PDF with a placeholder for a signature at `start` to `end`, angle brackets included.

    `digest` is the SHA-256 of all other bytes.
    """

    pdf: bytes
    digest: bytes
    start: int
    end: int

    def with_signature(self, signature: bytes) -> bytes:
        """Returns the PDF with `signature` (DER) in the placeholder. Raises `NotSealable` if it is too long."""
        written = signature.hex().encode().ljust(self.end - self.start - 2, b"0")
        if len(written) != self.end - self.start - 2:
            raise NotSealable(
                f"The signature takes {len(written)} digits and {self.end - self.start - 2} were reserved."
            )
        return b"".join((self.pdf[: self.start + 1], written, self.pdf[self.end - 1 :]))


@dataclass(frozen=True, slots=True)
class SealedPdf:
    """A sealed PDF, and the level that validation found."""

    pdf: bytes
    level: SealLevel


@dataclass(frozen=True, slots=True)
class ValidationData:
    """Certificates, CRLs and OCSP responses, all DER."""

    certificates: tuple[bytes, ...] = ()
    crls: tuple[bytes, ...] = ()
    ocsps: tuple[bytes, ...] = ()

    def merged_with(self, other: "ValidationData") -> "ValidationData":
        """Returns the union, without duplicates."""
        return ValidationData(
            certificates=tuple(dict.fromkeys((*self.certificates, *other.certificates))),
            crls=tuple(dict.fromkeys((*self.crls, *other.crls))),
            ocsps=tuple(dict.fromkeys((*self.ocsps, *other.ocsps))),
        )


@dataclass(frozen=True, slots=True)
class TrustAnchors:
    """Trusted certificates (DER).

    `seals` are those of current and former seal keys, each trusted by itself, not as an issuer. `timestamps` are roots
    of timestamp authorities.
    """

    seals: tuple[bytes, ...]
    timestamps: tuple[bytes, ...] = ()


class Sealer(Protocol):
    """Seals prepared PDFs."""

    def reserved_bytes(self, statement: Statement) -> int:
        """Returns the number of bytes to reserve for a seal with `statement`."""

    @property
    def trusted(self) -> TrustAnchors:
        """The certificates that are trusted now."""

    async def seal(self, prepared: PreparedPdf, statement: Statement) -> SealedPdf:
        """Returns the sealed PDF after validation. Its level is below `goal` if no timestamp is available.

        `statement` is signed into the seal, so the child process that prepared the PDF cannot choose it. Raises
        `SealNotValid` or `SealKeyFailed`.
        """

    @property
    def goal(self) -> SealLevel:
        """The target level of seals."""

    async def level_of(self, pdf: bytes) -> SealLevel:
        """Returns the level of a sealed PDF. Raises `SealNotValid` if the seal does not validate."""

    async def augment_seal(self, sealed: SealedPdf) -> SealedPdf:
        """Returns the PDF with a higher level. Raises `TimestampsFailed`, `EvidenceFailed` or `SealNotValid`."""
