"""Augmentation of a sealed PDF to a higher PAdES level. Runs in child processes.

Each step appends a revision with a document timestamp or validation data, which the seal permits although it permits
no changes (ISO 32000-2: 12.8.4.3 document security store, 12.8.5 document timestamps). The seal stays as it is.
"""

from io import BytesIO

from asn1crypto import crl, ocsp, x509
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.fields import enumerate_sig_fields
from pyhanko.sign.signers.pdf_byterange import DocumentTimestamp
from pyhanko.sign.validation.dss import DocumentSecurityStore
from pyhanko.sign.validation.pdf_embedded import EmbeddedPdfSignature

from pades.cms import timestamp_tokens
from pades.prepare_seal import SealWriter, unused_name, write_placeholder
from ports.seals import PreparedPdf, ValidationData

_FIELD = "Timestamp"


def prepare_timestamp(pdf: bytes, reserved_bytes: int) -> PreparedPdf:
    """Appends a revision to `pdf` with an invisible field for a document timestamp of up to `reserved_bytes` bytes."""
    writer = SealWriter(BytesIO(pdf), strict=False)
    taken = {name for name, _, _ in enumerate_sig_fields(writer)}
    return write_placeholder(writer, unused_name(_FIELD, taken), DocumentTimestamp(bytes_reserved=2 * reserved_bytes))


def add_validation_data(pdf: bytes, evidence: ValidationData) -> bytes:
    """Appends a revision to `pdf` with `evidence` in its document security store."""
    output = BytesIO(pdf)
    writer = SealWriter(output, strict=False)
    DocumentSecurityStore.supply_dss_in_writer(
        writer,
        None,
        certs=[x509.Certificate.load(der) for der in evidence.certificates],
        crls=[crl.CertificateList.load(der) for der in evidence.crls],
        ocsps=[ocsp.OCSPResponse.load(der) for der in evidence.ocsps],
    )
    writer.write_in_place()
    return output.getvalue()


def certificate_chains(pdf: bytes) -> tuple[tuple[bytes, ...], ...]:
    """Returns the certificates (DER) of the seal and of each timestamp in it and after it, each signer's first."""
    signatures = PdfFileReader(BytesIO(pdf), strict=False).embedded_signatures
    seals = [number for number, one in enumerate(signatures) if one.sig_object_type == "/Sig"]
    return tuple(chain for one in signatures[seals[-1] :] for chain in _chains_of(one))


def _chains_of(signature: EmbeddedPdfSignature) -> list[tuple[bytes, ...]]:
    chains = [_chain(signature.signer_cert, signature.signed_data["certificates"])]
    for token in timestamp_tokens(signature.signer_info)[:1]:
        inner = token["content"]
        sid = inner["signer_infos"][0]["sid"].chosen
        certificates = [choice.chosen for choice in inner["certificates"]]
        own = next(
            c for c in certificates if (c.issuer, c.serial_number) == (sid["issuer"], sid["serial_number"].native)
        )
        chains.append(_chain(own, inner["certificates"]))
    return chains


def _chain(own: x509.Certificate, beside: object) -> tuple[bytes, ...]:
    others = [choice.chosen.dump() for choice in beside]  # type: ignore[attr-defined]  # a set of choices
    return (own.dump(), *(der for der in others if der != own.dump()))
