"""A seal whose key is in memory. What it seals is really sealed."""

from cryptography.hazmat.primitives.serialization import Encoding

from adapters.sealing.keys.file import MemoryKey
from adapters.sealing.sealer import PadesSealer, TargetLevel
from adapters.sealing.timestamp_client import HttpTimestampAuthority
from domain.ports.seals import CertificateChain, SealedPdf, Sealer, SealKey, TrustAnchors
from domain.seal.seal import ReferenceDocument, SealLevel, Statement
from domain.shared.ids import FileId, SessionId
from pades.certificates import KeyAndCertificate, new_authority, new_crl, new_seal
from pades.prepare_seal import prepare_seal
from tests.adapters.sealing.timestamp_server import TimestampServer
from tests.builders import identifier
from tests.fakes.processes import InlinePool

REFERENCE = ReferenceDocument(
    session_id=SessionId(identifier("session")), file_id=FileId(identifier("file")), materials_sha256="5" * 64
)
"""What the seals of tests state where it is of no matter."""


class MemoryKeys:
    """A key under an authority of its own; `rotate` takes another one, and those of before stay trusted."""

    def __init__(self, authority: KeyAndCertificate | None = None) -> None:
        self.authority = authority or new_authority()
        self._seals: tuple[bytes, ...] = ()
        self.rotate()

    def rotate(self) -> None:
        self.pair = new_seal(self.authority)
        self._seals = (*self._seals, _der(self.pair))
        self._key = MemoryKey(CertificateChain(_der(self.pair), (_der(self.authority),)), self.pair.key)

    def current(self) -> SealKey:
        return self._key

    def trusted(self) -> TrustAnchors:
        return TrustAnchors(seals=self._seals)


def _der(pair: KeyAndCertificate) -> bytes:
    return pair.certificate.public_bytes(Encoding.DER)


async def seal(pdf: bytes, sealer: Sealer, statement: Statement = REFERENCE) -> SealedPdf:
    """`pdf`, prepared and sealed in one go."""
    return await sealer.seal(prepare_seal(pdf, sealer.reserved_bytes(statement), statement), statement)


KEYS = MemoryKeys()
SEALER = PadesSealer(KEYS.current, KEYS.trusted, InlinePool())


def sealer_at(authority: TimestampServer, level: SealLevel = SealLevel.B_T, *, has_crl: bool = True) -> PadesSealer:
    """A sealer with that goal and that timestamp authority. Without a revocation list no level above B-T is reached."""
    trusted = TrustAnchors(seals=KEYS.trusted().seals, timestamps=authority.roots)
    timestamps = HttpTimestampAuthority(authority.address, authority.roots)
    crls = (new_crl(KEYS.authority),) if has_crl else ()
    return PadesSealer(KEYS.current, lambda: trusted, InlinePool(), TargetLevel(level, timestamps, lambda: crls))
