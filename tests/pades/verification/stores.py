"""Document security stores written by hand, as other programs write them."""

from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha1

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509 import ocsp
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from pades.certificates import KeyAndCertificate
from tests.pades.verification.additions import Opened
from tests.pades.verification.incremental_updates import Form
from tests.pades.verification.sealed_files import NOW, YEAR


@dataclass(frozen=True)
class Store:
    """What a store holds (DER), and how it is written. `entries` go into its entry for the signature."""

    certificates: tuple[bytes, ...] = ()
    crls: tuple[bytes, ...] = ()
    ocsps: tuple[bytes, ...] = ()
    signature: bytes = b""
    entries: bytes = b""
    is_indirect: bool = False
    more: dict[str, bytes] = field(default_factory=dict)

    def added_to(self, pdf: bytes, form: Form | None = None) -> bytes:
        """The sealed PDF with the store in an update."""
        opened = Opened(pdf)
        number, objects, lists = opened.size + 1, {}, b""
        for key, items in ((b"Certs", self.certificates), (b"CRLs", self.crls), (b"OCSPs", self.ocsps)):
            named = []
            for held in items:
                objects[number] = _stream(held)
                named.append(b"%d 0 R" % number)
                number += 1
            listed = b"[%b]" % b" ".join(named)
            if self.is_indirect:
                objects[number], listed = listed, b"%d 0 R" % number
                number += 1
            lists += b"/%b %b" % (key, listed) if items else b""
        if self.signature:
            first = opened.size + 1
            objects[number] = b"<</Type/VRI/Cert [%d 0 R]%b>>" % (first, self.entries)
            key = sha1(self.signature, usedforsecurity=False).hexdigest().upper().encode()
            lists += b"/VRI <</%b %d 0 R>>" % (key, number)
        objects[opened.size] = b"<</Type/DSS%b>>" % lists
        objects[opened.root] = opened.with_entry(opened.root, b"/DSS %d 0 R" % opened.size)
        return opened.updated(objects, form)


def _stream(held: bytes) -> bytes:
    return b"<</Length %d>>\nstream\n%b\nendstream" % (len(held), held)


def der(pair: KeyAndCertificate) -> bytes:
    return pair.certificate.public_bytes(Encoding.DER)


def issued(
    issuer: KeyAndCertificate | None, name: str = "Anybody", *extensions: x509.ExtensionType
) -> KeyAndCertificate:
    """A certificate of `issuer`, or of itself, with these extensions."""
    key = ec.generate_private_key(ec.SECP256R1())
    own = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    above = issuer.certificate.subject if issuer else own
    builder = x509.CertificateBuilder(above, own, key.public_key(), x509.random_serial_number(), NOW - YEAR, NOW + YEAR)
    for extension in extensions:
        builder = builder.add_extension(extension, critical=False)
    return KeyAndCertificate(key, builder.sign(issuer.key if issuer else key, hashes.SHA256()))


def responder(issuer: KeyAndCertificate) -> KeyAndCertificate:
    """An OCSP responder that `issuer` appointed."""
    purposes = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.OCSP_SIGNING])
    return issued(issuer, "A responder", purposes, x509.OCSPNoCheck())


def response(of: KeyAndCertificate, issuer: KeyAndCertificate, signer: KeyAndCertificate, *, has_signer: bool) -> bytes:
    """A response of `signer` that `of` is good."""
    built = ocsp.OCSPResponseBuilder().add_response(
        of.certificate, issuer.certificate, hashes.SHA256(), ocsp.OCSPCertStatus.GOOD,
        NOW - timedelta(hours=1), NOW + timedelta(days=7), None, None,
    ).responder_id(ocsp.OCSPResponderEncoding.HASH, signer.certificate)  # fmt: skip
    if has_signer:
        built = built.certificates([signer.certificate])
    return built.sign(signer.key, hashes.SHA256()).public_bytes(Encoding.DER)
