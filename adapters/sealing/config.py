"""The sealing configuration from the settings, parsed but not yet checked."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qs, unquote

from domain.seal.seal import SealLevel

TOKEN_KEY = "pkcs11:token=NAME;object=NAME?module-path=/path/of/the/module.so"  # noqa: S105  # how one is written


@dataclass(frozen=True, slots=True)
class SealConfig:
    """Key and level of the seal. `key` locates the key; None means a local one.

    `certificate` is a PEM file with the certificate chain of the key. `passphrase` is that of the key file, or the PIN
    of the token.

    `timestamps` is the URL of a timestamp authority (RFC 3161), `timestamp_roots` a PEM file of its trusted root
    certificates. `level` is the target level of every seal.
    """

    key: str | None = field(default=None)
    certificate: Path | None = None
    passphrase: str | None = field(default=None, repr=False)
    timestamps: str | None = field(default=None, repr=False)
    timestamp_roots: Path | None = None
    level: SealLevel = SealLevel.B_B


class TokenKey(NamedTuple):
    """A key on a token (PKCS#11), and the module through which it is reached."""

    token: str
    object: str
    module: str


def check_seal_key(key: str) -> str:
    """Returns `UNDERSIGN_SEAL_KEY` if its form is valid. The key itself is not accessed. Raises `ValueError`."""
    kind, _, where = key.partition(":")
    if kind not in {"pkcs12", "pem", "pkcs11", "gcpkms"} or not where.strip():
        raise ValueError("name where the key is, with pkcs12:, pem:, pkcs11: or gcpkms: before it")
    if kind == "pkcs11":
        read_token_key(key)
    if kind == "gcpkms" and not (where.startswith("projects/") and "/cryptoKeyVersions/" in where):
        raise ValueError("name the version of the key as gcpkms:projects/.../cryptoKeyVersions/1")
    return key


def read_token_key(uri: str) -> TokenKey:
    """Parses token, object and module (RFC 7512). Raises `ValueError`."""
    path, _, query = uri.removeprefix("pkcs11:").partition("?")
    named = {name: unquote(value) for name, _, value in (part.partition("=") for part in path.split(";"))}
    modules = parse_qs(query).get("module-path", [])
    if not named.get("token") or not named.get("object") or not modules:
        raise ValueError(f"say where the key is: {TOKEN_KEY}")
    return TokenKey(named["token"], named["object"], modules[0])
