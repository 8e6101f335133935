"""The settings of every process of Undersign, read from the environment (prefix `UNDERSIGN_`).

Only entry points read them: `worker.py`, the application factory of the API and the command line. Everything else is
handed what it needs.
"""

from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, AnyHttpUrl, EmailStr, Field, SecretStr, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from adapters.database.limits import DatabaseLimits
from adapters.sealing.choice import SealChoice
from domain.notices import CompletionMails
from domain.sealing import SealLevel
from workflows.choice import TemporalChoice
from workflows.payload_keys import read_payload_keys


def _networks(text: str) -> str:
    for part in filter(None, (part.strip() for part in text.split(","))):
        ip_network(part, strict=False)
    return text


Port = Annotated[int, Field(ge=0, le=65535)]
Limit = Annotated[int, Field(ge=0, le=1_000_000)]
Networks = Annotated[str, AfterValidator(_networks)]
Claim = Annotated[str, Field(min_length=1, max_length=200)]


class Settings(BaseSettings):
    """All settings, with the defaults of one machine. Durations are in seconds, sizes in bytes."""

    model_config = SettingsConfigDict(env_prefix="UNDERSIGN_", frozen=True, extra="ignore")

    data_dir: Path = Path(".undersign")
    """Where the embedded engines keep everything: database, objects, mails, keys, Temporal's file."""

    public_url: AnyHttpUrl = AnyHttpUrl("http://127.0.0.1:8080")
    """The address under which recipients and clients reach the service; links in mails begin with it."""

    api_host: str = "127.0.0.1"
    api_port: Port = 8080
    temporal_port: Port = 7233
    temporal_ui_port: Port = 8233
    """Ports of the embedded service; 0 means any free one."""

    temporal_address: str | None = None
    temporal_namespace: str | None = None
    """Where Temporal answers, and our namespace there. None leaves it to Temporal's own configuration
    (`TEMPORAL_ADDRESS`, `TEMPORAL_API_KEY`, `TEMPORAL_TLS_...`, `TEMPORAL_PROFILE`), else `127.0.0.1:7233`, `default`.
    """

    payload_keys: SecretStr | None = None
    """Keys under which all that Temporal is given is encrypted, separated by commas: the first encrypts, all decrypt.
    `undersign payload-key new` makes one. None means that Temporal's database can be read."""

    database_url: str | None = None
    """SQLAlchemy address of the database; none means a SQLite file in the data directory."""

    database_connections: Annotated[int, Field(ge=1, le=1000)] = 15
    """Connections to the database that a process holds. PostgreSQL must allow what all processes have together."""

    database_wait_seconds: Annotated[int, Field(ge=1, le=600)] = 30
    """How long a request waits for one of them to be free."""

    database_statement_seconds: Annotated[int, Field(ge=0, le=3600)] = 30
    """After which PostgreSQL gives up a statement, and a transaction in which nothing happens. 0 leaves it to the
    server, as behind a PgBouncer that takes no such parameters."""

    object_store: Annotated[str, Field(pattern="^gs://[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$")] | None = None
    """`gs://bucket` for Google Cloud Storage; none means a directory in the data directory."""

    smtp_url: SecretStr | None = None
    """The mail server: `smtp://user:password@host:587` (STARTTLS), `smtps://...:465` (TLS), `smtp-plain://host:25` (not
    encrypted, no password). None means that mails stay in the local outbox."""

    mail_from: str = "undersign@localhost"
    """The address that mails come from."""

    sender_email: EmailStr | None = None
    """Where the organisation's own mails go: how a session ended; answers of recipients too. None means nowhere."""

    completion_mails: CompletionMails = CompletionMails.ALL
    """Who is told by mail that the signed documents are there: `all` recipients and the sender, `sender` or `none`."""

    download_lifetime: Annotated[int, Field(ge=1, le=604_800)] = 300
    """Seconds for which a download URL works (contract 9)."""

    private_callbacks: bool = False
    """Whether callbacks may go to plain http and to addresses that are not public; `undersign dev` allows it."""

    pool_processes: Annotated[int, Field(ge=1, le=64)] = 2
    """Child processes for layout and stamping, in the API and in each worker; the API has as many for uploads."""

    reads_per_minute: Limit = 600
    writes_per_minute: Limit = 120
    """Calls of the API that are taken from one organisation in a minute; 0 means any number (contract 15)."""

    tokens_per_minute: Limit = 60
    pages_per_minute: Limit = 600
    """Requests for access tokens, and for signing pages, that are taken from one address in a minute; 0: any number."""

    rate_limit_storage: Annotated[str, Field(pattern=r"^redis(s|\+unix)?://.+$")] | None = None
    """`redis://host:6379/0`, where several API processes count together; none means that each counts for itself."""

    trusted_proxies: str = ""
    """Addresses or networks, separated by commas, whose `X-Forwarded-For` names the client; none: nobody's does."""

    metrics_networks: Networks = "127.0.0.0/8,::1/128"
    """Networks, separated by commas, from which `/metrics` of the API may be read; elsewhere there is nothing there."""

    worker_host: str = "127.0.0.1"
    """The address at which a worker listens on its own port."""

    worker_port: Port | None = None
    """The port of a worker for `/metrics` and `/healthz`, one for each worker of a machine; none: it has none."""

    oidc_issuer: Annotated[str, Field(pattern=r"^(https://|http://(localhost|127\.0\.0\.1)[:/])[^?# ]+$")] | None = None
    """An OpenID issuer whose access tokens count beside our own, exactly as it calls itself; none: nobody's do.

    Its keys are looked for at `<issuer>/.well-known/openid-configuration`. Plain http is for this machine only.
    """

    oidc_audience: str | None = None
    """The audience that those tokens must be for; none means the public URL with `/api/v1`."""

    oidc_organisation_claim: Claim = "organisation"
    oidc_scope_claim: Claim = "scope"
    """Which claims of theirs hold the organisation (its identifier here) and the scopes (a text, or a list of them)."""

    seal_key: str | None = None
    """Where the key of the seal is: `pkcs12:FILE`, `pem:FILE`, `pkcs11:token=...;object=...?module-path=...` or
    `gcpkms:projects/.../cryptoKeyVersions/1`; none means one that is made in the data directory at the first start."""

    seal_certificate: Path | None = None
    """A PEM file with the certificate of that key and those above it; none where they are beside the key."""

    seal_passphrase: SecretStr | None = None
    """The passphrase of that file, or the PIN of that token."""

    timestamp_url: SecretStr | None = None
    """A timestamp authority (RFC 3161), with user and password if it wants them; none means seals without one."""

    timestamp_roots: Annotated[Path | None, Field(validate_default=True)] = None
    """A PEM file of the roots under which the certificates of that authority are believed."""

    seal_level: SealLevel | None = None
    """What every seal is to reach in the end: `B-T` (default with a timestamp authority), `B-LT` or `B-LTA`."""

    @field_validator("payload_keys")
    @classmethod
    def _are_keys(cls, keys: SecretStr | None) -> SecretStr | None:
        if keys is not None:
            read_payload_keys(keys.get_secret_value())
        return keys

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

    @property
    def database_address(self) -> str:
        return self.database_url or f"sqlite+aiosqlite:///{(self.data_dir / 'undersign.db').resolve()}"

    @property
    def database_limits(self) -> DatabaseLimits:
        """How much of the database this process may take."""
        return DatabaseLimits(self.database_connections, self.database_wait_seconds, self.database_statement_seconds)

    @property
    def temporal(self) -> TemporalChoice:
        """Which Temporal, and under which keys."""
        keys = read_payload_keys(self.payload_keys.get_secret_value()) if self.payload_keys else ()
        return TemporalChoice(self.temporal_address, self.temporal_namespace, keys)

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
        parts = (part.strip() for part in self.metrics_networks.split(","))
        return tuple(ip_network(part, strict=False) for part in parts if part)

    @property
    def seal(self) -> SealChoice:
        """How PDFs are to be sealed."""
        return SealChoice(
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
