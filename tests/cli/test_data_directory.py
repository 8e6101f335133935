"""The data directory: usable, private, and held by one service at a time."""

import json
import stat
from pathlib import Path

import pytest

from cli.data_directory import (
    lock_data_directory,
    prepare_data_directory,
    read_dev_info,
    remove_dev_info,
    rotate_log,
    write_dev_info,
)
from cli.output import InvalidInput
from tests.cli.dev.dev_info import DEV_INFO


def test_a_new_data_directory_is_private_and_prepared_once(tmp_path: Path) -> None:
    data_dir = tmp_path / "deep" / "down"
    prepare_data_directory(data_dir)
    (data_dir / "logs" / "api.log").write_text("stored")
    (data_dir / "temporal").chmod(0o755)
    prepare_data_directory(data_dir)

    for folder in (data_dir, data_dir / "logs", data_dir / "temporal"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert (data_dir / "logs" / "api.log").read_text() == "stored"


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_a_path_that_cannot_be_a_directory_is_refused(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(InvalidInput, match="UNDERSIGN_DATA_DIR"):
        prepare_data_directory(tmp_path / place)


def test_one_service_locks_the_directory_until_it_ends(tmp_path: Path) -> None:
    prepare_data_directory(tmp_path)
    with lock_data_directory(tmp_path):
        write_dev_info(tmp_path, DEV_INFO)
        with pytest.raises(InvalidInput, match=DEV_INFO.api_url), lock_data_directory(tmp_path):
            pass
    with lock_data_directory(tmp_path):
        assert (tmp_path / "lock").read_text().isdigit()


def test_the_log_of_the_previous_run_is_renamed(tmp_path: Path) -> None:
    prepare_data_directory(tmp_path)
    rotate_log(tmp_path, "api").write_text("the first run")
    log = rotate_log(tmp_path, "api")

    assert not log.exists()
    assert log.with_name("api.previous.log").read_text() == "the first run"


def test_dev_json_is_written_privately_with_these_members_and_read(tmp_path: Path) -> None:
    for _ in range(2):
        write_dev_info(tmp_path, DEV_INFO)
    (file,) = tmp_path.iterdir()

    assert (file.name, stat.S_IMODE(file.stat().st_mode)) == ("dev.json", 0o600)
    assert read_dev_info(tmp_path) == DEV_INFO
    assert json.loads(file.read_bytes()) == {
        "apiUrl": "http://127.0.0.1:8080",
        "temporalAddress": "127.0.0.1:7233",
        "temporalUiUrl": "http://127.0.0.1:8233",
        "outboxDir": "/data/outbox",
        "outboxUrl": "http://127.0.0.1:8080/outbox",
        "clientId": "8a2e0c55-6f33-4c8f-9a1f-0b8f6f4d2c11",
        "clientSecret": "a secret",
        "organisationId": "0b7c1e4e-5f0a-4a39-8b64-5a4b2e6f7a01",
        "webhookSecret": "whsec_c2VjcmV0IG9mIHRoZSB0ZXN0cw==",
        "appUrl": "http://127.0.0.1:8080/app",
        "userEmail": "robin@harbourfinch.example",
    }


def test_a_missing_or_incomplete_dev_json_is_none(tmp_path: Path) -> None:
    assert read_dev_info(tmp_path) is None
    (tmp_path / "dev.json").write_text('{"apiUrl": "http://127.0')
    assert read_dev_info(tmp_path) is None
    for _ in range(2):
        remove_dev_info(tmp_path)
        assert list(tmp_path.iterdir()) == []
