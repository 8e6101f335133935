"""Sealed PDFs to check, made with the service's own sealing."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from io import BytesIO

from asn1crypto import crl, x509
from cryptography.hazmat.primitives.serialization import Encoding
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign.signers.pdf_signer import PdfTimeStamper
from pyhanko.sign.timestamps import DummyTimeStamper
from pyhanko.sign.validation.dss import DocumentSecurityStore

from adapters.sealing.keys.file import MemoryKey
from domain.seal.statement import Statement
from domain.shared.object_names import digest
from layout.engine import render
from pades.augmentation import add_validation_data
from pades.certificates import KeyAndCertificate, new_crl
from pades.cms import make_cms, signature_value, with_signature_timestamp
from pades.placeholder import prepare_seal
from ports.seals import CertificateChain, ValidationData
from tests.fakes.seals import KEYS, REFERENCE
from tests.layout.documents import document, paragraph

ROOM = 16 * 1024


@dataclass(frozen=True)
class Sealing:
    """Whose seal it is, and what is added to it."""

    authority: KeyAndCertificate
    seal: KeyAndCertificate
    stamper: DummyTimeStamper | None = None


OURS = Sealing(KEYS.authority, KEYS.pair)


@cache
def pages(count: int = 2) -> bytes:
    """A document of so many pages."""
    breaks = ({"type": "pageBreak"} for _ in range(count))
    blocks = [part for number, end in enumerate(breaks) for part in (paragraph(f"I owe you {number} EUR."), end)]
    made = render(document(*blocks[:-1]), ()).pdf
    assert made is not None
    return made


def sealed(pdf: bytes, sealing: Sealing = OURS, statement: Statement = REFERENCE) -> bytes:
    """`pdf` under a seal."""
    with ThreadPoolExecutor(1) as beside:  # a test may have an event loop of its own
        return beside.submit(asyncio.run, _sealed(pdf, sealing, statement)).result()


async def _sealed(pdf: bytes, sealing: Sealing, statement: Statement) -> bytes:
    certificate, root = (pair.certificate.public_bytes(Encoding.DER) for pair in (sealing.seal, sealing.authority))
    prepared = prepare_seal(pdf, ROOM, statement)
    signature = await make_cms(
        MemoryKey(CertificateChain(certificate, (root,)), sealing.seal.key), prepared.digest, statement
    )
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
    root = x509.Certificate.load(authority.certificate.public_bytes(Encoding.DER))
    output = BytesIO(pdf)
    listed = crl.CertificateList.load(new_crl(authority))
    DocumentSecurityStore.add_dss(output, sig_contents=None, certs=[root], crls=[listed])
    return output.getvalue()


def with_document_timestamp(pdf: bytes, stamper: DummyTimeStamper) -> bytes:
    """`pdf` under one more timestamp, over all of it."""
    output = BytesIO(pdf)
    PdfTimeStamper(stamper).timestamp_pdf(IncrementalPdfFileWriter(output), "sha256", in_place=True)
    return output.getvalue()
