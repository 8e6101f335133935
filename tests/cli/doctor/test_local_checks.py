"""Checks of a machine that is well, and of one on which a single thing is broken."""

import re
import shutil
from pathlib import Path

import pytest

from adapters.keys.key_folder import ensure_all, files_of
from cli.doctor.checks import Check, Failed, Finding, Passed, Skipped, State, run_checks
from cli.doctor.local_checks import check_canary, check_fonts, check_keys, check_seal, check_settings, checks
from settings import Settings

FILES = [str(path) for path in files_of(Path(), has_local_seal=True)]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory with keys, as after a first start."""
    ensure_all(tmp_path / "keys", has_local_seal=True)
    return tmp_path


async def test_a_machine_that_is_well_passes(data: Path) -> None:
    findings = await run_checks(list(checks(Settings(data_dir=data))))

    assert {one.name: (one.state, one.told) for one in findings if one.state is not State.OK} == {}
    assert [one.name for one in findings] == ["settings", "keys", "seal", "fonts", "canary"]


async def test_before_the_first_start_nothing_is_made(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "none")

    findings = await run_checks([check for check in checks(settings) if check.name != "fonts"])

    assert {one.state for one in findings} <= {State.OK, State.NOTE}
    assert not (tmp_path / "none").exists()


async def test_production_with_what_only_development_should_have_fails() -> None:
    with pytest.raises(Failed, match="UNDERSIGN_SMTP_URL"):
        await check_settings(Settings.model_validate({"public_url": "https://sign.example.com"}))


async def test_production_on_one_machine_passes_and_says_what_that_means() -> None:
    alone = {
        "public_url": "https://sign.example.com",
        "smtp_url": "smtps://mail.example.com",
        "mail_from": "sign@example.com",
    }
    shared = {"database_url": "postgresql://undersign@db/x", "object_store": "gs://documents"}

    assert "SQLite" in ((await check_settings(Settings.model_validate(alone))).note or "")
    assert (await check_settings(Settings.model_validate({**alone, **shared}))).note is None
    assert (await check_settings(Settings())).note is None


async def test_a_key_that_is_missing_fails(data: Path) -> None:
    (data / "keys" / "link.key").unlink()

    with pytest.raises(Failed, match=r"link\.key is missing"):
        await check_keys(Settings(data_dir=data))


@pytest.mark.parametrize("name", FILES)
async def test_a_key_that_others_can_read_fails_with_the_command_that_helps(data: Path, name: str) -> None:
    key = data / "keys" / name
    key.chmod(0o644)

    with pytest.raises(Failed) as failure:
        await check_keys(Settings(data_dir=data))

    assert failure.value.advice == f"chmod 600 {key}"


@pytest.mark.parametrize("name", FILES)
async def test_every_key_that_this_version_makes_is_looked_for(data: Path, name: str) -> None:
    (data / "keys" / name).unlink()

    with pytest.raises(Failed, match=re.escape(f"{name} is missing")):
        await check_keys(Settings(data_dir=data))


async def test_a_key_of_the_seal_that_is_elsewhere_is_not_looked_for_here(data: Path) -> None:
    shutil.rmtree(data / "keys" / "seal")

    assert (await check_keys(Settings(data_dir=data, seal_key="pkcs12:/elsewhere.p12"))).note is None


@pytest.mark.parametrize("name", FILES)
async def test_a_key_that_is_damaged_fails(data: Path, name: str) -> None:
    (data / "keys" / name).write_bytes(b"ab")

    with pytest.raises(Failed, match=re.escape(name)):
        await check_keys(Settings(data_dir=data))


@pytest.mark.parametrize("look", [check_seal, check_canary])
async def test_a_key_of_the_seal_that_is_not_there_fails(data: Path, look: object) -> None:
    settings = Settings(data_dir=data, seal_key=f"pem:{data / 'nowhere.pem'}")
    check = Check("seal", lambda: look(settings), "Look at UNDERSIGN_SEAL_KEY.")  # type: ignore[operator]

    (finding,) = await run_checks([check])

    assert (finding.state, "nowhere.pem" in finding.told) == (State.FAILED, True)


async def test_fonts_draw_letters_of_many_scripts() -> None:
    assert (await check_fonts()).told.startswith("3 faces")


async def test_what_nobody_foresaw_is_a_finding_and_the_other_checks_go_on() -> None:
    async def breaks() -> Passed:
        raise ValueError("Ada Lovelace")

    async def passes() -> Passed:
        return Passed("It works.", "It might be better.")

    async def cannot() -> Passed:
        raise Skipped("Nobody to ask.")

    found = await run_checks([Check(name, look, "Do this.") for name, look in
                              {"a": breaks, "b": passes, "c": cannot}.items()])  # fmt: skip

    assert found == (
        Finding("a", State.FAILED, "ValueError.", "Do this."),
        Finding("b", State.NOTE, "It works.", "It might be better."),
        Finding("c", State.SKIPPED, "Nobody to ask."),
    )
