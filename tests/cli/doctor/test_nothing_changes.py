"""Checks change nothing, and advise on files that cannot be read."""

import errno
import os
from itertools import takewhile
from pathlib import Path

import pytest

from adapters.all_keys import ensure_all
from adapters.keys.secret_keys import file_unusable
from application.checks import CheckState
from cli.doctor.command import all_checks, run_checks
from config.settings import Settings
from tests.databases import copy_sqlite


def tree(folder: Path) -> dict[Path, bytes | None]:
    """Returns all files below with their content, and all folders."""
    return {path: path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


@pytest.mark.parametrize("has_objects", [True, False])
async def test_checks_of_a_service_that_is_stopped_change_nothing(tmp_path: Path, *, has_objects: bool) -> None:
    ensure_all(tmp_path / "keys", has_local_seal=True)
    copy_sqlite(tmp_path / "undersign.db")
    if has_objects:
        (tmp_path / "objects").mkdir()
    before = tree(tmp_path)
    settings = Settings(data_dir=tmp_path, temporal_address="127.0.0.1:1")

    local = takewhile(lambda check: check.name != "mail", all_checks(settings))
    results = await run_checks([*local])

    assert {one.name: one.message for one in results if one.state is CheckState.FAILED}.keys() == {"temporal"}
    assert tree(tmp_path) == before


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOSPC, "Make room"),
        (errno.EDQUOT, "Make room"),
        (errno.EROFS, "Let it be written"),
        (errno.EACCES, f"chown -R {os.geteuid()} /data/keys"),
        (errno.EPERM, f"chown -R {os.geteuid()} /data/keys"),
    ],
)
def test_advice_about_a_key_file_fits_what_is_wrong(number: int, advice: str) -> None:
    path = Path("/data/keys/link.key")
    assert advice in str(file_unusable(OSError(number, os.strerror(number)), path))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another user")
def test_keys_that_root_makes_belong_to_the_owner_of_the_folder(tmp_path: Path) -> None:
    os.chown(tmp_path, 1234, 1234)

    ensure_all(tmp_path / "keys", has_local_seal=True)

    assert {path.stat().st_uid for path in tmp_path.rglob("*")} == {1234}
