"""Certificates of a test's own, and an authority that nobody else trusts."""

import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class Authority:
    """Issues certificates in `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "An authority of tests")])
        self._root = self._signed(self._name, self._key, x509.BasicConstraints(ca=True, path_length=None))

    def trusting(self) -> ssl.SSLContext:
        """For clients that trust this authority and no other."""
        path = self._folder / "root.pem"
        path.write_bytes(self._root.public_bytes(serialization.Encoding.PEM))
        return ssl.create_default_context(cafile=str(path))

    def serving(self, host: str, *, until: datetime | None = None) -> ssl.SSLContext:
        """For a server of that name, whose certificate ends at `until` (tomorrow)."""
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
        certificate = self._signed(name, key, x509.SubjectAlternativeName([x509.DNSName(host)]), until)
        path = self._folder / f"{host}.pem"
        path.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
            + certificate.public_bytes(serialization.Encoding.PEM)
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        return context

    def _signed(
        self,
        name: x509.Name,
        key: ec.EllipticCurvePrivateKey,
        extension: x509.ExtensionType,
        until: datetime | None = None,
    ) -> x509.Certificate:
        now = datetime.now(UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=2))
            .not_valid_after(until or now + timedelta(days=1))
            .add_extension(extension, critical=isinstance(extension, x509.BasicConstraints))
            .sign(self._key, hashes.SHA256())
        )
