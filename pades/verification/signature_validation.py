"""Validation of one signature: signer certificate, trusted time, revocation and PAdES level.

A seal certificate is trusted if it is pinned; its issuer counts for revocation only. Timestamp certificates are
trusted under trusted roots. A certificate is validated as of now. If it is not valid now, it is validated as of the
latest time at which the signature provably existed, which is that of a trusted timestamp in the signature or over it.
Timestamps are validated in the same way, newest first, each as of the time that the later one proves.
ETSI EN 319 102-1, 5.5 and 5.6, without online revocation checks.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from asn1crypto import crl, ocsp, x509
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import async_validate_pdf_signature
from pyhanko.sign.validation.pdf_embedded import async_validate_pdf_timestamp
from pyhanko.sign.validation.status import PdfSignatureStatus, SignatureStatus
from pyhanko_certvalidator import ValidationContext

from domain.ports.seals import TrustAnchors
from domain.seal.seal import SealLevel
from pades.certificates import is_self_issued
from pades.cms import Promise, read_promise
from pades.containers import certificates_of, seal_path
from pades.evidence import Evidence, readable_certificates, revocations_by
from pades.parse_errors import PARSE_ERRORS
from pades.seal_validation import SEAL_USAGE, is_trusted_seal, is_valid_at
from pades.signatures import read_store
from pades.verification.signed_ranges import Signature

_MAX_TIMES = 20
_A_MOMENT = timedelta(seconds=1)
_PADES = "/ETSI.CAdES.detached"


@dataclass(frozen=True, slots=True)
class EmbeddedData:
    """Certificates, CRLs and OCSP responses embedded in a PDF: in DER, and parsed."""

    evidence: Evidence
    certificates: Sequence[x509.Certificate]
    crls: Sequence[crl.CertificateList]
    ocsps: Sequence[ocsp.OCSPResponse]

    @staticmethod
    def load(evidence: Evidence) -> "EmbeddedData":
        """Parses those of the certificates that can be parsed, and CRLs and OCSP responses that are known to be."""
        certificates = tuple(x509.Certificate.load(one) for one in readable_certificates(evidence.certificates))
        return EmbeddedData(evidence, certificates, (), ())

    def of(self, issuers: Sequence[bytes]) -> "EmbeddedData":
        """Returns the data with those CRLs and OCSP responses that `issuers` (DER) signed, or their responders."""
        signed = revocations_by(issuers, self.evidence)
        return EmbeddedData(
            self.evidence,
            self.certificates,
            tuple(crl.CertificateList.load(one) for one in signed.crls),
            tuple(ocsp.OCSPResponse.load(one) for one in signed.ocsps),
        )

    def revocation_times(self) -> Iterator[datetime]:
        """Yields the times at which the CRLs and OCSP responses begin and cease to apply."""
        for one in self.crls:
            tbs = one["tbs_cert_list"]
            yield tbs["this_update"].native + _A_MOMENT
            if tbs["next_update"].native is not None:
                yield tbs["next_update"].native - _A_MOMENT
        for answer in self.ocsps:
            if answer["response_bytes"].native is not None:
                yield answer.response_data["produced_at"].native + _A_MOMENT


@dataclass(frozen=True, slots=True)
class ValidationResult:
    """Result of validating one signature."""

    certificate: x509.Certificate
    is_intact: bool  # the covered bytes are unchanged
    is_correctly_signed: bool  # the signature was made with the key of its certificate; if not, the signer is unknown
    is_trusted: bool  # the certificate is trusted, was valid at a relevant time and was not revoked before it
    has_trusted_certificate: bool  # the certificate is pinned, whether or not it was valid
    is_revoked: bool  # the certificate was revoked before the proven time, or no time is proven
    claimed_at: datetime | None  # the signing time that the signature itself states
    proven_at: datetime | None  # a time at which the signature provably existed
    are_timestamps_valid: bool  # every timestamp over the signature is valid and covers its revision
    has_untrusted_timestamp: bool  # the signature timestamp is by an authority that is not trusted
    is_timestamp_wrong: bool  # the signature timestamp is of another signature, or not valid
    lacks_timestamp: bool  # the seal was to have a timestamp, and none is in the file
    level: SealLevel | None  # None if the signature is not PAdES or not trusted

    @property
    def is_sound(self) -> bool:
        return self.is_intact and self.is_correctly_signed


@dataclass(frozen=True, slots=True)
class SignatureValidator:
    """Validates the signatures of one file as of `now`."""

    trusted: TrustAnchors
    embedded_data: EmbeddedData
    now: datetime

    async def validate(self, signature: Signature, later: Sequence[Signature]) -> ValidationResult:
        """Validates `signature` with the timestamps `later` that cover it. Raises `PARSE_ERRORS`."""
        over_it, are_timestamps_valid = await self._proven_over(later)
        at = over_it or self.now
        status = await self._status(signature, at)
        stamp = status.timestamp_validity
        stamped_at = stamp.timestamp if stamp and stamp.intact and _is_trusted(stamp, at) else None
        is_stamped = stamped_at is not None
        proven = stamped_at or over_it
        has_trusted_certificate = bool(status.valid) and is_trusted_seal(status.signing_cert, self.trusted)
        times = [self.now, *([proven] if proven is not None and proven < self.now else [])]
        is_valid = has_trusted_certificate and any(is_valid_at(status.signing_cert, one) for one in times)
        promise = read_promise(signature.embedded.signer_info)
        is_known, revoked_at = await self._revocation(signature, promise)
        revoked = revoked_at is not None and (proven is None or revoked_at <= proven)
        is_kept = over_it is not None and any(map(_covers_evidence, later))
        level = _level(signature, has_time=proven is not None, is_known=is_known, is_kept=is_kept)
        return ValidationResult(
            certificate=status.signing_cert,
            is_intact=bool(status.intact),
            is_correctly_signed=bool(status.valid),
            is_trusted=is_valid and not revoked,
            has_trusted_certificate=has_trusted_certificate,
            is_revoked=revoked,
            claimed_at=status.signer_reported_dt,
            proven_at=proven,
            are_timestamps_valid=are_timestamps_valid,
            has_untrusted_timestamp=stamp is not None and bool(stamp.intact and stamp.valid) and not is_stamped,
            is_timestamp_wrong=stamp is not None and not (stamp.intact and stamp.valid),
            lacks_timestamp=(
                promise is not None and promise.goal.is_at_least(SealLevel.B_T) and stamp is None and not later
            ),
            level=level if is_valid and not revoked and status.intact else None,
        )

    async def _proven_over(self, later: Sequence[Signature]) -> tuple[datetime | None, bool]:
        """Returns the time that the timestamps over a signature prove, and whether all of them are valid."""
        proven: datetime | None = None
        all_hold = True
        for stamp in sorted(later, key=lambda one: one.end, reverse=True):
            status = await async_validate_pdf_timestamp(
                stamp.embedded, self._context(proven or self.now, self.trusted.timestamps), skip_diff=True
            )
            holds = bool(status.intact and status.valid and stamp.covers_its_revision)
            all_hold = all_hold and holds
            if holds and _is_trusted(status, proven or self.now):
                proven = status.timestamp
        return proven, all_hold

    async def _status(self, signature: Signature, stamped_at: datetime) -> PdfSignatureStatus:
        return await async_validate_pdf_signature(
            signature.embedded,
            self._context(self.now, self.trusted.seals),
            self._context(stamped_at, self.trusted.timestamps),
            key_usage_settings=SEAL_USAGE,
            skip_diff=True,
        )

    async def _revocation(self, signature: Signature, promise: Promise | None) -> tuple[bool, datetime | None]:
        """Returns whether the file holds the revocation status of the signer, and the time of revocation, if any.

        Only the issuers of the seal count. Without a promise, only the direct issuer is certain: its key signed the
        certificate of the seal.
        """
        is_known, revoked_at = False, []
        own = signature.embedded.signer_cert.dump()
        path = seal_path(signature.embedded.signed_data, promise)
        highest = (own, *path)[-1] if promise else (own, *path)[:2][-1]
        data = self.embedded_data.of(path)
        for at in sorted(data.revocation_times())[-_MAX_TIMES:]:
            context = self._context(at, (highest,), data)
            status = await async_validate_pdf_signature(
                signature.embedded, context, context, key_usage_settings=SEAL_USAGE, skip_diff=True
            )
            is_known = is_known or (is_self_issued(highest) and _is_trusted(status, at)) or bool(status.revoked)
            if status.revocation_details is not None:
                revoked_at.append(status.revocation_details.revocation_date)
        return is_known, min(revoked_at, default=None)

    def _context(self, at: datetime, roots: Sequence[bytes], data: EmbeddedData | None = None) -> ValidationContext:
        revocations: dict[str, Any] = {}
        if data is not None:
            revocations = {"crls": list(data.crls), "ocsps": list(data.ocsps)}
        return ValidationContext(
            trust_roots=[x509.Certificate.load(der) for der in roots],
            other_certs=list(self.embedded_data.certificates),
            moment=at,
            allow_fetching=False,
            revocation_mode="soft-fail" if data is None else "require",
            **revocations,
        )


def _is_trusted(status: SignatureStatus, at: datetime) -> bool:
    """Whether the certificate is trusted as of `at`. Does not check the integrity of the file."""
    # pyHanko does not check the validity period of a certificate that is a root itself.
    return bool(
        is_valid_at(status.signing_cert, at)
        and status.valid
        and status.trust_problem_indic is None
        and status.validation_path is not None
    )


def _covers_evidence(stamp: Signature) -> bool:
    """Whether a timestamp covers the document security store, and not only the seal."""
    embedded = stamp.embedded
    return "/DSS" in embedded.reader.get_historical_root(embedded.signed_revision)


def _level(signature: Signature, *, has_time: bool, is_known: bool, is_kept: bool) -> SealLevel | None:
    """Returns the level of a trusted seal; None if it is not a PAdES signature.

    `has_time`: a time is proven. `is_known`: the file holds the revocation status. `is_kept`: a timestamp covers that.
    """
    if signature.embedded.sig_object.get("/SubFilter") != _PADES:
        return None
    if not has_time:
        return SealLevel.B_B
    if not is_known:
        return SealLevel.B_T
    return SealLevel.B_LTA if is_kept else SealLevel.B_LT


def read_embedded_data(reader: PdfFileReader, embedded: Sequence[Signature]) -> EmbeddedData:
    """Reads the validation data in the document security store and in the signatures, as far as it can be read."""
    certificates: list[bytes] = []
    for signature in embedded:
        # A signature that cannot be read has no data for the others.
        with suppress(*PARSE_ERRORS):
            certificates += certificates_of(signature.embedded.signed_data)
    store, _ = read_store(reader)
    return EmbeddedData.load(Evidence((*certificates, *store.certificates), store.crls, store.ocsps))
