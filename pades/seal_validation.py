"""Validation of the service's own seals: the PAdES level that a sealed PDF has reached. Runs in child processes.

The level is measured in the file, never assumed. A trusted time comes from a signature timestamp or a document
timestamp (ETSI EN 319 142-1, 6.3). Levels B-LT and B-LTA require that the seal and its timestamps validate with the
embedded validation data alone, and that the data proves every certificate not revoked.
"""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO

from asn1crypto import crl, ocsp, x509
from pyhanko.pdf_utils.reader import HistoricalResolver, PdfFileReader
from pyhanko.sign.validation import async_validate_pdf_signature
from pyhanko.sign.validation.pdf_embedded import EmbeddedPdfSignature, async_validate_pdf_timestamp
from pyhanko.sign.validation.settings import KeyUsageConstraints
from pyhanko.sign.validation.status import PdfSignatureStatus, SignatureCoverageLevel, SignatureStatus
from pyhanko_certvalidator import ValidationContext
from pyhanko_certvalidator.errors import InvalidCertificateError

from domain.ports.seals import SealNotValid, TrustAnchors
from domain.seal.seal import SealLevel, Statement
from pades.certificates import is_self_issued
from pades.cms import read_promise, read_signed_statement
from pades.containers import seal_path
from pades.evidence import readable_certificates, revocations_by
from pades.parse_errors import PARSE_ERRORS
from pades.signatures import embedded_signatures, read_store, signers_of
from pades.updates.check_updates import check_updates
from pades.updates.grammar import DisallowedChange

SEAL_USAGE = KeyUsageConstraints(key_usage={"non_repudiation", "digital_signature"}, match_all_key_usages=False)
"""Key usage of a seal certificate: one of these is required."""

_PURPOSES = {
    "1.3.6.1.5.5.7.3.36",  # document signing, RFC 9336
    "1.2.840.113583.1.1.5",  # Adobe
    "1.3.6.1.4.1.311.10.3.12",  # Microsoft
    "1.3.6.1.5.5.7.3.4",  # email protection, which most readers accept
    "2.5.29.37.0",  # any
}
"""Accepted extended key usages. A certificate that has any must have one of these."""


def check_usage(certificate: x509.Certificate) -> None:
    """Raises `InvalidCertificateError` if `certificate` may not be used for seals, such as that of a web server."""
    SEAL_USAGE.validate(certificate)
    named = certificate.extended_key_usage_value
    if named is not None and _PURPOSES.isdisjoint(one.dotted for one in named):
        raise InvalidCertificateError("It is not for documents: its extended key usage names other purposes only.")


def is_trusted_seal(certificate: x509.Certificate, trusted: TrustAnchors) -> bool:
    """Whether `certificate` is a pinned seal certificate, present or former. Its issuer does not matter."""
    try:
        check_usage(certificate)
    except InvalidCertificateError:
        return False
    return certificate.dump() in trusted.seals


def check_seal(pdf: bytes, trusted: TrustAnchors, *, has_checked_updates: bool = False) -> SealLevel:
    """Returns the level of the newest seal of `pdf`, which must be trusted and cover the whole file.

    Only timestamps and validation data may follow the seal; `has_checked_updates` says that this was checked before.
    Raises `SealNotValid` if there is no seal, or it does not meet these conditions.
    """
    try:
        reader = PdfFileReader(BytesIO(pdf), strict=False)
        if not (signatures := embedded_signatures(reader).seal_and_later):
            raise SealNotValid("The PDF has no seal.")
        seal, *stamps = signatures
        _, _, start, length = seal.byte_range
        if not has_checked_updates:
            check_updates(pdf, int(start) + int(length))
        with ThreadPoolExecutor(1) as beside:  # the caller's thread may have an event loop
            return beside.submit(asyncio.run, _SealCheck(reader, seal, stamps, trusted).level()).result()
    except DisallowedChange as error:
        raise SealNotValid(f"An update after the seal is not permitted: {error}.") from error
    except PARSE_ERRORS as error:
        raise SealNotValid(f"The seal cannot be checked: {error}") from error


@dataclass(frozen=True, slots=True)
class _SealCheck:
    """A seal and the document timestamps after it, oldest first."""

    reader: PdfFileReader
    seal: EmbeddedPdfSignature
    stamps: Sequence[EmbeddedPdfSignature]
    trusted: TrustAnchors

    async def level(self) -> SealLevel:
        if not is_trusted_seal(self.seal.signer_cert, self.trusted):
            raise SealNotValid("The certificate of the seal is not trusted: it is not one of the pinned certificates.")
        if not is_valid_at(self.seal.signer_cert, datetime.now(UTC)):
            raise SealNotValid("The certificate of the seal is not trusted: it has expired, or is not valid yet.")
        status = await self._status(_context(self.trusted.seals), _context(self.trusted.timestamps))
        self._check(status)
        stamped = status.timestamp_validity
        holding = [one for one in self.stamps if await self._holds(one, _context(self.trusted.timestamps))]
        in_it = stamped is not None and _is_trusted(stamped)
        if not in_it and not holding:
            return SealLevel.B_B
        if not await self._is_self_contained(self.reader, in_it=in_it):
            return SealLevel.B_T
        revisions = [self.reader.get_historical_resolver(stamp.signed_revision) for stamp in holding]
        over_all = [one for one in revisions if await self._is_self_contained(one, in_it=in_it)]
        return SealLevel.B_LTA if over_all else SealLevel.B_LT

    def _check(self, status: PdfSignatureStatus) -> None:
        if not (status.intact and status.valid):
            raise SealNotValid("The PDF was changed after it was sealed, or the signature is not of this certificate.")
        if not status.trusted:
            raise SealNotValid(f"The certificate of the seal is not trusted: {status.summary()}")
        if status.coverage < SignatureCoverageLevel.ENTIRE_REVISION:
            raise SealNotValid("The seal does not cover the whole file.")

    async def _is_self_contained(self, revision: PdfFileReader | HistoricalResolver, *, in_it: bool) -> bool:
        """Whether the validation data in `revision` suffices for the seal and the timestamp that proves its time."""
        store, _ = read_store(revision)
        own, signers = self.seal.signer_cert.dump(), signers_of((self.seal, *self.stamps), ())
        certificates = [x509.Certificate.load(one) for one in readable_certificates(store.certificates)]
        highest = (own, *seal_path(self.seal.signed_data, read_promise(self.seal.signer_info)))[-1]
        if not store.items or not is_self_issued(highest):
            return False
        issuers = (*signers.paths, *signers.beside, *store.certificates, *self.trusted.timestamps)
        signed = revocations_by(issuers, store)
        crls = [crl.CertificateList.load(one) for one in signed.crls]
        ocsps = [ocsp.OCSPResponse.load(one) for one in signed.ocsps]

        def context(roots: Sequence[bytes]) -> ValidationContext:
            return ValidationContext(
                trust_roots=[x509.Certificate.load(der) for der in roots],
                other_certs=certificates,
                crls=crls,
                ocsps=ocsps,
                revocation_mode="require",
                allow_fetching=False,
            )

        status = await self._status(context([highest]), context(self.trusted.timestamps))
        if not status.trusted:
            return False
        if in_it:
            return status.timestamp_validity is not None and _is_trusted(status.timestamp_validity)
        return any([await self._holds(stamp, context(self.trusted.timestamps)) for stamp in self.stamps])

    async def _status(self, context: ValidationContext, stamps: ValidationContext) -> PdfSignatureStatus:
        return await async_validate_pdf_signature(
            self.seal, context, stamps, key_usage_settings=SEAL_USAGE, skip_diff=True
        )

    async def _holds(self, stamp: EmbeddedPdfSignature, context: ValidationContext) -> bool:
        status = await async_validate_pdf_timestamp(stamp, context, skip_diff=True)
        if not (status.intact and status.valid):
            raise SealNotValid("A timestamp over the seal is not valid.")
        return bool(_is_trusted(status) and status.coverage >= SignatureCoverageLevel.ENTIRE_REVISION)


def _context(roots: Sequence[bytes]) -> ValidationContext:
    return ValidationContext(trust_roots=[x509.Certificate.load(der) for der in roots], allow_fetching=False)


def is_valid_at(certificate: x509.Certificate, at: datetime) -> bool:
    """Whether `at` is within the validity period of `certificate`."""
    validity = certificate["tbs_certificate"]["validity"]
    return bool(validity["not_before"].native <= at <= validity["not_after"].native)


def _is_trusted(status: SignatureStatus) -> bool:
    return bool(status.intact and status.valid and status.trusted)


def read_seal_statement(pdf: bytes) -> Statement | None:
    """Returns the statement of the newest seal of `pdf`, which is not validated; None without a valid statement."""
    try:
        seal = embedded_signatures(PdfFileReader(BytesIO(pdf), strict=False)).seal_and_later[:1]
        return read_signed_statement(seal[0].signer_info) if seal else None
    except PARSE_ERRORS:
        return None
