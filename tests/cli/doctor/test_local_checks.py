"""Checks of a working machine, and of one with a single fault."""

import re
import shutil
import sys
from pathlib import Path

import pytest

from adapters.all_keys import ensure_all, files_of
from application.checks import Check, CheckFailed, CheckPassed, CheckResult, CheckSkipped, CheckState
from cli.doctor.command import all_checks, run_checks
from cli.doctor.local_checks import (
    check_canary,
    check_disk,
    check_fonts,
    check_keys,
    check_seal,
    check_settings,
    judge_free_space,
)
from config.settings import Settings
from workflows.sdk.payload_keys_setting import new_payload_key

FILES = [str(path) for path in files_of(Path(), has_local_seal=True)]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory with keys, as after a first start."""
    ensure_all(tmp_path / "keys", has_local_seal=True)
    return tmp_path


async def test_a_working_machine_passes(data: Path) -> None:
    results = await run_checks(all_checks(Settings(data_dir=data))[:6])
    assert {one.name: (one.state, one.message) for one in results if one.state is not CheckState.OK} == {}
    assert [one.name for one in results] == ["settings", "keys", "seal", "fonts", "processes", "canary"]


async def test_nothing_is_created_before_the_first_start(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "none")

    results = await run_checks([check for check in all_checks(settings)[:6] if check.name != "fonts"])

    assert {one.state for one in results} <= {CheckState.OK, CheckState.NOTE}
    assert not (tmp_path / "none").exists()


async def test_production_with_what_only_development_should_have_fails() -> None:
    with pytest.raises(CheckFailed, match="UNDERSIGN_SMTP_URL"):
        await check_settings(Settings.model_validate({"public_url": "https://sign.example.com"}))


async def test_traces_without_their_packages_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with pytest.raises(CheckFailed, match=r"undersign\[tracing\]"):
        await check_settings(Settings())


async def test_production_passes_and_says_what_its_choices_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = {
        "public_url": "https://sign.example.com",
        "smtp_url": "smtps://mail.example.com",
        "mail_from": "sign@example.com",
        "payload_keys": new_payload_key(),
    }
    shared = {
        "database_url": "postgresql://undersign@db/x?ssl=verify-ca",
        "object_store": "gs://documents",
        "rate_limit_storage": "rediss://:kX7-long-enough@cache",
    }
    open_to_some = {
        "database_url": "postgresql://undersign@db/x?ssl=require",
        "rate_limit_storage": "redis://cache",
        "unencrypted_hosts": "cache",
    }
    monkeypatch.setenv("PGSSLROOTCERT", __file__)

    assert "SQLite" in ((await check_settings(Settings.model_validate(alone))).note or "")
    assert (await check_settings(Settings.model_validate({**alone, **shared}))).note is None
    note = (await check_settings(Settings.model_validate({**alone, **shared, **open_to_some}))).note or ""
    assert all(risk in note for risk in ("without encryption", "is not verified", "without a password"))
    assert (await check_settings(Settings())).note is None


@pytest.mark.parametrize("name", FILES)
async def test_a_key_that_others_can_read_or_that_is_damaged_or_missing_fails(data: Path, name: str) -> None:
    key, settings = data / "keys" / name, Settings(data_dir=data)
    key.chmod(0o644)
    with pytest.raises(CheckFailed) as failure:
        await check_keys(settings)
    assert failure.value.advice == f"chmod 600 {key}"
    key.chmod(0o600)
    key.write_bytes(b"ab")
    with pytest.raises(CheckFailed, match=re.escape(name)):
        await check_keys(settings)
    key.unlink()
    with pytest.raises(CheckFailed, match=re.escape(f"{name} is missing")):
        await check_keys(settings)


async def test_a_key_of_the_seal_that_is_elsewhere_is_not_looked_for_here(data: Path) -> None:
    shutil.rmtree(data / "keys" / "seal")
    assert (await check_keys(Settings(data_dir=data, seal_key="pkcs12:/elsewhere.p12"))).note is None


@pytest.mark.parametrize("run", [check_seal, check_canary])
async def test_a_key_of_the_seal_that_is_not_there_fails(data: Path, run: object) -> None:
    settings = Settings(data_dir=data, seal_key=f"pem:{data / 'nowhere.pem'}")
    check = Check("seal", lambda: run(settings), "Look at UNDERSIGN_SEAL_KEY.")  # type: ignore[operator]

    (result,) = await run_checks([check])

    assert (result.state, "nowhere.pem" in result.message) == (CheckState.FAILED, True)


async def test_fonts_draw_letters_of_many_scripts() -> None:
    assert (await check_fonts()).message.startswith("4 faces")


async def test_an_unexpected_error_is_a_result_and_the_other_checks_continue() -> None:
    async def breaks() -> CheckPassed:
        raise ValueError("Ada Lovelace")

    async def passes() -> CheckPassed:
        return CheckPassed("It works.", "It might be better.")

    async def cannot() -> CheckPassed:
        raise CheckSkipped("There is no server.")

    found = await run_checks([Check(name, run, "Do this.") for name, run in
                              {"a": breaks, "b": passes, "c": cannot}.items()])  # fmt: skip

    assert found == (
        CheckResult("a", CheckState.FAILED, "An unexpected error: ValueError.", "Do this."),
        CheckResult("b", CheckState.NOTE, "It works.", "It might be better."),
        CheckResult("c", CheckState.SKIPPED, "There is no server."),
    )


async def test_the_disk_of_the_data_directory_is_measured_before_it_exists_too(tmp_path: Path) -> None:
    passed = await check_disk(Settings(data_dir=tmp_path / "none" / "data"))

    assert passed.message.endswith(f"GB are free in {tmp_path}.")
    assert not (tmp_path / "none").exists()


async def test_a_data_directory_in_which_nothing_can_be_created_fails(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CheckFailed, match="file/keys cannot be created"):
        await check_disk(Settings(data_dir=tmp_path / "file"))


def test_little_free_space_is_noted_and_less_fails(tmp_path: Path) -> None:
    assert judge_free_space(2 * 10**9, tmp_path).note is None
    assert judge_free_space(9 * 10**8, tmp_path).note
    with pytest.raises(CheckFailed, match=r"0\.1 GB are free"):
        judge_free_space(9 * 10**7, tmp_path)
