"""The keys of access tokens in memory."""

from datetime import datetime, timedelta

from joserfc.jwk import ECKey

from adapters.keys.secret_keys import new_signing_key
from domain.ports.keys import FormerKey, KeyRing, SigningKey
from tests.builders import NOON


def new_key() -> SigningKey:
    private = new_signing_key()
    return SigningKey(ECKey.import_key(private).thumbprint(), NOON, private)


class MemoryAccessKeys:
    def __init__(self) -> None:
        self.ring = KeyRing(new_key())

    def read(self) -> KeyRing:
        return self.ring

    def rotate(self, at: datetime, kept_for: timedelta) -> None:
        before = self.ring.signing
        public = dict(ECKey.import_key(before.private).as_dict(private=False))
        former = FormerKey(before.key_id, before.since, at + kept_for, public)
        self.ring = KeyRing(new_key(), (former, *self.ring.former))
