"""`dev.json` is what other programs on the machine read."""

import json
import stat
from pathlib import Path

from cli.dev.dev_info import read_dev_info, remove_dev_info, write_dev_info
from tests.cli.dev_info import DEV_INFO


def test_it_has_the_members_that_were_promised(tmp_path: Path) -> None:
    write_dev_info(tmp_path, DEV_INFO)

    assert json.loads((tmp_path / "dev.json").read_bytes()) == {
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


def test_only_its_owner_may_read_it(tmp_path: Path) -> None:
    write_dev_info(tmp_path, DEV_INFO)

    assert stat.S_IMODE((tmp_path / "dev.json").stat().st_mode) == 0o600


def test_writing_it_leaves_nothing_else_behind(tmp_path: Path) -> None:
    write_dev_info(tmp_path, DEV_INFO)
    write_dev_info(tmp_path, DEV_INFO)

    assert [path.name for path in tmp_path.iterdir()] == ["dev.json"]


def test_it_is_read_back_as_it_was(tmp_path: Path) -> None:
    write_dev_info(tmp_path, DEV_INFO)

    assert read_dev_info(tmp_path) == DEV_INFO


def test_nothing_and_half_a_file_are_no_handle(tmp_path: Path) -> None:
    absent = read_dev_info(tmp_path)
    (tmp_path / "dev.json").write_text('{"apiUrl": "http://127.0')

    assert absent is None
    assert read_dev_info(tmp_path) is None


def test_removing_it_twice_is_as_once(tmp_path: Path) -> None:
    write_dev_info(tmp_path, DEV_INFO)

    remove_dev_info(tmp_path)
    remove_dev_info(tmp_path)

    assert read_dev_info(tmp_path) is None
