"""Operators: people who may read what Temporal keeps, of every organisation. They have tokens, and no accounts."""

from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from itsdangerous import BadSignature, URLSafeSerializer

from domain.shared.key_lists import oldest_first


@dataclass(frozen=True, slots=True)
class Operator:
    """Whom a token was made for, and until when it lets in."""

    name: str
    until: datetime


def token_id(token: str) -> str:
    """What logs call the token; it lets nobody in."""
    return sha256(token.encode()).hexdigest()[:12]


class Operators:
    """Makes and knows tokens. They are signed with the newest of the keys in `key`."""

    def __init__(self, key: bytes) -> None:
        self._signer = URLSafeSerializer(
            oldest_first(key), salt="operator", signer_kwargs={"key_derivation": "hmac", "digest_method": sha256}
        )

    def token(self, operator: Operator) -> str:
        """What lets `operator` in."""
        token: str = self._signer.dumps([operator.name, int(operator.until.timestamp())])
        return token

    def find(self, token: str, now: datetime) -> Operator | None:
        """Whose token it is, if it is one and its time is not over."""
        try:
            name, until = self._signer.loads(token)
        except BadSignature:
            return None
        operator = Operator(name, datetime.fromtimestamp(until, UTC))
        return operator if now < operator.until else None
