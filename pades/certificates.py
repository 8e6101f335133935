"""The certificates of the local authority and of the seals that it vouches for."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
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


def issuers_of(certificate: bytes, others: Iterable[bytes]) -> tuple[bytes, ...]:
    """Those of `others` that are above `certificate`, in order, as far up as they reach. All DER.

    Nothing is above a certificate that issued itself. What is no certificate is passed over.
    """
    held = list(_loaded(others))
    above: list[x509.Certificate] = []
    newest = x509.load_der_x509_certificate(certificate)
    while not is_issued_by(newest, newest):
        issuers = [other for other in held if other not in above and is_issued_by(newest, other)]
        if not issuers:
            break
        newest = next((issuer for issuer in issuers if is_issued_by(issuer, issuer)), issuers[0])
        above.append(newest)
    return tuple(one.public_bytes(Encoding.DER) for one in above)


def is_self_issued(certificate: bytes) -> bool:
    """Whether `certificate` (DER) is a root: it is issued by itself."""
    own = x509.load_der_x509_certificate(certificate)
    return is_issued_by(own, own)


def _loaded(certificates: Iterable[bytes]) -> Iterator[x509.Certificate]:
    for der in certificates:
        try:
            yield x509.load_der_x509_certificate(der)
        except (ValueError, x509.InvalidVersion):
            continue


def is_issued_by(certificate: x509.Certificate, issuer: x509.Certificate) -> bool:
    """Whether `issuer` issued `certificate`, by its name and its signature."""
    try:
        certificate.verify_directly_issued_by(issuer)
    except (ValueError, TypeError, InvalidSignature, UnsupportedAlgorithm):
        return False
    return True
