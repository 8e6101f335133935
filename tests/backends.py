"""Real engines for a whole installation: PostgreSQL, a storage server, a mail server, and payloads under encryption."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from pathlib import Path
from uuid import uuid4

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from google.cloud import storage

from adapters.files import write_once
from domain.shared.object_names import digest
from tests.adapters.google_accounts import Account, new_account, token_server
from tests.adapters.google_server import client_at, google_server
from tests.adapters.postgres_server import postgres_server
from tests.http_requests import PATIENCE
from tests.ports import free_port
from workflows.sdk.config import new_payload_key

SURVIVING = "-c max_connections=200"
"""Settings of a PostgreSQL server that is to keep what it has confirmed."""


@dataclass
class OperatorBackends:
    """Where they are: `settings` for the processes of an installation."""

    settings: Mapping[str, str]
    outbox: Path
    bucket: storage.Bucket
    account: Account
    database: str
    database_folder: str
    mails: "MailServer" = field(repr=False)


class MailServer:
    """A mail server that puts each mail into a folder, once: as those do that look at Message-IDs."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.twice = 0
        self.changed: list[str] = []

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.content, bytes)
        message_id = str(message_from_bytes(envelope.content)["Message-ID"])
        path = self._folder / f"{digest(message_id.encode())[:32]}.eml"
        try:
            write_once(path, envelope.content)
        except FileExistsError:
            self.twice += 1
            if path.read_bytes() != envelope.content:
                self.changed.append(message_id)
        return "250 queued"


@contextmanager
def start_backends(folder: Path, outbox: Path, host: str = "127.0.0.1") -> Iterator[OperatorBackends]:
    """Starts them at `host`, for as long as the context lasts; mails arrive in `outbox`."""
    outbox.mkdir(parents=True, exist_ok=True)
    database_port = free_port(host)
    with (
        postgres_server(f"{SURVIVING} -c listen_addresses={host} -p {database_port}") as database_folder,
        google_server(folder / "buckets", host) as objects,
        token_server(host) as tokens,
        mail_server(outbox, host) as (post, port),
    ):
        database = f"postgresql+asyncpg://undersign@{host}:{database_port}/postgres"
        account = new_account(tokens)
        key_file = folder / "google.json"
        key_file.write_text(json.dumps(account.key_file()), encoding="utf-8")
        client = client_at(objects)
        bucket = client.create_bucket(f"contracts-{uuid4()}")
        settings = {
            "UNDERSIGN_DATABASE_URL": database,
            "UNDERSIGN_OBJECT_STORE": f"gs://{bucket.name}",
            "UNDERSIGN_SMTP_URL": f"smtp-plain://{host}:{port}",
            "UNDERSIGN_PAYLOAD_KEYS": new_payload_key(),
            "GOOGLE_APPLICATION_CREDENTIALS": str(key_file),
            "STORAGE_EMULATOR_HOST": objects,
        }
        yield OperatorBackends(settings, outbox, bucket, account, database, database_folder, post)
        client.close()


@contextmanager
def mail_server(folder: Path, host: str = "127.0.0.1") -> Iterator[tuple[MailServer, int]]:
    """A mail server and its port."""
    post = MailServer(folder)
    port = free_port(host)
    controller = Controller(post, hostname=host, port=port, server_hostname="localhost", ready_timeout=PATIENCE)
    controller.start()
    try:
        yield post, port
    finally:
        controller.stop()
