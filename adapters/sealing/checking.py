"""Opening a sealed PDF again and finding what its seal proves. Runs in child processes."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

from asn1crypto import x509
from pyhanko.pdf_utils.misc import PdfError
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.general import SigningError
from pyhanko.sign.validation import async_validate_pdf_signature
from pyhanko.sign.validation.errors import SignatureValidationError
from pyhanko.sign.validation.pdf_embedded import EmbeddedPdfSignature
from pyhanko.sign.validation.settings import KeyUsageConstraints
from pyhanko.sign.validation.status import SignatureCoverageLevel
from pyhanko_certvalidator import ValidationContext

from adapters.sealing.port import SealNotValid, Trusted
from domain.sealing import SealLevel

SEAL_USAGE = KeyUsageConstraints(key_usage={"non_repudiation", "digital_signature"}, match_all_key_usages=False)
"""What the certificate of a seal must be good for: either will do."""


def check_seal(pdf: bytes, trusted: Trusted) -> SealLevel:
    """The level of the newest seal of `pdf`, which must be of a key that is trusted and cover the whole file.

    Raises:
        SealNotValid: it is not, does not, or is none.
    """
    try:
        reader = PdfFileReader(BytesIO(pdf), strict=False)
        signatures = reader.embedded_regular_signatures
        if not signatures:
            raise SealNotValid("The PDF has no seal.")
        with ThreadPoolExecutor(1) as beside:  # the caller's thread may have an event loop
            return beside.submit(asyncio.run, _check(signatures[-1], trusted)).result()
    except (PdfError, SigningError, SignatureValidationError, ValueError, KeyError, TypeError) as error:
        raise SealNotValid(f"The seal cannot be checked: {error}") from error


async def _check(seal: EmbeddedPdfSignature, trusted: Trusted) -> SealLevel:
    context = ValidationContext(trust_roots=[x509.Certificate.load(der) for der in trusted.seals], allow_fetching=False)
    status = await async_validate_pdf_signature(seal, context, key_usage_settings=SEAL_USAGE)
    if not (status.intact and status.valid):
        raise SealNotValid("The PDF was changed after it was sealed, or the signature is not of this certificate.")
    if not status.trusted:
        raise SealNotValid(f"The certificate of the seal is not trusted: {status.summary()}")
    if status.coverage is not SignatureCoverageLevel.ENTIRE_FILE:
        raise SealNotValid("The seal does not cover the whole file.")
    return SealLevel.B_B
