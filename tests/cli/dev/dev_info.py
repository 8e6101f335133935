"""A dev_info as a running service writes it."""

from pathlib import Path

from cli.data_directory import DevInfo

DEV_INFO = DevInfo(
    api_url="http://127.0.0.1:8080",
    temporal_address="127.0.0.1:7233",
    temporal_ui_url="http://127.0.0.1:8233",
    outbox_dir=Path("/data/outbox"),
    outbox_url="http://127.0.0.1:8080/outbox",
    client_id="8a2e0c55-6f33-4c8f-9a1f-0b8f6f4d2c11",
    client_secret="a secret",
    organisation_id="0b7c1e4e-5f0a-4a39-8b64-5a4b2e6f7a01",
    webhook_secret="whsec_c2VjcmV0IG9mIHRoZSB0ZXN0cw==",
    app_url="http://127.0.0.1:8080/app",
    user_email="robin@harbourfinch.example",
)
