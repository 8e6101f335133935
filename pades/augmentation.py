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
from pyhanko_certvalidator import CertificateValidator, ValidationContext
from pyhanko_certvalidator.errors import (
    CRLValidationError,
    InvalidCertificateError,
    OCSPValidationError,
    PathBuildingError,
    PathValidationError,
)
from pyhanko_certvalidator.fetchers.aiohttp_fetchers import AIOHttpFetcherBackend

from domain.ports.seals import EvidenceFailed, PreparedPdf, TrustAnchors, ValidationData
from pades.certificates import issuers_of
from pades.cms import timestamp_tokens
from pades.parse_errors import PARSE_ERRORS
from pades.prepare_seal import SealWriter, unused_name, write_placeholder
from pades.signatures import embedded_signatures

_FIELD = "Timestamp"


def prepare_timestamp(pdf: bytes, reserved_bytes: int) -> PreparedPdf:
    """Appends a revision to `pdf` with an invisible field for a document timestamp of up to `reserved_bytes` bytes."""
    writer = SealWriter(BytesIO(pdf), strict=False)
    taken = {name for name, _, _ in enumerate_sig_fields(writer)}
    return write_placeholder(writer, unused_name(_FIELD, taken), DocumentTimestamp(bytes_reserved=2 * reserved_bytes))


def add_validation_data(pdf: bytes, evidence: ValidationData) -> bytes:
    """Appends a revision to `pdf` with `evidence` in its document security store.

    Raises `EvidenceFailed` if there is a store of others to which nothing can be added.
    """
    output = BytesIO(pdf)
    writer = SealWriter(output, strict=False)
    try:
        DocumentSecurityStore.supply_dss_in_writer(
            writer,
            None,
            certs=[x509.Certificate.load(der) for der in evidence.certificates],
            crls=[crl.CertificateList.load(der) for der in evidence.crls],
            ocsps=[ocsp.OCSPResponse.load(der) for der in evidence.ocsps],
        )
    except PARSE_ERRORS as error:
        raise EvidenceFailed(
            "The PDF came with validation data of others that cannot be read, so none can be added. The seal stays at "
            "its level."
        ) from error
    writer.write_in_place()
    return output.getvalue()


def certificate_chains(pdf: bytes) -> tuple[tuple[bytes, ...], ...]:
    """Returns the certificates (DER) of the seal and of each timestamp in it and after it, each signer's first."""
    embedded = embedded_signatures(PdfFileReader(BytesIO(pdf), strict=False))
    return tuple(chain for one in embedded.seal_and_later for chain in _chains_of(one))


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


SECONDS = 10
"""Timeout of one request for a CRL or OCSP response."""


async def collect_validation_data(
    chains: tuple[tuple[bytes, ...], ...], trusted: TrustAnchors, crls: tuple[bytes, ...]
) -> ValidationData:
    """Returns the validation data of `chains`: each a signing certificate (DER), then possible issuers.

    `crls` (DER) are known CRLs. Other CRLs and OCSP responses are fetched from the addresses in the certificates.
    Raises `EvidenceFailed` if a certificate is revoked, or its status is unavailable.
    """
    gathered = ValidationData()
    for own, *others in chains:
        gathered = gathered.merged_with(await _validation_data_of(own, tuple(others), trusted, crls))
    return gathered


async def _validation_data_of(
    own: bytes, others: tuple[bytes, ...], trusted: TrustAnchors, crls: tuple[bytes, ...]
) -> ValidationData:
    certificate, *above = (x509.Certificate.load(der) for der in (own, *others))
    roots = (own, *issuers_of(own, others))[-1:] if own in trusted.seals else trusted.timestamps
    backend = AIOHttpFetcherBackend(per_request_timeout=SECONDS)
    try:
        context = ValidationContext(
            trust_roots=[x509.Certificate.load(der) for der in roots],
            other_certs=above,
            crls=[crl.CertificateList.load(der) for der in crls],
            allow_fetching=True,
            revocation_mode="require",
            fetcher_backend=backend,
        )
        validator = CertificateValidator(certificate, above, context)
        path = await validator.async_validate_usage(set())
    except (
        CRLValidationError, InvalidCertificateError, OCSPValidationError, PathBuildingError, PathValidationError
    ) as error:  # fmt: skip
        name = certificate.subject.human_friendly
        raise EvidenceFailed(f"The revocation status of the certificate “{name}” is unavailable: {error}") from error
    finally:
        await backend.close()
    return ValidationData(
        certificates=tuple(one.dump() for one in path.iter_certs(include_root=True)),
        crls=tuple(dict.fromkeys(one.dump() for one in context.crls)),
        ocsps=tuple(dict.fromkeys(one.dump() for one in context.ocsps)),
    )
