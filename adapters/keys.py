"""The secret keys of the service, made at first start and never committed, logged or shown."""

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Keys:
    """`access_token` is an EC P-256 private key (PEM); the others are 32 random bytes each."""

    access_token: bytes = field(repr=False)
    link: bytes = field(repr=False)
    cookie: bytes = field(repr=False)
    download: bytes = field(repr=False)


def ensure_keys(directory: Path) -> Keys:
    """The keys in `directory`, made there at the first call (mode 600); safe when two processes start at once."""
    raise NotImplementedError
