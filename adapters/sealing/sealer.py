"""Sealing from the process that has the key: the signature is made here, the PDF opened in child processes only."""

from collections.abc import Callable

import structlog

from adapters.keys import KeysUnusable
from adapters.processes import ProcessPool
from adapters.sealing.checking import check_seal
from adapters.sealing.port import Prepared, Sealed, SealKey, SealKeyFailed, SealKeys, Trusted
from adapters.sealing.signing import make_cms
from domain.sealing import SealLevel

log = structlog.get_logger(__name__)

ROOM = 8 * 1024
"""Bytes for a signature with its certificates."""


class PadesSealer:
    """Keeps `Sealer`. `trusted` gives what is believed now; a rotation adds to it."""

    def __init__(self, keys: SealKeys, trusted: Callable[[], Trusted], pool: ProcessPool) -> None:
        self._keys = keys
        self._trusted = trusted
        self._pool = pool

    @property
    def room(self) -> int:
        return ROOM

    async def seal(self, prepared: Prepared) -> Sealed:
        signature = await make_cms(self._key(), prepared.digest)
        pdf = prepared.filled(signature.dump())
        return Sealed(pdf, await self.level_of(pdf))

    def _key(self) -> SealKey:
        try:
            return self._keys.current()
        except KeysUnusable as error:  # it names files, which is for operators only
            log.exception("the key of the seal cannot be read")
            raise SealKeyFailed("The key of the seal cannot be read; the log of the worker says more.") from error

    async def level_of(self, pdf: bytes) -> SealLevel:
        return await self._pool.run(check_seal, pdf, self._trusted())
