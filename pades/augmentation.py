"""Adding to a sealed PDF what makes its seal prove more. Runs in child processes.

Each is one more revision that the seal allows although it allows no changes: a document timestamp, or the evidence that
checking it takes (ISO 32000-2: 12.8.4.3 document security store, 12.8.5 document timestamps). The seal itself stays.
"""

from io import BytesIO

from asn1crypto import crl, ocsp, x509
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.fields import enumerate_sig_fields
from pyhanko.sign.signers.pdf_byterange import DocumentTimestamp
from pyhanko.sign.validation.dss import DocumentSecurityStore
from pyhanko.sign.validation.pdf_embedded import EmbeddedPdfSignature

from pades.cms import token_of
from pades.placeholder import SealWriter, unused_name, write_placeholder
from ports.sealing import PreparedPdf, ValidationData

_FIELD = "Timestamp"


def prepare_timestamp(pdf: bytes, reserved_bytes: int) -> PreparedPdf:
    """A new revision of `pdf` with an invisible field for a document timestamp of up to `reserved_bytes` bytes."""
    writer = SealWriter(BytesIO(pdf), strict=False)
    taken = {name for name, _, _ in enumerate_sig_fields(writer)}
    return write_placeholder(writer, unused_name(_FIELD, taken), DocumentTimestamp(bytes_reserved=2 * reserved_bytes))


def add_validation_data(pdf: bytes, evidence: ValidationData) -> bytes:
    """A new revision of `pdf` that holds `evidence`."""
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
    """The certificates (DER) of the seal and of every timestamp in it and after it: each with those beside it."""
    signatures = PdfFileReader(BytesIO(pdf), strict=False).embedded_signatures
    seals = [number for number, one in enumerate(signatures) if one.sig_object_type == "/Sig"]
    return tuple(chain for one in signatures[seals[-1] :] for chain in _chains_of(one))


def _chains_of(signature: EmbeddedPdfSignature) -> list[tuple[bytes, ...]]:
    chains = [_chain(signature.signer_cert, signature.signed_data["certificates"])]
    token = token_of(signature.signer_info)
    if token is not None:
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
