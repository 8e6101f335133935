"""The settings of every process of Undersign, read from the environment (prefix `UNDERSIGN_`) and files that it names.

Only entry points read them: `worker.py`, the application factory of the API and the command line. Everything else is
handed what it needs. `docs/settings.md` is made of this file.
"""

import os
from collections.abc import Iterator, Mapping
from enum import StrEnum
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, AnyHttpUrl, EmailStr, Field, SecretStr, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from adapters.database.pool_limits import DatabaseLimits
from adapters.sealing.config import SealConfig
from config import loader, production_checks
from config.lists import checked, origins_of, parts_of
from config.types import (
    Bucket,
    Claim,
    DatabaseUrl,
    Deployment,
    Issuer,
    Limit,
    MailAddress,
    Networks,
    Origins,
    Port,
    PublicUrl,
    RedisUrl,
    SealKey,
    Slots,
    SmtpUrl,
    TemporalAddress,
    TimestampUrl,
)
from domain.seal.level import SealLevel
from domain.session.outcome_mails import CompletionMails
from domain.shared.config_error import Misconfigured
from workflows.sdk.config import QUEUES, TemporalConfig, WorkerConfig, parse_queues
from workflows.sdk.payload_keys import read_payload_keys


def _payload_keys(keys: SecretStr) -> SecretStr:
    read_payload_keys(keys.get_secret_value())
    return keys


class Environment(StrEnum):
    """What an installation is for."""

    DEVELOPMENT = "development"
    PRODUCTION = "production"


NOT_PRODUCTION = (
    "This is production: UNDERSIGN_ENVIRONMENT says so, or UNDERSIGN_PUBLIC_URL leads to more than this machine. "
    "For trying it out only, UNDERSIGN_ENVIRONMENT=development lets it start as it is."
)

Queues = Annotated[str, AfterValidator(checked(parse_queues))]
PayloadKeys = Annotated[SecretStr, AfterValidator(_payload_keys)]


class Settings(BaseSettings):
    """All settings, with the defaults of one machine. Durations are in seconds, sizes in bytes."""

    model_config = SettingsConfigDict(
        env_prefix="UNDERSIGN_", frozen=True, extra="ignore", hide_input_in_errors=True, use_attribute_docstrings=True
    )

    environment: Environment | None = None
    """`development` or `production`, which does not start with what only a development machine should have. None means
    that a public URL on this machine is development, and any other production."""

    data_dir: Path = Path(".undersign")
    """Where the embedded engines keep everything: database, objects, mails, keys, Temporal's file."""

    public_url: PublicUrl = AnyHttpUrl("http://127.0.0.1:8080")
    """The address under which recipients and clients reach the service; links in mails begin with it."""

    api_host: str = "127.0.0.1"
    """The address at which the API listens."""

    api_port: Port = 8080
    """The port at which the API listens; with `undersign dev`, 0 means any free one."""

    temporal_port: Port = 7233
    """The port of the Temporal server that `undersign dev` starts; 0 means any free one."""

    temporal_ui_port: Port = 8233
    """The port of its UI; 0 means any free one."""

    temporal_address: TemporalAddress | None = None
    """Where Temporal answers. None leaves it to Temporal's own configuration (`TEMPORAL_ADDRESS`, `TEMPORAL_API_KEY`,
    `TEMPORAL_TLS_...`, `TEMPORAL_PROFILE`), else `127.0.0.1:7233`."""

    temporal_namespace: str | None = None
    """Our namespace there. None leaves it to Temporal's own configuration (`TEMPORAL_NAMESPACE`), else `default`."""

    payload_keys: PayloadKeys | None = None
    """Keys under which all that Temporal is given is encrypted, separated by commas: the first encrypts, all decrypt.
    `undersign payload-key new` makes one; `none` in the first place only decrypts; anywhere in the list it lets
    payloads be read that are not encrypted. None means that Temporal's database can be read."""

    worker_queues: Queues = ",".join(QUEUES)
    """What a worker serves, separated by commas: `sessions` (their steps and mails), `documents`, `callbacks`."""

    sessions_at_once: Slots = 100
    """Steps of sessions that a worker does at the same time."""

    documents_at_once: Slots | None = None
    """Documents that a worker has in work at the same time; none means two for each child process."""

    callbacks_at_once: Slots = 200
    """Tries at callbacks that a worker makes at the same time."""

    sessions_cached: Slots = 1000
    """Sessions that a worker remembers between two steps, 60 kB each; others are read again from their histories."""

    deployment_name: Deployment | None = None
    """What these workers are called by Temporal's worker versioning (docs/engines.md); none: every worker takes all."""

    build_id: Deployment | None = None
    """What this version of the code is called there."""

    temporal_ui: Origins = ""
    """Addresses of the Temporal UIs, separated by commas, whose pages may have payloads decrypted at `/codec`."""

    database_url: Annotated[DatabaseUrl | None, Field(repr=False)] = None
    """`postgresql://user:password@host:5432/database`, with `?ssl=require` for TLS, or `?ssl=verify-full` for TLS
    with a certificate that is believed under the file in `PGSSLROOTCERT`; none means a SQLite file in the data
    directory, for one machine."""

    database_connections: Annotated[int, Field(ge=1, le=1000)] = 15
    """Connections to the database that a process holds. PostgreSQL must allow what all processes have together."""

    database_wait_seconds: Annotated[int, Field(ge=1, le=600)] = 30
    """How long a request waits for one of them to be free."""

    database_statement_seconds: Annotated[int, Field(ge=0, le=3600)] = 30
    """After which PostgreSQL gives up a statement, and a transaction in which nothing happens. 0 leaves it to the
    server, as behind a PgBouncer that takes no such parameters."""

    object_store: Bucket | None = None
    """`gs://bucket` for Google Cloud Storage; none means a directory in the data directory."""

    smtp_url: SmtpUrl | None = None
    """The mail server: `smtp://user:password@host:587` (STARTTLS), `smtps://...:465` (TLS), `smtp-plain://host:25` (not
    encrypted, no password). None means that mails stay in the local outbox."""

    mail_from: MailAddress = production_checks.DEFAULT_SENDER
    """The address that mails come from."""

    sender_email: EmailStr | None = None
    """Where the organisation's own mails go: how a session ended; answers of recipients too. None means nowhere."""

    completion_mails: CompletionMails = CompletionMails.ALL
    """Who is told by mail that the signed documents are there: `all` recipients and the sender, `sender` or `none`."""

    download_lifetime: Annotated[int, Field(ge=1, le=604_800)] = 300
    """Seconds for which a download URL works."""

    copy_days: Annotated[int, Field(ge=0, le=36_500)] = 30
    """Days after completion for which the link of a recipient who has signed opens their copy by itself; then it asks
    for a code sent by mail. 0 asks at once."""

    private_callbacks: bool = False
    """Whether callbacks may go to plain http and to addresses that are not public; `undersign dev` allows it."""

    pool_processes: Annotated[int, Field(ge=1, le=64)] = 2
    """Child processes for layout and stamping, in the API and in each worker; the API has as many for uploads, and one
    more for the files that are posted to `/verify`."""

    reads_per_minute: Limit = 600
    """Calls of the API that read, and are taken from one organisation in a minute; 0 means any number."""

    writes_per_minute: Limit = 120
    """Calls of the API that change something, and are taken from one organisation in a minute; 0 means any number."""

    tokens_per_minute: Limit = 60
    """Requests for access tokens that are taken from one address in a minute; 0 means any number. The addresses of an
    IPv6 network (/64) count as one, those of a site (/48) as eight; registrations of programs have limits of their own.
    """

    pages_per_minute: Limit = 600
    """Requests for signing pages that are taken from one address in a minute, counted likewise; 0 means any number.
    Sign-in links and checks of files have limits of their own."""

    rate_limit_storage: Annotated[RedisUrl | None, Field(repr=False)] = None
    """`redis://host:6379/0`, where several API processes count together; none means that each counts for itself."""

    trusted_proxies: Networks = ""
    """Addresses or networks, separated by commas, whose `X-Forwarded-For` names the client; none: nobody's does. In
    production of at least /16, for IPv6 /48."""

    metrics_networks: Networks = "127.0.0.0/8,::1/128"
    """Networks, separated by commas, from which `/metrics` of the API may be read; elsewhere there is nothing there."""

    worker_host: str = "127.0.0.1"
    """The address at which a worker listens on its own port."""

    worker_port: Port | None = None
    """The port of a worker for `/metrics` and `/healthz`, one for each worker of a machine; none: it has none."""

    oidc_issuer: Issuer | None = None
    """An OpenID issuer whose access tokens count beside our own, exactly as it calls itself; none: nobody's do.

    Its keys are looked for at `<issuer>/.well-known/openid-configuration`. Plain http is for this machine only.
    """

    oidc_audience: str | None = None
    """The audience that those tokens must be for; none means the public URL with `/api/v1`."""

    oidc_organisation_claim: Claim = "organisation"
    """Which claim of theirs holds the organisation: its identifier here."""

    oidc_scope_claim: Claim = "scope"
    """Which claim of theirs holds the scopes: a text, or a list of them."""

    seal_key: SealKey | None = None
    """Where the key of the seal is: `pkcs12:FILE`, `pem:FILE`, `pkcs11:token=...;object=...?module-path=...` or
    `gcpkms:projects/.../cryptoKeyVersions/1`; none means one that is made in the data directory at the first start."""

    seal_certificate: Path | None = None
    """A PEM file with the certificate of that key and those above it; none where they are beside the key."""

    seal_passphrase: SecretStr | None = None
    """The passphrase of that file, or the PIN of that token."""

    timestamp_url: TimestampUrl | None = None
    """A timestamp authority (RFC 3161), with user and password if it wants them; none means seals without one."""

    timestamp_roots: Annotated[Path | None, Field(validate_default=True)] = None
    """A PEM file of the roots under which the certificates of that authority are believed."""

    seal_level: SealLevel | None = None
    """What every seal is to reach in the end: `B-T` (default with a timestamp authority), `B-LT` or `B-LTA`."""

    @field_validator("timestamp_roots")
    @classmethod
    def _comes_with_an_authority(cls, roots: Path | None, others: ValidationInfo) -> Path | None:
        if (roots is None) != (others.data.get("timestamp_url") is None):
            raise ValueError("UNDERSIGN_TIMESTAMP_URL and UNDERSIGN_TIMESTAMP_ROOTS are needed both, or neither")
        return roots

    @field_validator("seal_level")
    @classmethod
    def _can_be_reached(cls, level: SealLevel | None, others: ValidationInfo) -> SealLevel | None:
        if level not in {None, SealLevel.B_B} and others.data.get("timestamp_url") is None:
            raise ValueError("this level takes a timestamp authority; set UNDERSIGN_TIMESTAMP_URL")
        return level

    @field_validator("oidc_issuer")
    @classmethod
    def _is_somebody_else(cls, issuer: str | None, others: ValidationInfo) -> str | None:
        if issuer and issuer.rstrip("/") == str(others.data.get("public_url")).rstrip("/"):
            raise ValueError("this is the service itself, whose own tokens count anyway")
        return issuer

    @staticmethod
    def read(environment: Mapping[str, str] = os.environ) -> "Settings":
        """The settings of this process.

        Raises:
            Misconfigured: with a line for each thing that is wrong.
        """
        settings = loader.read(Settings, environment)
        contradictions = tuple(_contradictions(settings))
        if contradictions:
            raise Misconfigured(*contradictions)
        return settings

    @staticmethod
    def read_to_serve(environment: Mapping[str, str] = os.environ) -> "Settings":
        """The settings of a process that serves others.

        Raises:
            Misconfigured: as `read`, and in production with a line for each thing that only development should have.
        """
        settings = Settings.read(environment)
        risks = tuple(settings.risks())
        if risks:
            raise Misconfigured(*risks, NOT_PRODUCTION)
        return settings

    @property
    def is_production(self) -> bool:
        """Whether others depend on this installation: said so, or its public URL leads to more than this machine."""
        if self.environment is not None:
            return self.environment is Environment.PRODUCTION
        return not production_checks.is_this_machine(self.public_url.host or "")

    def risks(self) -> Iterator[str]:
        """What production must not have, a line each; nothing in development."""
        if self.is_production:
            yield from production_checks.risks(self, [key.secret for key in self.temporal.payload_keys])

    def notes(self) -> Iterator[str]:
        """What may be so in production and should be known, a line each; nothing in development."""
        if self.is_production:
            yield from production_checks.notes(self)

    @property
    def database_address(self) -> str:
        return self.database_url or f"sqlite+aiosqlite:///{(self.data_dir / 'undersign.db').resolve()}"

    @property
    def database_limits(self) -> DatabaseLimits:
        """How much of the database this process may take."""
        return DatabaseLimits(self.database_connections, self.database_wait_seconds, self.database_statement_seconds)

    @property
    def temporal(self) -> TemporalConfig:
        """Which Temporal, and under which keys."""
        keys = read_payload_keys(self.payload_keys.get_secret_value()) if self.payload_keys else ()
        return TemporalConfig(self.temporal_address, self.temporal_namespace, keys)

    @property
    def worker_config(self) -> WorkerConfig:
        """What a worker works on, and under which name."""
        return WorkerConfig(
            queues=parse_queues(self.worker_queues),
            sessions=self.sessions_at_once,
            documents=self.documents_at_once or 2 * self.pool_processes,
            callbacks=self.callbacks_at_once,
            sessions_cached=self.sessions_cached,
            deployment=self.deployment_name,
            build=self.build_id,
        )

    @property
    def temporal_ui_origins(self) -> frozenset[str]:
        """The origins of those UIs, as browsers name them."""
        return origins_of(self.temporal_ui)

    @property
    def mail_server(self) -> str | None:
        """The address of the mail server, with its password."""
        return self.smtp_url.get_secret_value() if self.smtp_url else None

    @property
    def worker_address(self) -> tuple[str, int] | None:
        """Where a worker listens, if it does."""
        return None if self.worker_port is None else (self.worker_host, self.worker_port)

    @property
    def metrics_readers(self) -> tuple[IPv4Network | IPv6Network, ...]:
        """The networks from which `/metrics` of the API may be read."""
        return tuple(map(ip_network, parts_of(self.metrics_networks)))

    @property
    def seal(self) -> SealConfig:
        """How PDFs are to be sealed."""
        return SealConfig(
            key=self.seal_key,
            certificate=self.seal_certificate,
            passphrase=self.seal_passphrase.get_secret_value() if self.seal_passphrase else None,
            timestamps=self.timestamp_url.get_secret_value() if self.timestamp_url else None,
            timestamp_roots=self.timestamp_roots,
            level=self.seal_level or (SealLevel.B_T if self.timestamp_url else SealLevel.B_B),
        )

    @property
    def base_url(self) -> str:
        """The public URL without a slash at its end."""
        return str(self.public_url).rstrip("/")


def _contradictions(settings: Settings) -> Iterator[str]:
    """Settings that make sense each by itself and not together, a line each."""
    given = settings.model_fields_set
    if settings.seal_key is None:
        for name in sorted({"seal_certificate", "seal_passphrase"} & given):
            yield f"UNDERSIGN_{name.upper()} belongs to a key of your own: set UNDERSIGN_SEAL_KEY too, or remove it."
    if settings.oidc_issuer is None:
        for name in sorted({"oidc_audience", "oidc_organisation_claim", "oidc_scope_claim"} & given):
            yield f"UNDERSIGN_{name.upper()} belongs to an outside issuer: set UNDERSIGN_OIDC_ISSUER too, or remove it."
    if (settings.deployment_name is None) != (settings.build_id is None):
        yield "UNDERSIGN_DEPLOYMENT_NAME and UNDERSIGN_BUILD_ID are needed both, or neither."
    if settings.worker_port is None and "worker_host" in given:
        yield "UNDERSIGN_WORKER_HOST belongs to the port of a worker: set UNDERSIGN_WORKER_PORT too, or remove it."
