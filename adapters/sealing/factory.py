"""Opens the sealer with the key that the settings name."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from adapters.keys.secret_keys import KeysUnusable, map_file_errors
from adapters.sealing.config import SealConfig
from adapters.sealing.keys.local_ca import ensure_local_keys, read_authority
from adapters.sealing.keys.self_test import prove_key
from adapters.sealing.sealer import SEAL_ONLY, PadesSealer, TargetLevel, Verification
from adapters.sealing.timestamp_client import HttpTimestampAuthority
from adapters.sealing.trust_store import read_certificates, read_trusted, trust_seal
from domain.ports.process_pool import ProcessPool
from domain.ports.seals import SealKey
from pades.certificates import new_crl

SEALING = ("pades.prepare_seal", "pades.verification.verify_file")
"""Modules that child processes import for sealing."""

LOCAL = "seal"
"""The folder of the local seal key, within the folder of the keys."""


async def open_sealer(
    choice: SealConfig, keys: Path, pool: ProcessPool, verification: Verification = SEAL_ONLY
) -> PadesSealer:
    """Returns the sealer for `choice`. The first start creates the local key. `verification` verifies its PDFs.

    Raises `KeysUnusable`.
    """
    folder = keys / LOCAL
    current_key = open_keys(choice, folder)
    await prove_key(current_key())
    with map_file_errors(folder):
        trust_seal(folder, current_key().certificate_chain.certificate)
    roots = read_certificates(choice.timestamp_roots) if choice.timestamp_roots else ()
    goal = _goal(choice, folder, roots)
    return PadesSealer(current_key, partial(read_trusted, folder, roots), pool, goal, verification)


def _goal(choice: SealConfig, folder: Path, roots: tuple[bytes, ...]) -> TargetLevel:
    if choice.timestamps is None:
        return TargetLevel()
    return TargetLevel(choice.level, HttpTimestampAuthority(choice.timestamps, roots), partial(_own_crls, folder))


def _own_crls(folder: Path) -> tuple[bytes, ...]:
    """Returns the revocation list of the local authority, if there is one."""
    authority = read_authority(folder)
    return () if authority is None else (new_crl(authority),)


def open_keys(choice: SealConfig, folder: Path) -> Callable[[], SealKey]:
    """Returns a function that returns the current key. Raises `KeysUnusable`."""
    if choice.key is None:
        return ensure_local_keys(folder).current
    kind, _, where = choice.key.partition(":")
    key = _read(choice, kind, where)
    return lambda: key


def _read(choice: SealConfig, kind: str, where: str) -> SealKey:
    # Imported only when chosen: the libraries for pkcs11 and gcpkms are optional.
    try:
        match kind:
            case "pkcs12":
                from adapters.sealing.keys.file import read_pkcs12  # noqa: PLC0415

                return read_pkcs12(Path(where), choice.passphrase)
            case "pem":
                from adapters.sealing.keys.file import read_pem  # noqa: PLC0415

                return read_pem(Path(where), choice.certificate, choice.passphrase)
            case "pkcs11":
                from adapters.sealing.keys.pkcs11 import Pkcs11Key  # noqa: PLC0415

                return Pkcs11Key(where, choice.passphrase, choice.certificate)
            case "gcpkms":
                from adapters.sealing.keys.google_kms import KmsKey  # noqa: PLC0415

                return KmsKey(where, choice.certificate)
    except ModuleNotFoundError as error:
        raise KeysUnusable(f"Keys of this kind need undersign[{kind}]; {error.name} is not installed.") from error
    raise KeysUnusable("UNDERSIGN_SEAL_KEY: name where the key is, with pkcs12:, pem:, pkcs11: or gcpkms: before it.")
