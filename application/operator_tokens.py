"""Tokens of operators, who may decrypt the Temporal payloads of all organisations. Operators have no accounts."""

from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from itsdangerous import BadSignature, URLSafeSerializer

from domain.shared.key_files import SIGNING, oldest_first


@dataclass(frozen=True, slots=True)
class Operator:
    """The name of an operator, and the time when the token expires."""

    name: str
    until: datetime


def token_id(token: str) -> str:
    """Returns the identifier of a token for logs. The token cannot be derived from it."""
    return sha256(token.encode()).hexdigest()[:12]


class Operators:
    """Issues and verifies tokens. The newest of the keys in `key` signs them."""

    def __init__(self, key: bytes) -> None:
        self._signer = URLSafeSerializer(oldest_first(key), salt="operator", signer_kwargs=SIGNING)

    def token(self, operator: Operator) -> str:
        """Returns a signed token for `operator`, valid until `operator.until`."""
        token: str = self._signer.dumps([operator.name, int(operator.until.timestamp())])
        return token

    def find(self, token: str, now: datetime) -> Operator | None:
        """Returns the operator of `token`; None if the token is invalid or has expired at `now`."""
        try:
            name, until = self._signer.loads(token)
        except BadSignature:
            return None
        operator = Operator(name, datetime.fromtimestamp(until, UTC))
        return operator if now < operator.until else None
