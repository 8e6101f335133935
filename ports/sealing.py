"""What sealing needs of others, and what can go wrong with it.

SealFailed
|-- SealNotValid       what was sealed does not hold when it is opened again; it must not be published
|-- SealKeyFailed      the key, or the service that keeps it, did not sign; try again later
|-- TimestampsFailed   the timestamp authority gave none; try again later
|-- EvidenceFailed     nobody says now whether a certificate was revoked, or one is; try again later
`-- NotSealable        this PDF cannot take a seal of ours
"""

from dataclasses import dataclass
from typing import Protocol

from domain.seal.level import SealLevel
from domain.seal.statement import Statement


class SealFailed(Exception):
    """Base of what can go wrong when a PDF is sealed. Messages say what to do and hold no secrets."""


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
    """Whose seal it is: the certificate and those above it in order, all DER; nothing above one that issued itself."""

    certificate: bytes
    issuers: tuple[bytes, ...]


class SealKey(Protocol):
    """A private key and its certificate, wherever the key is kept."""

    @property
    def certificate_chain(self) -> CertificateChain: ...

    async def sign(self, content: bytes) -> bytes:
        """The signature over `content`: PKCS #1 v1.5 or ECDSA (DER) by what the certificate holds, with SHA-256.

        Raises:
            SealKeyFailed: whoever keeps the key does not answer or refuses.
        """
        ...


class SealKeys(Protocol):
    """Where the key that seals now is found. It may be another one the next time."""

    def current(self) -> SealKey:
        """The key to seal with.

        Raises:
            KeysUnusable: it cannot be read or understood any more.
        """
        ...


@dataclass(frozen=True, slots=True)
class PreparedSignature:
    """A PDF with room for a signature in its newest revision.

    `digest` is the SHA-256 of all but the room, which begins at `start` and ends before `end`, angle brackets included.
    """

    pdf: bytes
    digest: bytes
    start: int
    end: int

    def with_signature(self, signature: bytes) -> bytes:
        """The PDF with `signature` (DER) in its place.

        Raises:
            NotSealable: it is longer than the room.
        """
        written = signature.hex().encode().ljust(self.end - self.start - 2, b"0")
        if len(written) != self.end - self.start - 2:
            raise NotSealable(
                f"The signature takes {len(written)} digits and {self.end - self.start - 2} were reserved."
            )
        return b"".join((self.pdf[: self.start + 1], written, self.pdf[self.end - 1 :]))


@dataclass(frozen=True, slots=True)
class Sealed:
    """A sealed PDF, and the level that was found when it was opened again."""

    pdf: bytes
    level: SealLevel


@dataclass(frozen=True, slots=True)
class ValidationData:
    """Certificates, lists of revoked ones and answers about revocation, all DER."""

    certificates: tuple[bytes, ...] = ()
    crls: tuple[bytes, ...] = ()
    ocsps: tuple[bytes, ...] = ()

    def merged_with(self, other: "ValidationData") -> "ValidationData":
        """Both, nothing twice."""
        return ValidationData(
            certificates=tuple(dict.fromkeys((*self.certificates, *other.certificates))),
            crls=tuple(dict.fromkeys((*self.crls, *other.crls))),
            ocsps=tuple(dict.fromkeys((*self.ocsps, *other.ocsps))),
        )


@dataclass(frozen=True, slots=True)
class TrustAnchors:
    """Certificates (DER) that are believed.

    `seals` are those of the keys that seal or sealed, each by itself: what their issuers issue to others is not
    believed. `timestamps` are roots, under which timestamp authorities are believed.
    """

    seals: tuple[bytes, ...]
    timestamps: tuple[bytes, ...] = ()


class Sealer(Protocol):
    """Seals PDFs that a child process has prepared."""

    def reserved_bytes_for(self, statement: Statement) -> int:
        """How many bytes a child process is to reserve for a seal with `statement` in it."""
        ...

    @property
    def trusted(self) -> TrustAnchors:
        """Whose seals and timestamps are believed now."""
        ...

    async def seal(self, prepared: PreparedSignature, statement: Statement) -> Sealed:
        """The sealed PDF, opened again and found valid over its whole length.

        `statement` is signed into the seal; the child process that prepared the PDF cannot choose it. The seal is at
        the level that could be reached now; a timestamp authority that is down only makes that a lower one.

        Raises:
            SealNotValid: it does not hold.
            SealKeyFailed: the key did not sign.
        """
        ...

    @property
    def goal(self) -> SealLevel:
        """The level that every seal is to reach in the end."""
        ...

    async def level_of(self, pdf: bytes) -> SealLevel:
        """The level of a PDF that was sealed before.

        Raises:
            SealNotValid: it does not hold.
        """
        ...

    async def augment_seal(self, sealed: Sealed) -> Sealed:
        """The PDF with what takes its seal nearer to the goal, opened again; never lower than before.

        Raises:
            TimestampsFailed, EvidenceFailed: nothing could be added now.
            SealNotValid: what came out does not hold.
        """
        ...
