"""The self-test of the seal key at the start, so that the first document does not fail."""

from datetime import UTC, datetime, timedelta

import structlog
from asn1crypto import x509 as asn1
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from pyhanko_certvalidator import CertificateValidator, ValidationContext
from pyhanko_certvalidator.errors import InvalidCertificateError, PathBuildingError, PathValidationError

from adapters.keys.secret_keys import KeysUnusable
from domain.ports.seals import CertificateChain, SealKey, SealKeyFailed
from pades.certificates import is_self_issued
from pades.seal_validation import check_usage

log = structlog.get_logger(__name__)

_SAMPLE = b"whether the key belongs to the certificate"
_SOON = timedelta(days=60)


async def prove_key(key: SealKey) -> None:
    """Signs and verifies a sample, and validates the certificate chain up to its root. Raises `KeysUnusable`."""
    certificate = x509.load_der_x509_certificate(key.certificate_chain.certificate)
    try:
        signature = await key.sign(_SAMPLE)
    except SealKeyFailed as error:
        raise KeysUnusable(str(error)) from error
    name = certificate.subject.rfc4514_string()
    if not _is_of(certificate, signature):
        raise KeysUnusable(
            f"The key of the seal is not that of its certificate ({name}). Use the two that belong together."
        )
    try:
        await _check_path(key.certificate_chain)
    except (InvalidCertificateError, PathBuildingError, PathValidationError) as error:
        raise KeysUnusable(f"The certificate of the seal ({name}) cannot be used: {error}") from error
    if certificate.not_valid_after_utc - datetime.now(UTC) < _SOON:
        log.warning("the certificate of the seal ends soon; get another one", until=certificate.not_valid_after_utc)


def _root_of(certificate_chain: CertificateChain) -> bytes:
    """Returns the root certificate. Seals contain it, so that a file can be verified alone. Raises `KeysUnusable`."""
    highest = (certificate_chain.certificate, *certificate_chain.issuers)[-1]
    if not is_self_issued(highest):
        certificate = x509.load_der_x509_certificate(highest)
        raise KeysUnusable(
            f"The certificate {certificate.subject.rfc4514_string()} was issued by "
            f"{certificate.issuer.rfc4514_string()}, whose certificate is missing. Add it, and those above it up to "
            "the root, to the file of the certificate."
        )
    return highest


def _is_of(certificate: x509.Certificate, signature: bytes) -> bool:
    public = certificate.public_key()
    try:
        if isinstance(public, rsa.RSAPublicKey):
            public.verify(signature, _SAMPLE, padding.PKCS1v15(), hashes.SHA256())
        elif isinstance(public, ec.EllipticCurvePublicKey):
            public.verify(signature, _SAMPLE, ec.ECDSA(hashes.SHA256()))
        else:
            return False
    except InvalidSignature:
        return False
    return True


async def _check_path(certificate_chain: CertificateChain) -> None:
    own, *above = (asn1.Certificate.load(der) for der in (certificate_chain.certificate, *certificate_chain.issuers))
    check_usage(own)
    root = asn1.Certificate.load(_root_of(certificate_chain))
    context = ValidationContext(trust_roots=[root], other_certs=above, allow_fetching=False)
    validator = CertificateValidator(own, above, context)
    await validator.async_validate_usage(set())
