"""Keys in memory, parsed once."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.serialization import Encoding

from pades.certificates import issuers_of
from ports.sealing import CertificateChain, SealKey

PrivateKey = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey


@dataclass(frozen=True, slots=True)
class MemoryKey:
    """A private key and its certificate chain. Implements `SealKey`."""

    certificate_chain: CertificateChain
    key: PrivateKey = field(repr=False)

    async def sign(self, content: bytes) -> bytes:
        if isinstance(self.key, rsa.RSAPrivateKey):
            return self.key.sign(content, padding.PKCS1v15(), hashes.SHA256())
        return self.key.sign(content, ec.ECDSA(hashes.SHA256()))


@dataclass(frozen=True, slots=True)
class StaticKeyProvider:
    """Always returns the same key. Implements `SealKeys`."""

    key: SealKey

    def current(self) -> SealKey:
        return self.key


def certificate_chain_of(certificate: x509.Certificate, others: Iterable[x509.Certificate]) -> CertificateChain:
    """Returns the chain of a key: `certificate`, and its issuers among `others`, in order."""
    own = certificate.public_bytes(Encoding.DER)
    return CertificateChain(own, issuers_of(own, (other.public_bytes(Encoding.DER) for other in others)))
