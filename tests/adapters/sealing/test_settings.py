"""What can be said about seals in the settings, and what makes no sense."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from adapters.sealing.config import SealConfig
from domain.seal.level import SealLevel
from settings import Settings

TOLD = {"timestamp_url": "https://tsa.example.com", "timestamp_roots": Path("roots.pem")}


def test_without_a_word_the_key_is_made_here_and_there_is_no_timestamp() -> None:
    assert Settings().seal == SealConfig(level=SealLevel.B_B)


def test_with_an_authority_seals_get_a_trusted_time() -> None:
    seal = Settings.model_validate(TOLD).seal

    assert (seal.timestamps, seal.timestamp_roots, seal.level) == (*TOLD.values(), SealLevel.B_T)


def test_a_higher_level_can_be_wished_for() -> None:
    assert Settings.model_validate({**TOLD, "seal_level": "B-LTA"}).seal.level is SealLevel.B_LTA


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ({"timestamp_url": "https://tsa.example.com"}, "needed both, or neither"),
        ({"timestamp_roots": "roots.pem"}, "needed both, or neither"),
        ({"seal_level": "B-T"}, "set UNDERSIGN_TIMESTAMP_URL"),
        ({**TOLD, "seal_level": "B-X"}, "B-B"),
    ],
)
def test_what_makes_no_sense_is_refused_by_the_setting(told: dict[str, str], says: str) -> None:
    with pytest.raises(ValidationError, match=says) as raised:
        Settings.model_validate(told)

    assert all(error["loc"] for error in raised.value.errors())


def test_no_secret_is_shown() -> None:
    shown = repr(Settings.model_validate({**TOLD, "timestamp_url": "https://a:secret@b", "seal_passphrase": "secret"}))

    assert "secret@" not in shown
    assert "'secret'" not in shown
