"""The secret keys of the service, made at first start and never committed, logged or shown."""

import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from adapters.write_once import write_once

_SECRET_BYTES = 32
_RECEIPT = "receipt.pem"


class KeysUnusable(Exception):
    """A key file is damaged or cannot be read or written. The message says which and what to do."""


@dataclass(frozen=True, slots=True)
class Keys:
    """`receipt` is an EC P-256 private key (PEM); the others are 32 random bytes each.

    Those of access tokens are in `adapters.access_keys`.
    """

    receipt: bytes = field(repr=False)
    link: bytes = field(repr=False)
    cookie: bytes = field(repr=False)
    download: bytes = field(repr=False)


def ensure_keys(directory: Path) -> Keys:
    """The keys in `directory`, made there at the first call (mode 600); safe when two processes start at once.

    Raises:
        KeysUnusable: a key cannot be read, written or understood.
    """
    try:
        receipt = ensure_file(directory / _RECEIPT, new_signing_key)
        others = [
            ensure_file(directory / f"{name}.key", lambda: secrets.token_bytes(_SECRET_BYTES))
            for name in ("link", "cookie", "download")
        ]
    except OSError as error:
        raise KeysUnusable(
            f"{error.filename or directory}: {error.strerror}. Make it readable and writable."
        ) from error
    _check(directory, receipt, others)
    return Keys(receipt, *others)


def read_receipt_key(directory: Path) -> bytes:
    """The private key (PEM) of receipts, from a service that has run; nothing is made.

    Raises:
        KeysUnusable: it is not there, cannot be read, or is no such key.
    """
    path = directory / _RECEIPT
    try:
        key = path.read_bytes()
    except OSError as error:
        raise KeysUnusable(
            f"{path}: {error.strerror}. Set UNDERSIGN_DATA_DIR to the data directory of the service."
        ) from error
    check_signing_key(path, key, "Put it back from a backup.")
    return key


def ensure_webhook_key(directory: Path) -> bytes:
    """The 32 bytes under which the secrets of callbacks are encrypted, made in `directory` at the first call.

    Raises:
        KeysUnusable: it cannot be read, written or understood.
    """
    return _ensure_secret(directory / "webhook.key")


def ensure_draft_key(directory: Path) -> bytes:
    """The 32 bytes under which drafts of forms are encrypted, made in `directory` at the first call.

    Raises:
        KeysUnusable: it cannot be read, written or understood.
    """
    return _ensure_secret(directory / "draft.key")


def ensure_operator_key(directory: Path) -> bytes:
    """The 32 bytes with which tokens of operators are signed, made in `directory` at the first call.

    Raises:
        KeysUnusable: it cannot be read, written or understood.
    """
    return _ensure_secret(directory / "operator.key")


def _ensure_secret(path: Path) -> bytes:
    try:
        key = ensure_file(path, lambda: secrets.token_bytes(_SECRET_BYTES))
    except OSError as error:
        raise KeysUnusable(f"{path}: {error.strerror}. Make it readable and writable.") from error
    if len(key) != _SECRET_BYTES:
        raise KeysUnusable(f"{path} does not hold {_SECRET_BYTES} bytes. Put it back from a backup.")
    return key


def ensure_file(path: Path, make: Callable[[], bytes]) -> bytes:
    """The content of `path`. Of two processes that make it at once, one wins and both read the winner's."""
    if not path.exists():
        with suppress(FileExistsError):
            write_once(path, make())
    return path.read_bytes()


def new_signing_key() -> bytes:
    """An EC P-256 private key (PEM)."""
    return ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _check(directory: Path, receipt: bytes, others: list[bytes]) -> None:
    advice = (
        "Put it back from a backup. If there is none, delete it: a new one is made at the next start, and what the old "
        "one signed (receipts, links, downloads) stops working."
    )
    check_signing_key(directory / _RECEIPT, receipt, advice)
    for name, secret in zip(("link", "cookie", "download"), others, strict=True):
        if len(secret) != _SECRET_BYTES:
            raise KeysUnusable(f"{directory / name}.key does not hold {_SECRET_BYTES} bytes. {advice}")


def check_signing_key(path: Path, content: bytes, advice: str) -> None:
    """Raises `KeysUnusable`, with `advice`, unless `content` is an EC P-256 private key (PEM)."""
    try:
        key = serialization.load_pem_private_key(content, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise KeysUnusable(f"{path} is not a private key. {advice}") from error
    if not isinstance(key, ec.EllipticCurvePrivateKey) or key.curve.name != "secp256r1":
        raise KeysUnusable(f"{path} is not an EC P-256 key. {advice}")
