"""Authorities of tests: of timestamps, and ones that look like another."""

from datetime import UTC, datetime, timedelta

from asn1crypto import keys
from asn1crypto import x509 as parsed
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from pyhanko.sign.timestamps import DummyTimeStamper
from pyhanko_certvalidator.registry import SimpleCertificateStore

from pades.certificates import KeyAndCertificate, new_authority, new_seal

YEAR = timedelta(days=365)


def signed_as(model: KeyAndCertificate, issuer: KeyAndCertificate | None) -> KeyAndCertificate:
    """Another key with a certificate that reads like that of `model`, of an issuer of its own or of itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    certificate = model.certificate
    builder = (
        x509.CertificateBuilder()
        .subject_name(certificate.subject)
        .issuer_name(certificate.issuer)
        .public_key(key.public_key())
        .serial_number(certificate.serial_number)
        .not_valid_before(certificate.not_valid_before_utc)
        .not_valid_after(certificate.not_valid_after_utc)
    )
    for extension in certificate.extensions:
        builder = builder.add_extension(extension.value, extension.critical)
    return KeyAndCertificate(key, builder.sign(issuer.key if issuer else key, hashes.SHA256()))


def look_alike(authority: KeyAndCertificate, seal: KeyAndCertificate) -> tuple[KeyAndCertificate, KeyAndCertificate]:
    """An authority and a seal whose certificates say the same as those of others: names, serials, key identifiers."""
    other = signed_as(authority, None)
    return other, signed_as(seal, other)


class TimestampAuthority:
    """Stamps with any time. The certificate it stamps with is valid for `years` from the start of 2026 on."""

    def __init__(self, years: float = 20) -> None:
        self.root = new_authority()
        self.key = rsa.generate_private_key(65537, 2048)
        starts = datetime(2026, 1, 1, tzinfo=UTC)
        issuer = self.root.certificate
        self.certificate = (
            x509.CertificateBuilder()
            .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "A clock of tests")]))
            .issuer_name(issuer.subject)
            .public_key(self.key.public_key())
            .serial_number(7)
            .not_valid_before(starts)
            .not_valid_after(starts + years * YEAR)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING]), critical=True)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .sign(self.root.key, hashes.SHA256())
        )

    @property
    def der(self) -> bytes:
        """The certificate of the authority above it."""
        return self.root.certificate.public_bytes(serialization.Encoding.DER)

    def stamper(self, at: datetime) -> DummyTimeStamper:
        """Stamps everything with the time `at`."""
        private = self.key.private_bytes(
            serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        return DummyTimeStamper(
            tsa_cert=parsed.Certificate.load(self.certificate.public_bytes(serialization.Encoding.DER)),
            tsa_key=keys.PrivateKeyInfo.load(private),
            certs_to_embed=SimpleCertificateStore(),
            fixed_dt=at,
        )


__all__ = ["YEAR", "TimestampAuthority", "look_alike", "new_authority", "new_seal", "signed_as"]
