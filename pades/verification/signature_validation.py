"""Whose certificate a signature was made with, whether it is believed, since when it is proven, and to which level.

A certificate of a seal is believed if it is itself among those that are trusted; who issued it counts for revocation
only. Certificates of timestamps are believed under trusted roots. A certificate is judged now. If it does not hold now,
it is judged as of the latest time at which the signature provably existed: that of a believed timestamp in it or over
it. Timestamps are judged in the same way, the newest first, each as of the time that the one over it proves.
ETSI EN 319 102-1, 5.5 and 5.6, for what can be known without asking anybody.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from asn1crypto import crl, ocsp, x509
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import async_validate_pdf_signature
from pyhanko.sign.validation.dss import DocumentSecurityStore
from pyhanko.sign.validation.errors import NoDSSFoundError
from pyhanko.sign.validation.pdf_embedded import async_validate_pdf_timestamp
from pyhanko.sign.validation.status import PdfSignatureStatus, SignatureStatus
from pyhanko_certvalidator import ValidationContext

from domain.seal.level import SealLevel
from pades.certificates import is_self_issued, issuers_of
from pades.seal_validation import SEAL_USAGE, is_trusted_seal, is_valid_at
from pades.verification.signatures import Signature
from ports.sealing import TrustAnchors

_MOST_TIMES = 20
_A_MOMENT = timedelta(seconds=1)
_PADES = "/ETSI.CAdES.detached"


@dataclass(frozen=True, slots=True)
class EmbeddedData:
    """What a PDF holds to be checked with: certificates, and what was said about their revocation."""

    certificates: Sequence[x509.Certificate] = ()
    crls: Sequence[crl.CertificateList] = ()
    ocsps: Sequence[ocsp.OCSPResponse] = ()

    def revocation_times(self) -> Iterator[datetime]:
        """The times as of which something about revocations was said, and until when it holds."""
        for one in self.crls:
            spoken = one["tbs_cert_list"]
            yield spoken["this_update"].native + _A_MOMENT
            if spoken["next_update"].native is not None:
                yield spoken["next_update"].native - _A_MOMENT
        for answer in self.ocsps:
            if answer["response_bytes"].native is not None:
                yield answer.response_data["produced_at"].native + _A_MOMENT


@dataclass(frozen=True, slots=True)
class ValidationResult:
    """What is known of one signature.

    Attributes:
        covered: what it covers is what was signed.
        signed: it was made with the key of its certificate; if not, nothing is known of that certificate.
        believed: it is ours, and its certificate was valid at a time that counts.
        is_ours: its certificate is one of those that are trusted, whenever it was valid.
        is_revoked: its certificate was taken back.
        claimed_at: when it was made, as it says itself.
        proven_at: a time at which it provably existed.
        timestamps_hold: every timestamp over it is one, of what was there before it.
        strange_timestamp: it has a timestamp, by an authority that is not believed.
        level: which level of PAdES it reaches; None if it is none of PAdES, or not believed.
    """

    certificate: x509.Certificate
    is_intact: bool
    is_correctly_signed: bool
    is_trusted: bool
    has_trusted_certificate: bool
    is_revoked: bool
    claimed_at: datetime | None
    proven_at: datetime | None
    are_timestamps_valid: bool
    has_untrusted_timestamp: bool
    level: SealLevel | None

    @property
    def is_sound(self) -> bool:
        return self.is_intact and self.is_correctly_signed


class Revocation(NamedTuple):
    """Whether the file holds what can be said of a revocation, and when the certificate was taken back, if it was."""

    is_known: bool
    at: datetime | None


@dataclass(frozen=True, slots=True)
class SignatureValidator:
    """Judges signatures of one file as of `now`."""

    trusted: TrustAnchors
    embedded_data: EmbeddedData
    now: datetime

    async def validate(self, signature: Signature, later: Sequence[Signature]) -> ValidationResult:
        """What is known of `signature`, over which the timestamps `later` were made.

        Raises what the library makes of signatures that cannot be understood.
        """
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
        revocation = await self._revocation(signature)
        revoked = revocation.at is not None and (proven is None or revocation.at <= proven)
        is_kept = over_it is not None and any(map(_covers_evidence, later))
        level = _level(
            signature, has_time=is_stamped or over_it is not None, is_known=revocation.is_known, is_kept=is_kept
        )
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
            has_untrusted_timestamp=stamp is not None and not is_stamped,
            level=level if is_valid and not revoked and status.intact else None,
        )

    async def _proven_over(self, later: Sequence[Signature]) -> tuple[datetime | None, bool]:
        """The time that the timestamps over a signature prove, the newest judged first; whether all hold."""
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

    async def _revocation(self, signature: Signature) -> "Revocation":
        """What the file holds about the revocation of the certificate, as of the times for which that was said."""
        is_known, taken_back = False, []
        own = signature.embedded.signer_cert.dump()
        highest = (own, *issuers_of(own, (one.dump() for one in self.embedded_data.certificates)))[-1]
        for at in sorted(self.embedded_data.revocation_times())[-_MOST_TIMES:]:
            context = self._context(at, (highest,), with_revocations=True)
            status = await async_validate_pdf_signature(
                signature.embedded, context, context, key_usage_settings=SEAL_USAGE, skip_diff=True
            )
            is_known = is_known or (is_self_issued(highest) and _is_trusted(status, at)) or bool(status.revoked)
            if status.revocation_details is not None:
                taken_back.append(status.revocation_details.revocation_date)
        return Revocation(is_known, min(taken_back, default=None))

    def _context(self, at: datetime, roots: Sequence[bytes], *, with_revocations: bool = False) -> ValidationContext:
        revocations: dict[str, Any] = {}
        if with_revocations:
            revocations = {"crls": list(self.embedded_data.crls), "ocsps": list(self.embedded_data.ocsps)}
        return ValidationContext(
            trust_roots=[x509.Certificate.load(der) for der in roots],
            other_certs=list(self.embedded_data.certificates),
            moment=at,
            allow_fetching=False,
            revocation_mode="require" if with_revocations else "soft-fail",
            **revocations,
        )


def _is_trusted(status: SignatureStatus, at: datetime) -> bool:
    """Whether the certificate is under a trusted root as of `at`; whether the file is what was signed is not asked."""
    # The library does not look at the time of a certificate that is a root itself.
    return bool(
        is_valid_at(status.signing_cert, at)
        and status.valid
        and status.trust_problem_indic is None
        and status.validation_path is not None
    )


def _covers_evidence(stamp: Signature) -> bool:
    """Whether a timestamp is over what the file holds to be checked with, and not only over the seal."""
    embedded = stamp.embedded
    return "/DSS" in embedded.reader.get_historical_root(embedded.signed_revision)


def _level(signature: Signature, *, has_time: bool, is_known: bool, is_kept: bool) -> SealLevel | None:
    """The level of a seal that is believed. `is_known`: the file holds what says that it was not revoked; `is_kept`: a
    timestamp is over that too.
    """
    if signature.embedded.sig_object.get("/SubFilter") != _PADES:
        return None
    if not has_time:
        return SealLevel.B_B
    if not is_known:
        return SealLevel.B_T
    return SealLevel.B_LTA if is_kept else SealLevel.B_LT


def read_embedded_data(reader: PdfFileReader, embedded: Sequence[Signature]) -> EmbeddedData:
    """What the file holds to be checked with, in its store of such things and in its signatures."""
    certificates = [
        choice.chosen
        for signature in embedded
        for choice in signature.embedded.signed_data["certificates"]
        if choice.name == "certificate"
    ]
    try:
        store = DocumentSecurityStore.read_dss(reader)
    except NoDSSFoundError:
        return EmbeddedData(certificates=certificates)
    return EmbeddedData(
        certificates=[*certificates, *store.load_certs()],
        crls=[crl.CertificateList.load(reference.get_object().data) for reference in store.crls],
        ocsps=[ocsp.OCSPResponse.load(reference.get_object().data) for reference in store.ocsps],
    )
