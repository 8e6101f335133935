"""Sealed PDFs to check, made with the service's own sealing, and authorities of tests."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from io import BytesIO

from asn1crypto import crl, keys
from asn1crypto import x509 as parsed
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign.signers.pdf_signer import PdfTimeStamper
from pyhanko.sign.timestamps import DummyTimeStamper
from pyhanko.sign.validation.dss import DocumentSecurityStore
from pyhanko_certvalidator.registry import SimpleCertificateStore

from adapters.sealing.keys.file import MemoryKey
from domain.ports.seals import CertificateChain, TrustAnchors, ValidationData
from domain.seal.seal import SealLevel, Statement
from domain.shared.object_names import digest
from pades.augmentation import add_validation_data
from pades.certificates import KeyAndCertificate, new_authority, new_crl
from pades.cms import make_cms, new_promise, signature_value
from pades.containers import with_signature_timestamp
from pades.prepare_seal import prepare_seal
from tests.fakes.seals import KEYS, REFERENCE
from tests.layout.documents import paragraph, rendered_pdf

ROOM = 16 * 1024


@dataclass(frozen=True)
class Sealing:
    """Whose seal it is, and what is added to it."""

    authority: KeyAndCertificate
    seal: KeyAndCertificate
    stamper: DummyTimeStamper | None = None
    goal: SealLevel = SealLevel.B_B
    roots: tuple[bytes, ...] | None = None


OURS = Sealing(KEYS.authority, KEYS.pair)


@cache
def pages(count: int = 2) -> bytes:
    """A document of so many pages."""
    breaks = ({"type": "pageBreak"} for _ in range(count))
    blocks = [part for number, end in enumerate(breaks) for part in (paragraph(f"I owe you {number} EUR."), end)]
    return rendered_pdf(*blocks[:-1])


def sealed(pdf: bytes, sealing: Sealing = OURS, statement: Statement = REFERENCE) -> bytes:
    """`pdf` under a seal."""
    with ThreadPoolExecutor(1) as beside:  # a test may have an event loop of its own
        return beside.submit(asyncio.run, _sealed(pdf, sealing, statement)).result()


async def _sealed(pdf: bytes, sealing: Sealing, statement: Statement) -> bytes:
    certificate, root = (pair.certificate.public_bytes(Encoding.DER) for pair in (sealing.seal, sealing.authority))
    prepared = prepare_seal(pdf, ROOM, statement)
    key = MemoryKey(CertificateChain(certificate, (root,)), sealing.seal.key)
    promise = new_promise(key, sealing.goal, sealing.roots)
    signature = await make_cms(key, prepared.digest, statement, promise)
    if sealing.stamper is not None:
        imprint = bytes.fromhex(digest(signature_value(signature)))
        signature = with_signature_timestamp(signature, await sealing.stamper.async_timestamp(imprint, "sha256"))
    return prepared.with_signature(signature.dump())


def with_revocations(pdf: bytes, authority: KeyAndCertificate, revoked: tuple[KeyAndCertificate, ...] = ()) -> bytes:
    """`pdf` with a store of the list of revoked certificates of `authority`, added by the service's own hand."""
    listed = new_crl(authority, tuple(pair.certificate for pair in revoked))
    root = authority.certificate.public_bytes(Encoding.DER)
    return add_validation_data(pdf, ValidationData(certificates=(root,), crls=(listed,), ocsps=()))


def with_revocations_by_others(pdf: bytes, authority: KeyAndCertificate) -> bytes:
    """As above, added by a program that notes in the metadata that it did."""
    root = parsed.Certificate.load(authority.certificate.public_bytes(Encoding.DER))
    output = BytesIO(pdf)
    listed = crl.CertificateList.load(new_crl(authority))
    DocumentSecurityStore.add_dss(output, sig_contents=None, certs=[root], crls=[listed])
    return output.getvalue()


def with_document_timestamp(pdf: bytes, stamper: DummyTimeStamper) -> bytes:
    """`pdf` under one more timestamp, over all of it."""
    output = BytesIO(pdf)
    PdfTimeStamper(stamper).timestamp_pdf(IncrementalPdfFileWriter(output), "sha256", in_place=True)
    return output.getvalue()


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
        return self.root.certificate.public_bytes(Encoding.DER)

    def stamper(self, at: datetime) -> DummyTimeStamper:
        """Stamps everything with the time `at`."""
        private = self.key.private_bytes(Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        return DummyTimeStamper(
            tsa_cert=parsed.Certificate.load(self.certificate.public_bytes(Encoding.DER)),
            tsa_key=keys.PrivateKeyInfo.load(private),
            certs_to_embed=SimpleCertificateStore(),
            fixed_dt=at,
        )


NOW = datetime.now(UTC)


CLOCK = TimestampAuthority()


TRUSTED = TrustAnchors(KEYS.trusted().seals, (CLOCK.der,))
