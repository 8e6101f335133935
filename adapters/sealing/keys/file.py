"""Keys in files (PKCS#12, or PEM with certificates), which are read into memory once."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.serialization import Encoding, load_pem_private_key, pkcs12

from adapters.keys.secret_keys import KeysUnusable
from adapters.sealing.trust_store import read_certificates
from domain.ports.seals import CertificateChain
from pades.certificates import issuers_of

_PASSPHRASE = "UNDERSIGN_SEAL_PASSPHRASE"  # noqa: S105  # a name


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


def certificate_chain_of(certificate: x509.Certificate, others: Iterable[x509.Certificate]) -> CertificateChain:
    """Returns the chain of a key: `certificate`, and its issuers among `others`, in order."""
    own = certificate.public_bytes(Encoding.DER)
    return CertificateChain(own, issuers_of(own, (other.public_bytes(Encoding.DER) for other in others)))


def read_chain(path: Path) -> CertificateChain:
    """Returns the chain of the first certificate in a PEM file. Raises `KeysUnusable`."""
    own, *others = (x509.load_der_x509_certificate(der) for der in read_certificates(path))
    return certificate_chain_of(own, others)


def read_pkcs12(path: Path, passphrase: str | None) -> MemoryKey:
    """Returns the key of a PKCS#12 file with its chain. Raises `KeysUnusable`."""
    try:
        key, certificate, others = pkcs12.load_key_and_certificates(_content(path), _bytes(passphrase))
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise KeysUnusable(f"{path} is no PKCS#12 file, or {_PASSPHRASE} is not its passphrase.") from error
    if key is None or certificate is None:
        raise KeysUnusable(f"{path} holds no key with a certificate. Export both into it, with the whole chain.")
    return MemoryKey(certificate_chain_of(certificate, others), _usable(path, key))


def read_pem(path: Path, certificates: Path | None, passphrase: str | None) -> MemoryKey:
    """Returns the key of a PEM file, with the chain in `certificates` or in the same file. Raises `KeysUnusable`."""
    content = _content(path)
    try:
        key = load_pem_private_key(content, password=_bytes(passphrase))
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise KeysUnusable(f"{path} is no private key in PEM, or {_PASSPHRASE} is not its passphrase.") from error
    return MemoryKey(read_chain(certificates or path), _usable(path, key))


def _usable(path: Path, key: object) -> PrivateKey:
    if isinstance(key, rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey):
        return key
    raise KeysUnusable(f"{path} holds a key that PDF readers do not know. Use RSA, or EC on P-256, P-384 or P-521.")


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise KeysUnusable(
            f"{path}: {error.strerror}. UNDERSIGN_SEAL_KEY must name a file that can be read."
        ) from error


def _bytes(passphrase: str | None) -> bytes | None:
    return passphrase.encode() if passphrase else None
