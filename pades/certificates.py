"""The certificates of the local authority and of the seals that it vouches for."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

AUTHORITY_LIFETIME = timedelta(days=30 * 365)
SEAL_LIFETIME = timedelta(days=10 * 365)
"""A seal without a timestamp proves nothing any more when its certificate has ended, so that is far off."""

CRL_LIFETIME = timedelta(days=7)
"""For how long a list of revoked certificates speaks; a new one is made for every seal that holds one."""

_BACKDATED = timedelta(hours=1)
"""Clocks of those who check a seal may be behind ours."""

_NO_USE = {
    "digital_signature": False,
    "content_commitment": False,
    "key_encipherment": False,
    "data_encipherment": False,
    "key_agreement": False,
    "key_cert_sign": False,
    "crl_sign": False,
    "encipher_only": False,
    "decipher_only": False,
}


@dataclass(frozen=True, slots=True)
class KeyAndCertificate:
    """A private key and its certificate."""

    key: ec.EllipticCurvePrivateKey
    certificate: x509.Certificate

    def to_pem(self) -> bytes:
        """Both in one file, so that they are never found apart."""
        written = self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        return written + self.certificate.public_bytes(serialization.Encoding.PEM)

    @staticmethod
    def from_pem(content: bytes) -> "KeyAndCertificate":
        """Raises `ValueError` when `content` is no EC key with a certificate of its own."""
        key = serialization.load_pem_private_key(content, password=None)
        certificate = x509.load_pem_x509_certificate(content)
        if not isinstance(key, ec.EllipticCurvePrivateKey) or key.public_key() != certificate.public_key():
            raise ValueError("the certificate is not that of the key")
        return KeyAndCertificate(key, certificate)


def new_authority() -> KeyAndCertificate:
    """A root of our own: EC P-256, good for nothing but seals and lists of revoked ones."""
    key = ec.generate_private_key(ec.SECP256R1())
    usage = x509.KeyUsage(**{**_NO_USE, "key_cert_sign": True, "crl_sign": True})
    subject = _named("Undersign Local Seal Authority", key)
    builder = (
        _builder(subject, subject, key.public_key(), AUTHORITY_LIFETIME)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
    return KeyAndCertificate(key, builder.sign(key, hashes.SHA256()))


def new_seal(authority: KeyAndCertificate) -> KeyAndCertificate:
    """A new key that seals, vouched for by `authority`."""
    key = ec.generate_private_key(ec.SECP256R1())
    usage = x509.KeyUsage(**{**_NO_USE, "digital_signature": True, "content_commitment": True})
    above = authority.certificate
    builder = (
        _builder(_named("Undersign Seal", key), above.subject, key.public_key(), SEAL_LIFETIME)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.key.public_key()), critical=False)
    )
    return KeyAndCertificate(key, builder.sign(authority.key, hashes.SHA256()))


def new_crl(authority: KeyAndCertificate, revoked: tuple[x509.Certificate, ...] = ()) -> bytes:
    """The list (DER) of the certificates of `authority` that are not to be believed, as of now."""
    now = datetime.now(UTC)
    builder = (
        x509.CertificateRevocationListBuilder()
        .issuer_name(authority.certificate.subject)
        .last_update(now - timedelta(minutes=1))
        .next_update(now + CRL_LIFETIME)
        .add_extension(x509.CRLNumber(int(now.timestamp())), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.key.public_key()), critical=False)
    )
    for certificate in revoked:
        entry = x509.RevokedCertificateBuilder().serial_number(certificate.serial_number).revocation_date(now)
        builder = builder.add_revoked_certificate(entry.build())
    return builder.sign(authority.key, hashes.SHA256()).public_bytes(serialization.Encoding.DER)


def _builder(
    subject: x509.Name, issuer: x509.Name, public_key: ec.EllipticCurvePublicKey, lifetime: timedelta
) -> x509.CertificateBuilder:
    now = datetime.now(UTC).replace(microsecond=0)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(public_key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _BACKDATED)
        .not_valid_after(now + lifetime)
    )


def _named(name: str, key: ec.EllipticCurvePrivateKey) -> x509.Name:
    """A name of its own for each key: viewers and stores of certificates tell them apart by it."""
    mark = x509.SubjectKeyIdentifier.from_public_key(key.public_key()).digest.hex()[:8]
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"{name} {mark}")])
