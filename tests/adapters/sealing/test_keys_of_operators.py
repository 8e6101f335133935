"""Keys of the operator's own seal, and whatever is wrong with one stops the start in one clear line."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from adapters.keys.secret_keys import KeysUnusable
from adapters.sealing.config import SealConfig
from adapters.sealing.factory import open_sealer
from domain.seal.level import SealLevel
from tests.adapters.sealing.operators import PASSPHRASE, Operator, operator, written
from tests.application.uploads.pdf import pdfs
from tests.fakes.processes import InlinePool
from tests.fakes.seals import seal
from tests.layout.reading import pdfsig


def in_pkcs12(folder: Path, who: Operator) -> SealConfig:
    return SealConfig(key=f"pkcs12:{written(folder, 'seal.p12', who.pkcs12())}", passphrase=PASSPHRASE)


def in_pem(folder: Path, who: Operator, passphrase: str | None = None) -> SealConfig:
    return SealConfig(
        key=f"pem:{written(folder, 'seal.pem', who.pem(passphrase))}",
        certificate=written(folder, "chain.pem", who.chain()),
        passphrase=passphrase,
    )


def in_one_pem(folder: Path, who: Operator) -> SealConfig:
    return SealConfig(key=f"pem:{written(folder, 'all.pem', who.pem() + who.chain())}")


@pytest.mark.poppler
@pytest.mark.parametrize("kind", ["ec", "rsa"])
@pytest.mark.parametrize("form", [in_pkcs12, in_pem, in_one_pem, partial(in_pem, passphrase=PASSPHRASE)])
async def test_a_key_in_a_file_seals(kind: str, form: Callable[[Path, Operator], SealConfig], tmp_path: Path) -> None:
    choice = form(tmp_path, operator(kind))
    sealer = await open_sealer(choice, tmp_path / "keys", InlinePool())

    sealed = await seal(pdfs.pdf(), sealer)

    assert sealed.level is SealLevel.B_B
    report = pdfsig(sealed.pdf, tmp_path)
    assert "Harbour & Finch, seal" in report
    assert "Signature is Valid." in report


async def test_seals_hold_when_the_settings_name_another_key(tmp_path: Path) -> None:
    keys, pool = tmp_path / "keys", InlinePool()
    local = await open_sealer(SealConfig(), keys, pool)
    sealed = await seal(pdfs.pdf(), local)

    other = await open_sealer(in_pkcs12(tmp_path, operator()), keys, pool)

    assert await other.level_of(sealed.pdf) is SealLevel.B_B


def no_issuer(folder: Path) -> SealConfig:
    who = operator()
    own = who.chain().partition(b"-----END CERTIFICATE-----\n")
    return SealConfig(key=f"pem:{written(folder, 'seal.pem', who.pem() + own[0] + own[1])}")


def mixed(folder: Path) -> SealConfig:
    other = written(folder, "other.pem", operator().chain())
    return replace(in_pem(folder, operator()), certificate=other)


UNUSABLE: dict[str, Callable[[Path], SealConfig]] = {
    "seal.p12 is no PKCS#12 file, or UNDERSIGN_SEAL_PASSPHRASE is not its passphrase": lambda folder: replace(
        in_pkcs12(folder, operator()), passphrase="another one"
    ),
    "seal.pem is no private key in PEM, or UNDERSIGN_SEAL_PASSPHRASE": lambda folder: replace(
        in_pem(folder, operator(), PASSPHRASE), passphrase=None
    ),
    "nowhere.p12: No such file or directory. UNDERSIGN_SEAL_KEY must name": lambda folder: SealConfig(
        key=f"pkcs12:{folder / 'nowhere.p12'}"
    ),
    "is no PKCS#12 file": lambda folder: SealConfig(key=f"pkcs12:{written(folder, 'seal.p12', b'no such thing')}"),
    "is not that of its certificate": mixed,
    "holds no certificate in PEM": lambda folder: SealConfig(
        key=f"pem:{written(folder, 'seal.pem', operator().pem())}"
    ),
    "whose certificate is missing. Add it": no_issuer,
    "cannot be used: .*expired": lambda folder: in_pkcs12(folder, operator(lives=timedelta(days=9))),
    "cannot be used: ": lambda folder: in_pkcs12(folder, operator(usage="key_encipherment")),
    "with pkcs12:, pem:, pkcs11: or gcpkms: before it": lambda _: SealConfig(key="vault:seal"),
}


@pytest.mark.parametrize("error", UNUSABLE)
async def test_a_key_that_cannot_seal_stops_the_start(error: str, tmp_path: Path) -> None:
    with pytest.raises(KeysUnusable, match=error):
        await open_sealer(UNUSABLE[error](tmp_path), tmp_path / "keys", InlinePool())


async def test_a_passphrase_is_never_shown() -> None:
    assert PASSPHRASE not in repr(SealConfig(key="pkcs12:a", passphrase=PASSPHRASE))
