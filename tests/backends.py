"""Real engines for a whole installation: PostgreSQL, a storage server, a mail server, and payloads under encryption."""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from email import message_from_bytes
from hashlib import sha256
from pathlib import Path
from uuid import uuid4

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from google.cloud import storage
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from adapters.database.engine import make_engine
from adapters.files import write_once
from domain.shared.object_names import digest
from tests.adapters.google_accounts import Account, new_account, token_server
from tests.adapters.google_server import client_at, google_server
from tests.adapters.postgres_server import postgres_server, restart
from tests.databases import LIMITS
from tests.http_requests import PATIENCE
from tests.tcp_ports import free_port
from workflows.sdk.payload_keys_setting import new_payload_key

SURVIVING = "-c max_connections=200"
"""Options of a PostgreSQL server that keeps what it has confirmed."""

UNKNOWN_ADDRESS = "nobody@example.com"


@dataclass
class OperatorBackends:
    """The backends; `settings` are for the processes of an installation, and mails arrive in `outbox`."""

    settings: Mapping[str, str]
    outbox: Path
    bucket: storage.Bucket
    account: Account
    database: str
    database_folder: str
    mails: "MailServer"

    def signed(self, prefix: str) -> list[str]:
        """Returns the SHA-256 of each signed PDF below `prefix`, sorted."""
        blobs = self.bucket.list_blobs(prefix=prefix)
        found = [blob for blob in blobs if blob.name.rpartition("/")[2].startswith("signed")]
        return sorted(sha256(blob.download_as_bytes()).hexdigest() for blob in found if blob.name.endswith(".pdf"))

    def has_objects(self, prefix: str) -> bool:
        return any(True for _ in self.bucket.list_blobs(prefix=prefix))

    def lock(self, pause: Callable[[], object]) -> None:
        """Locks the database while `pause` lasts."""
        with suppress(SQLAlchemyError, OSError):
            asyncio.run(self._lock(pause))

    async def _lock(self, pause: Callable[[], object]) -> None:
        engine = make_engine(self.database, LIMITS)
        async with engine.begin() as rows:
            await rows.execute(text("LOCK TABLE sessions, events IN ACCESS EXCLUSIVE MODE"))
            pause()
        await engine.dispose()

    def restart_database(self) -> None:
        """Ends it as a power failure would, and starts it again."""
        restart(self.database_folder)

    def changed_mails(self) -> Sequence[str]:
        return self.mails.changed


class MailServer:
    """A mail server on a port of its own that puts each mail into a folder, once for each Message-ID.

    `changed` lists the Message-IDs that came again with other bytes. It refuses `UNKNOWN_ADDRESS`.
    """

    def __init__(self, folder: Path, host: str) -> None:
        self._folder = folder
        self._place = (host, free_port(host))
        self.twice = 0
        self.changed: list[str] = []
        self.start()

    @property
    def url(self) -> str:
        return "smtp-plain://{}:{}".format(*self._place)

    def start(self) -> None:
        host, port = self._place
        self._controller = Controller(
            self, hostname=host, port=port, server_hostname="localhost", ready_timeout=PATIENCE
        )
        self._controller.start()

    def stop(self) -> None:
        """Refuses connections until the next start."""
        self._controller.stop(no_assert=True)

    async def handle_RCPT(  # noqa: N802  # the library's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address == UNKNOWN_ADDRESS:
            return "550 5.1.1 no such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"

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
    """Starts them at `host` for the duration of the context; mails arrive in `outbox`."""
    for path in (folder, outbox):
        path.mkdir(parents=True, exist_ok=True)
    database_port = free_port(host)
    with (
        postgres_server(f"{SURVIVING} -c listen_addresses={host} -p {database_port}") as database_folder,
        google_server(folder / "buckets", host) as objects,
        token_server(host) as tokens,
    ):
        mails = MailServer(outbox, host)
        database = f"postgresql+asyncpg://undersign@{host}:{database_port}/postgres"
        account = new_account(tokens)
        key_file = folder / "google.json"
        key_file.write_text(json.dumps(account.key_file()), encoding="utf-8")
        client = client_at(objects)
        bucket = client.create_bucket(f"contracts-{uuid4()}")
        settings = {
            "UNDERSIGN_DATABASE_URL": database,
            "UNDERSIGN_OBJECT_STORE": f"gs://{bucket.name}",
            "UNDERSIGN_SMTP_URL": mails.url,
            "UNDERSIGN_PAYLOAD_KEYS": new_payload_key(),
            "GOOGLE_APPLICATION_CREDENTIALS": str(key_file),
            "STORAGE_EMULATOR_HOST": objects,
        }
        try:
            yield OperatorBackends(settings, outbox, bucket, account, database, database_folder, mails)
        finally:
            mails.stop()
            client.close()
