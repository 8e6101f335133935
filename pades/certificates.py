"""X.509 certificates: those of the local authority and of its seals, and the issuers of any certificate."""

from collections.abc import Iterable
from contextlib import suppress
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
"""A seal without a timestamp becomes unprovable when its certificate expires, hence the long lifetime."""

CRL_LIFETIME = timedelta(days=7)
"""Validity of a CRL. Each seal that embeds one gets a new CRL."""

_BACKDATED = timedelta(hours=1)
"""Allowance for slow clocks of programs that validate a seal."""

_NO_USE = dict.fromkeys(
    (
        "digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
        "key_cert_sign", "crl_sign", "encipher_only", "decipher_only",
    ),
    False,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class KeyAndCertificate:
    """A private key and its certificate."""

    key: ec.EllipticCurvePrivateKey
    certificate: x509.Certificate

    def to_pem(self) -> bytes:
        """Returns key and certificate in one PEM file, so that neither is ever without the other."""
        written = self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        return written + self.certificate.public_bytes(serialization.Encoding.PEM)

    @staticmethod
    def from_pem(content: bytes) -> "KeyAndCertificate":
        """Reads an EC key and its certificate. Raises `ValueError` if they do not belong together."""
        key = serialization.load_pem_private_key(content, password=None)
        certificate = x509.load_pem_x509_certificate(content)
        if not isinstance(key, ec.EllipticCurvePrivateKey) or key.public_key() != certificate.public_key():
            raise ValueError("the certificate is not that of the key")
        return KeyAndCertificate(key, certificate)


def new_authority() -> KeyAndCertificate:
    """Creates a root (EC P-256) that may only sign seal certificates and CRLs."""
    key = ec.generate_private_key(ec.SECP256R1())
    usage = x509.KeyUsage(**{**_NO_USE, "key_cert_sign": True, "crl_sign": True})
    subject = _named("Undersign Local Seal Authority", key)
    constraints = x509.BasicConstraints(ca=True, path_length=0)
    builder = _builder(subject, subject, key.public_key(), AUTHORITY_LIFETIME, (constraints, usage))
    return KeyAndCertificate(key, builder.sign(key, hashes.SHA256()))


def new_seal(authority: KeyAndCertificate) -> KeyAndCertificate:
    """Creates a seal key, with a certificate issued by `authority`."""
    key = ec.generate_private_key(ec.SECP256R1())
    usage = x509.KeyUsage(**{**_NO_USE, "digital_signature": True, "content_commitment": True})
    above = authority.certificate
    constraints = x509.BasicConstraints(ca=False, path_length=None)
    subject = _named("Undersign Seal", key)
    builder = _builder(subject, above.subject, key.public_key(), SEAL_LIFETIME, (constraints, usage)).add_extension(
        x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.key.public_key()), critical=False
    )
    return KeyAndCertificate(key, builder.sign(authority.key, hashes.SHA256()))


def new_crl(authority: KeyAndCertificate, revoked: tuple[x509.Certificate, ...] = ()) -> bytes:
    """Returns the CRL (DER) of `authority` as of now."""
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
    subject: x509.Name,
    issuer: x509.Name,
    public_key: ec.EllipticCurvePublicKey,
    lifetime: timedelta,
    extensions: tuple[x509.BasicConstraints, x509.KeyUsage],
) -> x509.CertificateBuilder:
    now = datetime.now(UTC).replace(microsecond=0)
    serial = x509.random_serial_number()
    builder = x509.CertificateBuilder(issuer, subject, public_key, serial, now - _BACKDATED, now + lifetime)
    for extension in extensions:
        builder = builder.add_extension(extension, critical=True)
    return builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(public_key), critical=False)


def _named(name: str, key: ec.EllipticCurvePrivateKey) -> x509.Name:
    """Returns a distinguished name that is unique for each key, as viewers and certificate stores distinguish by it."""
    mark = x509.SubjectKeyIdentifier.from_public_key(key.public_key()).digest.hex()[:8]
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"{name} {mark}")])


def issuers_of(certificate: bytes, others: Iterable[bytes], roots: Iterable[bytes] = ()) -> tuple[bytes, ...]:
    """Returns the issuers (DER) of `certificate` among `roots` and `others`, by signature, from the direct one up.

    The path ends at one of `roots`, or at a certificate that issued itself.
    """
    preferred, candidates = _readable(roots), _readable(others)
    above: list[x509.Certificate] = []
    newest = x509.load_der_x509_certificate(certificate)
    while newest not in preferred and not is_issued_by(newest, newest):
        known = [other for other in (*preferred, *candidates) if other not in above]
        issuers = [other for other in known if is_issued_by(newest, other) and is_root_or_lower(other)]
        if not issuers:
            break
        is_best = (other for other in issuers if other in preferred or is_issued_by(other, other))
        newest = next(is_best, issuers[0])
        above.append(newest)
    return tuple(one.public_bytes(Encoding.DER) for one in above)


def _readable(certificates: Iterable[bytes]) -> list[x509.Certificate]:
    read = []
    for der in certificates:
        # Files may embed certificates that cannot be read; a chain is made of the others.
        with suppress(ValueError, x509.InvalidVersion):
            read.append(x509.load_der_x509_certificate(der))
    return read


def is_self_issued(certificate: bytes) -> bool:
    """Whether `certificate` (DER) is a root, that is, issued by itself."""
    own = x509.load_der_x509_certificate(certificate)
    return is_issued_by(own, own)


def is_root_or_lower(certificate: x509.Certificate) -> bool:
    """Whether a certificate that names itself as its issuer is signed by itself. Others have another issuer."""
    return certificate.subject != certificate.issuer or is_issued_by(certificate, certificate)


def is_issued_by(certificate: x509.Certificate, issuer: x509.Certificate) -> bool:
    """Whether `issuer` issued `certificate`, checked by name and signature."""
    try:
        certificate.verify_directly_issued_by(issuer)
    except (ValueError, TypeError, InvalidSignature, UnsupportedAlgorithm):
        return False
    return True
