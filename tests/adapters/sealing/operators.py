"""Keys as operators have them: an authority of their own, RSA or EC, in files, on a token, in the cloud."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    pkcs12,
)
from cryptography.x509.oid import NameOID

from adapters.sealing.keys.file import PrivateKey
from pades.certificates import KeyAndCertificate, new_authority

PASSPHRASE = "a passphrase of tests"


@dataclass(frozen=True, slots=True)
class Operator:
    """A key, its certificate and the authority above it."""

    authority: KeyAndCertificate
    key: PrivateKey
    certificate: x509.Certificate

    def chain(self) -> bytes:
        """The certificates, PEM."""
        return b"".join(c.public_bytes(Encoding.PEM) for c in (self.certificate, self.authority.certificate))

    def pem(self, passphrase: str | None = None) -> bytes:
        locked = BestAvailableEncryption(passphrase.encode()) if passphrase else NoEncryption()
        return self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, locked)

    def pkcs12(self, passphrase: str = PASSPHRASE) -> bytes:
        return pkcs12.serialize_key_and_certificates(
            b"seal",
            self.key,
            self.certificate,
            [self.authority.certificate],
            BestAvailableEncryption(passphrase.encode()),
        )


def operator(
    kind: str = "ec", *, lives: timedelta = timedelta(days=365), usage: str = "content_commitment"
) -> Operator:
    """A key of that kind whose certificate ends after `lives` (from ten days ago) and is good for `usage`."""
    authority = new_authority()
    key: PrivateKey = new_key(kind)
    return Operator(authority, key, issued(key.public_key(), authority, lives, usage))


def new_key(kind: str) -> PrivateKey:
    return rsa.generate_private_key(65537, 2048) if kind == "rsa" else ec.generate_private_key(ec.SECP256R1())


def der(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(Encoding.DER)


def issued(
    key: rsa.RSAPublicKey | ec.EllipticCurvePublicKey,
    authority: KeyAndCertificate,
    lives: timedelta = timedelta(days=365),
    usage: str = "content_commitment",
) -> x509.Certificate:
    """A certificate for `key` that ends after `lives` (from ten days ago)."""
    begins = datetime.now(UTC) - timedelta(days=10)
    uses = dict.fromkeys(
        ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
         "key_cert_sign", "crl_sign", "encipher_only", "decipher_only"), False
    )  # fmt: skip
    return (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Harbour & Finch, seal")]))
        .issuer_name(authority.certificate.subject)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(begins + lives)
        .add_extension(x509.KeyUsage(**{**uses, usage: True}), critical=True)
        .sign(authority.key, hashes.SHA256())
    )


def written(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path
