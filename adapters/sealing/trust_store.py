"""The trusted certificates of all current and former seal keys. A rotation removes none."""

from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from adapters.keys.secret_keys import KeysUnusable, ensure_file
from domain.ports.seals import TrustAnchors
from domain.shared.object_names import digest

_TRUSTED = "trusted"


def trust_seal(folder: Path, certificate: bytes) -> None:
    """Adds `certificate` (DER) of a seal key to the trusted ones, unless it is one. Raises `OSError`."""
    written = x509.load_der_x509_certificate(certificate).public_bytes(Encoding.PEM)
    ensure_file(folder / _TRUSTED / f"{digest(certificate)[:16]}.pem", lambda: written)


def read_trusted(folder: Path, timestamps: tuple[bytes, ...] = ()) -> TrustAnchors:
    """Returns the trust anchors in the folder of the seal's keys. Raises `KeysUnusable`."""
    seals = (der for path in sorted((folder / _TRUSTED).glob("*.pem")) for der in read_certificates(path))
    return TrustAnchors(seals=tuple(seals), timestamps=timestamps)


def read_certificates(path: Path) -> tuple[bytes, ...]:
    """Returns the certificates (DER) in a PEM file, in order. Raises `KeysUnusable`."""
    try:
        found = x509.load_pem_x509_certificates(path.read_bytes())
    except OSError as error:
        raise KeysUnusable(f"{path}: {error.strerror}. Name a file with certificates (PEM).") from error
    except ValueError as error:
        raise KeysUnusable(f"{path} holds no certificate in PEM. Name a file with certificates (PEM).") from error
    return tuple(certificate.public_bytes(Encoding.DER) for certificate in found)
