"""The secret keys of the service."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Keys:
    """The contents of key files: `receipt` begins with an EC P-256 private key (PEM), and the public keys that signed
    before follow; the others are lists of 32 random bytes (`domain.shared.key_lists`).

    Those of access tokens are in `adapters.keys.token_signing`.
    """

    receipt: bytes = field(repr=False)
    link: bytes = field(repr=False)
    cookie: bytes = field(repr=False)
    download: bytes = field(repr=False)
