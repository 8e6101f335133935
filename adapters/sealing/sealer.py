"""Seals PDFs in the process that has the key. Only child processes open the PDFs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from time import monotonic

import structlog
from asn1crypto import cms

from adapters.keys.secret_keys import KeysUnusable
from adapters.sealing.timestamp_client import HttpTimestampAuthority
from domain.seal.seal import SealLevel, Statement, write_statement
from pades.augmentation import add_validation_data, certificate_chains, collect_validation_data, prepare_timestamp
from pades.cms import make_cms, signature_value, with_signature_timestamp
from pades.seal_validation import check_seal
from ports.process_pool import ProcessPool
from ports.seals import (
    EvidenceFailed,
    NotSealable,
    PreparedPdf,
    SealedPdf,
    SealKey,
    SealKeyFailed,
    SealNotValid,
    TimestampsFailed,
    TrustAnchors,
)

log = structlog.get_logger(__name__)

AROUND = 2 * 1024
"""Bytes of a signature in addition to its certificates and its statement."""

FIRST_TOKEN = 12 * 1024
"""Bytes reserved for the first timestamp; most have 6 KB."""

PAUSE = 60.0
"""Seconds for which a failed timestamp authority is skipped while a document waits for its seal."""


@dataclass(frozen=True, slots=True)
class TargetLevel:
    """The target level of seals. `authority` is None at B-B. `crls` returns the CRLs of the local authority."""

    level: SealLevel = SealLevel.B_B
    authority: HttpTimestampAuthority | None = None
    crls: Callable[[], tuple[bytes, ...]] = field(default=tuple)


class PadesSealer:
    """Implements `Sealer`.

    `key` returns the current key, which may change between calls, or raises `KeysUnusable`. `trusted` returns the
    current trust anchors; a rotation of the key adds one.
    """

    def __init__(
        self,
        key: Callable[[], SealKey],
        trusted: Callable[[], TrustAnchors],
        pool: ProcessPool,
        goal: TargetLevel | None = None,
    ) -> None:
        self._current_key = key
        self._trusted = trusted
        self._pool = pool
        self._goal = goal or TargetLevel()
        self._token_room = FIRST_TOKEN
        self._silent_until = 0.0

    @property
    def trusted(self) -> TrustAnchors:
        return self._trusted()

    @property
    def goal(self) -> SealLevel:
        return self._goal.level

    def reserved_bytes(self, statement: Statement) -> int:
        certificate_chain = self._key().certificate_chain
        certificates = sum(len(der) for der in (certificate_chain.certificate, *certificate_chain.issuers))
        return (
            AROUND + certificates + len(write_statement(statement)) + (self._token_room if self._goal.authority else 0)
        )

    async def seal(self, prepared: PreparedPdf, statement: Statement) -> SealedPdf:
        signature = await make_cms(self._key(), prepared.digest, statement)
        pdf = await self._with_time(prepared, signature) or prepared.with_signature(signature.dump())
        sealed = SealedPdf(pdf, await self.level_of(pdf))
        if SealLevel.B_T.is_at_least(self.goal) or not sealed.level.is_at_least(SealLevel.B_T):
            return sealed
        try:
            return await self.augment_seal(sealed)
        except (TimestampsFailed, EvidenceFailed) as error:
            log.warning("a seal is augmented later", level=sealed.level.value, reason=str(error))
            return sealed

    async def level_of(self, pdf: bytes) -> SealLevel:
        return await self._pool.run(check_seal, pdf, self._trusted())

    async def augment_seal(self, sealed: SealedPdf) -> SealedPdf:
        reached = sealed
        try:
            while not reached.level.is_at_least(self.goal):
                following = await self._raised(reached)
                if following.level.rank <= reached.level.rank:
                    raise SealNotValid(f"The seal stays at {reached.level.value} with what was added to it.")
                reached = following
        except (TimestampsFailed, EvidenceFailed):
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
            self._make_room(token)
            return prepared.with_signature(with_signature_timestamp(signature, token).dump())
        except TimestampsFailed as error:
            self._silent_until = monotonic() + PAUSE
            log.warning("a seal waits for its timestamp", reason=str(error))
        except NotSealable:  # it is longer than expected; the next seal has room for it
            log.warning("a timestamp does not fit into the seal and is added later")
        return None

    async def _stamped(self, pdf: bytes) -> bytes:
        if self._goal.authority is None:
            raise TimestampsFailed("No timestamp authority is configured. Set UNDERSIGN_TIMESTAMP_URL.")
        for _ in range(2):
            prepared = await self._pool.run(prepare_timestamp, pdf, self._token_room)
            token = await self._goal.authority.stamp(prepared.digest)
            self._make_room(token)
            try:
                return prepared.with_signature(token.dump())
            except NotSealable:
                continue  # the next attempt has room for it
        raise TimestampsFailed("The timestamps of the authority differ too much in length.")

    def _make_room(self, token: cms.ContentInfo) -> None:
        """Sets the bytes reserved for later timestamps to the size of `token` and about a quarter more."""
        self._token_room = max(1024 + len(token.dump()) * 5 // 4 // 512 * 512, 4096)

    def _key(self) -> SealKey:
        try:
            return self._current_key()
        except KeysUnusable as error:  # its message names files, for operators only
            log.exception("the key of the seal cannot be read")
            raise SealKeyFailed("The key of the seal cannot be read; the log of the worker says more.") from error
