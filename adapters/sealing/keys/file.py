"""Keys in files of the operator: PKCS#12, or PEM with its certificates."""

from pathlib import Path

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import load_pem_private_key, pkcs12

from adapters.keys.secret_keys import KeysUnusable
from adapters.sealing.keys.memory import MemoryKey, PrivateKey, certificate_chain_of
from adapters.sealing.trust_store import read_certificates

_PASSPHRASE = "UNDERSIGN_SEAL_PASSPHRASE"  # noqa: S105  # a name


def read_pkcs12(path: Path, passphrase: str | None) -> MemoryKey:
    """The key of a PKCS#12 file with all its certificates. Raises `KeysUnusable`."""
    try:
        key, certificate, others = pkcs12.load_key_and_certificates(_content(path), _bytes(passphrase))
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise KeysUnusable(f"{path} is no PKCS#12 file, or {_PASSPHRASE} is not its passphrase.") from error
    if key is None or certificate is None:
        raise KeysUnusable(f"{path} holds no key with a certificate. Export both into it, with the whole chain.")
    return MemoryKey(certificate_chain_of(certificate, others), _usable(path, key))


def read_pem(path: Path, certificates: Path | None, passphrase: str | None) -> MemoryKey:
    """Returns the key of a PEM file. Its certificates, its own first, are in `certificates` or in the same file. Raises
    `KeysUnusable`.
    """
    content = _content(path)
    try:
        key = load_pem_private_key(content, password=_bytes(passphrase))
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise KeysUnusable(f"{path} is no private key in PEM, or {_PASSPHRASE} is not its passphrase.") from error
    own, *others = (x509.load_der_x509_certificate(der) for der in read_certificates(certificates or path))
    return MemoryKey(certificate_chain_of(own, others), _usable(path, key))


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
