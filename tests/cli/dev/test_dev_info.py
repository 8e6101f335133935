"""`dev.json` is what other programs on the machine read."""

import json
import stat
from pathlib import Path

from cli.dev.dev_info import read_dev_info, remove_dev_info, write_dev_info
from tests.cli.dev_info import DEV_INFO


def test_it_is_written_privately_with_these_members_and_read(tmp_path: Path) -> None:
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


def test_a_missing_or_incomplete_file_is_none(tmp_path: Path) -> None:
    assert read_dev_info(tmp_path) is None
    (tmp_path / "dev.json").write_text('{"apiUrl": "http://127.0')
    assert read_dev_info(tmp_path) is None
    for _ in range(2):
        remove_dev_info(tmp_path)
        assert list(tmp_path.iterdir()) == []
