"""A seal whose key is in memory. What it seals is really sealed."""

from cryptography.hazmat.primitives.serialization import Encoding

from adapters.sealing.certificates import Pair, new_authority, new_seal
from adapters.sealing.held import HeldKey
from adapters.sealing.port import Identity, SealKey, Trusted
from adapters.sealing.sealer import PadesSealer
from tests.fakes.processes import InlinePool


class MemoryKeys:
    """A key under an authority of its own; `rotate` takes another one."""

    def __init__(self, authority: Pair | None = None) -> None:
        self.authority = authority or new_authority()
        self.rotate()

    def rotate(self) -> None:
        self.pair = new_seal(self.authority)
        self._key = HeldKey(Identity(_der(self.pair), (_der(self.authority),)), self.pair.key)

    def current(self) -> SealKey:
        return self._key

    def trusted(self) -> Trusted:
        return Trusted(seals=(_der(self.authority),))


def _der(pair: Pair) -> bytes:
    return pair.certificate.public_bytes(Encoding.DER)


KEYS = MemoryKeys()
SEALER = PadesSealer(KEYS, KEYS.trusted, InlinePool())
