"""Seals PDFs in the process that has the key. Only child processes open the PDFs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from time import monotonic
from typing import NamedTuple

import structlog
from asn1crypto import cms
from cryptography import x509

from adapters.keys.secret_keys import KeysUnusable
from adapters.sealing.timestamp_client import HttpTimestampAuthority
from domain.audit.verification_report import Check, FileReport, Outcome, Verdict
from domain.ports.process_pool import ProcessPool
from domain.ports.seals import (
    EvidenceFailed,
    NotSealable,
    PagesCompared,
    PreparedPdf,
    SealedPdf,
    SealKey,
    SealKeyFailed,
    SealNotValid,
    TimestampsFailed,
    TrustAnchors,
)
from domain.seal.seal import SealLevel, Statement, write_statement
from pades.augmentation import add_validation_data, certificate_chains, collect_validation_data, prepare_timestamp
from pades.cms import Promise, make_cms, new_promise, signature_value
from pades.containers import canonical_token, with_signature_timestamp
from pades.verification.verify_file import verify_file

log = structlog.get_logger(__name__)

AROUND = 2 * 1024
"""Bytes of a signature in addition to its certificates and its statement."""

FIRST_TOKEN = 12 * 1024
"""Bytes reserved for the first timestamp; most have 6 KB."""

PAUSE = 60.0
"""Seconds for which a failed timestamp authority is skipped while a document waits for its seal."""


class Verification(NamedTuple):
    """Functions of modules, as child processes call them.

    `judge` verifies a file with trusted certificates at a time. `compare` compares some pages from one on (from 1) in
    two renderers, after those that `judge` compares.
    """

    judge: Callable[[bytes, TrustAnchors, datetime], FileReport] = verify_file
    compare: Callable[[bytes, int], PagesCompared] | None = None


SEAL_ONLY = Verification()
"""Verifies the seal, and compares no pages."""


@dataclass(frozen=True, slots=True)
class TargetLevel:
    """The target level of seals. `authority` is None at B-B. `crls` returns the CRLs of the local authority."""

    level: SealLevel = SealLevel.B_B
    authority: HttpTimestampAuthority | None = None
    crls: Callable[[], tuple[bytes, ...]] = field(default=tuple)


class PadesSealer:
    """Implements `Sealer`.

    `key` returns the current key, which may change between calls, or raises `KeysUnusable`. `trusted` returns the
    current trust anchors; a rotation of the key adds one. `verification` verifies each PDF before it is announced, in
    child processes: it is the code of `undersign verify`.
    """

    def __init__(
        self,
        key: Callable[[], SealKey],
        trusted: Callable[[], TrustAnchors],
        pool: ProcessPool,
        goal: TargetLevel | None = None,
        verification: Verification = SEAL_ONLY,
    ) -> None:
        self._current_key = key
        self._trusted = trusted
        self._pool = pool
        self._goal = goal or TargetLevel()
        self._verification = verification
        self._token_room = FIRST_TOKEN
        self._silent_until = 0.0

    @property
    def trusted(self) -> TrustAnchors:
        return self._trusted()

    def ends_at(self) -> datetime:
        """Returns when the certificate of the current key expires."""
        return x509.load_der_x509_certificate(self._key().certificate_chain.certificate).not_valid_after_utc

    @property
    def goal(self) -> SealLevel:
        return self._goal.level

    def reserved_bytes(self, statement: Statement) -> int:
        key = self._key()
        certificate_chain = key.certificate_chain
        certificates = sum(len(der) for der in (certificate_chain.certificate, *certificate_chain.issuers))
        signed = len(write_statement(statement)) + len(self._promise(key).write())
        return AROUND + certificates + signed + (self._token_room if self._goal.authority else 0)

    async def seal(self, prepared: PreparedPdf, statement: Statement) -> SealedPdf:
        key = self._key()
        signature = await make_cms(key, prepared.digest, statement, self._promise(key))
        pdf = await self._with_time(prepared, signature) or prepared.with_signature(signature.dump())
        sealed = SealedPdf(pdf, await self.level_of(pdf))
        if SealLevel.B_T.is_at_least(self.goal) or not sealed.level.is_at_least(SealLevel.B_T):
            return sealed
        try:
            return await self.augment_seal(sealed)
        except (TimestampsFailed, EvidenceFailed, SealNotValid) as error:
            log.warning("a seal is augmented later", level=sealed.level.value, reason=str(error))
            return sealed

    async def level_of(self, pdf: bytes) -> SealLevel:
        report = await self._pool.run(self._verification.judge, pdf, self._trusted(), datetime.now(UTC))
        if report.verdict is not Verdict.GENUINE or report.seal is None or report.seal.level is None:
            failed = _failed(report)
            log.error("a sealed PDF is not genuine, and is not published", verdict=report.verdict.value, failed=failed)
            raise SealNotValid(f"The sealed PDF is not genuine: {report.verdict}, because of {failed}.")
        following = report.following_page
        while following is not None and (compare := self._verification.compare) is not None:
            compared = await self._pool.run(compare, pdf[: report.seal.revision_size], following)
            if compared.differing is not None:
                log.error(
                    "a sealed PDF looks different in two renderers, and is not published", page=compared.differing
                )
                raise SealNotValid(f"Page {compared.differing} of the sealed PDF looks different in two renderers.")
            following = compared.following
        return report.seal.level

    async def augment_seal(self, sealed: SealedPdf) -> SealedPdf:
        reached = sealed
        try:
            while not reached.level.is_at_least(self.goal):
                following = await self._raised(reached)
                if following.level.rank <= reached.level.rank:
                    raise SealNotValid(f"The seal stays at {reached.level.value} with what was added to it.")
                reached = following
        except (TimestampsFailed, EvidenceFailed, SealNotValid):
            if reached is sealed:
                raise
        return reached

    async def _raised(self, sealed: SealedPdf) -> SealedPdf:
        """Returns the PDF with its seal augmented to the next level."""
        if sealed.level is SealLevel.B_T:
            chains = await self._pool.run(certificate_chains, sealed.pdf)
            evidence = await collect_validation_data(chains, self._trusted(), self._goal.crls())
            pdf = await self._pool.run(add_validation_data, sealed.pdf, evidence)
        else:
            pdf = await self._stamped(sealed.pdf)
        return SealedPdf(pdf, await self.level_of(pdf))

    async def _with_time(self, prepared: PreparedPdf, signature: cms.ContentInfo) -> bytes | None:
        """Returns the PDF with a timestamp in its seal; None if no timestamp is available now."""
        authority = self._goal.authority
        if authority is None or monotonic() < self._silent_until:
            return None
        try:
            token = await authority.stamp(sha256(signature_value(signature)).digest())
            self._make_room(canonical_token(token.dump(), authority.roots))
            return prepared.with_signature(with_signature_timestamp(signature, token, authority.roots).dump())
        except TimestampsFailed as error:
            self._silent_until = monotonic() + PAUSE
            log.warning("a seal waits for its timestamp", reason=str(error))
        except NotSealable:  # it is longer than expected; the next seal has room for it
            log.warning("a timestamp does not fit into the seal and is added later")
        return None

    async def _stamped(self, pdf: bytes) -> bytes:
        authority = self._goal.authority
        if authority is None:
            raise TimestampsFailed("No timestamp authority is configured. Set UNDERSIGN_TIMESTAMP_URL.")
        for _ in range(2):
            prepared = await self._pool.run(prepare_timestamp, pdf, self._token_room)
            token = canonical_token((await authority.stamp(prepared.digest)).dump(), authority.roots)
            self._make_room(token)
            try:
                return prepared.with_signature(token)
            except NotSealable:
                continue  # the next attempt has room for it
        raise TimestampsFailed("The timestamps of the authority differ too much in length.")

    def _make_room(self, token: bytes) -> None:
        """Sets the bytes reserved for later timestamps to the size of `token` and about a quarter more."""
        self._token_room = max(1024 + len(token) * 5 // 4 // 512 * 512, 4096)

    def _promise(self, key: SealKey) -> Promise:
        """Returns what the seals of `key` promise: their goal, and the roots of their timestamps."""
        return new_promise(key, self.goal, self._goal.authority.roots if self._goal.authority else ())

    def _key(self) -> SealKey:
        try:
            return self._current_key()
        except KeysUnusable as error:  # its message names files, for operators only
            log.exception("the key of the seal cannot be read")
            raise SealKeyFailed("The key of the seal cannot be read; the log of the worker says more.") from error


def _failed(report: FileReport) -> str:
    """Returns the names of the checks that failed, and which page looks different, without content of the file."""
    failed = [one for one in report.findings if one.outcome is Outcome.FAILS]
    names = ", ".join(dict.fromkeys(one.check.value for one in failed)) or "its certificate or level"
    pages = " ".join(one.text.removesuffix(".") for one in failed if one.check in {Check.RENDERERS, Check.PAGES})
    return f"{names} ({pages})" if pages else names
