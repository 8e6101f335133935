"""Validation data for long-term seals: certificate chains, CRLs and OCSP responses."""

from asn1crypto import crl, x509
from pyhanko_certvalidator import CertificateValidator, ValidationContext
from pyhanko_certvalidator.errors import (
    CRLValidationError,
    InvalidCertificateError,
    OCSPValidationError,
    PathBuildingError,
    PathValidationError,
)
from pyhanko_certvalidator.fetchers.aiohttp_fetchers import AIOHttpFetcherBackend

from pades.certificates import issuers_of
from ports.seals import EvidenceFailed, TrustAnchors, ValidationData

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
