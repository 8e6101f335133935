"""Keys of the operator's own seal, and whatever is wrong with one stops the start in one clear line."""

from datetime import timedelta
from pathlib import Path

import pytest

from adapters.keys.secret_keys import KeysUnusable
from adapters.sealing.config import SealConfig
from adapters.sealing.factory import open_sealer
from domain.seal.seal import SealLevel
from tests.adapters.sealing.operators import PASSPHRASE, Operator, operator, written
from tests.application.uploads import pdfs
from tests.fakes.processes import InlinePool
from tests.fakes.seals import seal
from tests.pades.readers import pdfsig


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


def in_locked_pem(folder: Path, who: Operator) -> SealConfig:
    return in_pem(folder, who, PASSPHRASE)


@pytest.mark.poppler
@pytest.mark.parametrize("kind", ["ec", "rsa"])
@pytest.mark.parametrize("kept", [in_pkcs12, in_pem, in_one_pem, in_locked_pem])
async def test_a_key_in_a_file_seals(kind: str, kept: object, tmp_path: Path) -> None:
    choice = kept(tmp_path, operator(kind))  # type: ignore[operator]
    sealer = await open_sealer(choice, tmp_path / "keys", InlinePool())

    sealed = await seal(pdfs.pdf(), sealer)

    assert sealed.level is SealLevel.B_B
    told = pdfsig(sealed.pdf, tmp_path)
    assert "Harbour & Finch, seal" in told
    assert "Signature is Valid." in told


async def test_what_was_sealed_under_one_key_holds_when_the_settings_name_another(tmp_path: Path) -> None:
    keys, pool = tmp_path / "keys", InlinePool()
    local = await open_sealer(SealConfig(), keys, pool)
    sealed = await seal(pdfs.pdf(), local)

    other = await open_sealer(in_pkcs12(tmp_path, operator()), keys, pool)

    assert await other.level_of(sealed.pdf) is SealLevel.B_B


def wrong_passphrase(folder: Path) -> SealConfig:
    return SealConfig(key=in_pkcs12(folder, operator()).key, passphrase="another one")


def wrong_passphrase_of_pem(folder: Path) -> SealConfig:
    choice = in_locked_pem(folder, operator())
    return SealConfig(key=choice.key, certificate=choice.certificate)


def missing_file(folder: Path) -> SealConfig:
    return SealConfig(key=f"pkcs12:{folder / 'nowhere.p12'}")


def no_pkcs12(folder: Path) -> SealConfig:
    return SealConfig(key=f"pkcs12:{written(folder, 'seal.p12', b'no such thing')}")


def anothers_certificate(folder: Path) -> SealConfig:
    choice = in_pem(folder, operator())
    return SealConfig(key=choice.key, certificate=written(folder, "other.pem", operator().chain()))


def no_certificate(folder: Path) -> SealConfig:
    return SealConfig(key=f"pem:{written(folder, 'seal.pem', operator().pem())}")


def no_issuer(folder: Path) -> SealConfig:
    who = operator()
    own = who.chain().partition(b"-----END CERTIFICATE-----\n")
    return SealConfig(key=f"pem:{written(folder, 'seal.pem', who.pem() + own[0] + own[1])}")


def ended(folder: Path) -> SealConfig:
    return in_pkcs12(folder, operator(lives=timedelta(days=9)))


def for_other_uses(folder: Path) -> SealConfig:
    return in_pkcs12(folder, operator(usage="key_encipherment"))


def of_no_known_kind(folder: Path) -> SealConfig:
    return SealConfig(key="vault:seal")


@pytest.mark.parametrize(
    ("choose", "says"),
    [
        (wrong_passphrase, "seal.p12 is no PKCS#12 file, or UNDERSIGN_SEAL_PASSPHRASE is not its passphrase"),
        (wrong_passphrase_of_pem, "seal.pem is no private key in PEM, or UNDERSIGN_SEAL_PASSPHRASE"),
        (missing_file, "nowhere.p12: No such file or directory. UNDERSIGN_SEAL_KEY must name"),
        (no_pkcs12, "is no PKCS#12 file"),
        (anothers_certificate, "is not that of its certificate"),
        (no_certificate, "holds no certificate in PEM"),
        (no_issuer, "whose certificate is missing. Add it"),
        (ended, "cannot be used: .*expired"),
        (for_other_uses, "cannot be used: "),
        (of_no_known_kind, "with pkcs12:, pem:, pkcs11: or gcpkms: before it"),
    ],
)
async def test_a_key_that_cannot_seal_stops_the_start(choose: object, says: str, tmp_path: Path) -> None:
    with pytest.raises(KeysUnusable, match=says):
        await open_sealer(choose(tmp_path), tmp_path / "keys", InlinePool())  # type: ignore[operator]


async def test_a_passphrase_is_never_shown() -> None:
    assert PASSPHRASE not in repr(SealConfig(key="pkcs12:a", passphrase=PASSPHRASE))
