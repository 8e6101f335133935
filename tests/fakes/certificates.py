"""Certificates of tests: those of an authority that only a test trusts, and one for this machine."""

import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

_CA = x509.BasicConstraints(ca=True, path_length=None)


class Authority:
    """Issues certificates in `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._root = _certificate("An authority of tests", self._key, _CA)

    def trusting(self) -> ssl.SSLContext:
        """For clients that trust this authority and no other."""
        path = self._folder / "root.pem"
        path.write_bytes(self._root.public_bytes(serialization.Encoding.PEM))
        return ssl.create_default_context(cafile=str(path))

    def serving(self, host: str, *, until: datetime | None = None) -> ssl.SSLContext:
        """For a server of that name. Its certificate ends at `until` (tomorrow)."""
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.SubjectAlternativeName([x509.DNSName(host)])
        certificate = _certificate(host, key, name, until=until, issuer=(self._root.subject, self._key))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(_write(self._folder / f"{host}.pem", key, certificate))
        return context


def make_certificate(folder: Path) -> Path:
    """Writes a key and a self-signed certificate for localhost and 127.0.0.1."""
    key = ec.generate_private_key(ec.SECP256R1())
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))])
    return _write(folder / "server.pem", key, _certificate("localhost", key, names, _CA))


def _certificate(
    name: str,
    key: ec.EllipticCurvePrivateKey,
    *extensions: x509.ExtensionType,
    until: datetime | None = None,
    issuer: tuple[x509.Name, ec.EllipticCurvePrivateKey] | None = None,
) -> x509.Certificate:
    now, subject = datetime.now(UTC), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    issuer_name, issuer_key = issuer or (subject, key)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer_name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=2))
        .not_valid_after(until or now + timedelta(days=1))
    )
    for extension in extensions:
        builder = builder.add_extension(extension, critical=isinstance(extension, x509.BasicConstraints))
    return builder.sign(issuer_key, hashes.SHA256())


def _write(path: Path, key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate) -> Path:
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path.write_bytes(key.private_bytes(*form) + certificate.public_bytes(serialization.Encoding.PEM))
    return path
