"""The settings of all processes, read from environment variables (prefix `UNDERSIGN_`) and files that they name.

Only entry points read them: `worker.py`, the application factory of the API and the command line. All other code gets
its values as arguments. `docs/settings.md` is generated from this file.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from enum import StrEnum
from ipaddress import IPv4Network, IPv6Network, ip_address
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AnyHttpUrl, EmailStr, Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from adapters.database.connection_limits import ConnectionLimits
from adapters.openid.config import ProviderClient
from adapters.sealing.config import SealConfig
from config import conflicts, loader
from config.types import (
    Bucket,
    Claim,
    DatabaseUrl,
    Deployment,
    HostName,
    Hosts,
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
    checked,
    is_local,
    parse_networks,
    parse_origins,
)
from domain.seal.seal import SealLevel
from domain.session.outcome_mail_kinds import CompletionMails
from workflows.sdk.payload_keys_setting import read_payload_keys
from workflows.sdk.temporal_settings import TemporalConfig
from workflows.sdk.worker_config import QUEUES, WorkerConfig, parse_queues


class Environment(StrEnum):
    """The purpose of an installation."""

    DEVELOPMENT = "development"
    PRODUCTION = "production"


DEFAULT_SENDER = "undersign@localhost"

Queues = Annotated[str, checked(parse_queues)]
PayloadKeys = Annotated[SecretStr, checked(read_payload_keys)]


class Settings(BaseSettings):
    """All settings, with defaults for one machine. Durations are in seconds, sizes in bytes."""

    model_config = SettingsConfigDict(
        env_prefix="UNDERSIGN_", frozen=True, extra="ignore", hide_input_in_errors=True, use_attribute_docstrings=True
    )

    environment: Environment | None = None
    """`development` or `production`. In production, API and worker do not start with settings that only development
    allows. None: `development` if the public URL is an address of this machine, else `production`."""

    data_dir: Path = Path(".undersign")
    """The folder of the embedded backends: database, objects, mails, keys, and the database file of the embedded
    Temporal server."""

    public_url: PublicUrl = AnyHttpUrl(conflicts.DEFAULT_PUBLIC_URL)
    """The address at which recipients and clients reach the service. Links in mails begin with it."""

    api_host: str = "127.0.0.1"
    """The address on which the API listens."""

    api_port: Port = 8080
    """The port on which the API listens. With `undersign dev`, 0 means any free port."""

    temporal_port: Port = 7233
    """The port of the Temporal server that `undersign dev` starts. 0 means any free port."""

    temporal_ui_port: Port = 8233
    """The port of the Temporal UI that `undersign dev` starts. 0 means any free port."""

    temporal_address: TemporalAddress | None = None
    """Host and port of Temporal. None: Temporal's own configuration applies (`TEMPORAL_ADDRESS`, `TEMPORAL_API_KEY`,
    `TEMPORAL_TLS_...`, `TEMPORAL_PROFILE`), else `127.0.0.1:7233`."""

    temporal_namespace: str | None = None
    """The namespace in Temporal. None: the namespace in Temporal's own configuration (`TEMPORAL_NAMESPACE`), else
    `default`."""

    temporal_api_key: SecretStr | None = None
    """The API key of Temporal, which enables TLS. None: Temporal's own configuration applies (`TEMPORAL_API_KEY`)."""

    payload_keys: PayloadKeys | None = None
    """Keys that encrypt all payloads sent to Temporal, separated by commas: the first encrypts, all decrypt. `undersign
    payload-key new` creates one. With `none` anywhere in the list, unencrypted payloads are read too. With `none` as
    its first item, payloads are not encrypted. Without keys, Temporal's database holds payloads in plain
    text; production needs keys, or `none`."""

    worker_queues: Queues = ",".join(QUEUES)
    """Task queues of a worker, separated by commas: `sessions` (steps and mails of sessions), `documents`,
    `callbacks`."""

    sessions_at_once: Slots = 100
    """Steps of sessions (Temporal activities) that a worker runs at the same time."""

    documents_at_once: Slots | None = None
    """Documents that a worker stamps and seals at the same time. None: two for each child process."""

    callbacks_at_once: Slots = 200
    """Callback attempts that a worker makes at the same time."""

    sessions_cached: Slots = 1000
    """Workflows of sessions that a worker caches, 60 kB each. Others are replayed from their histories."""

    replay_at_start: bool = True
    """Whether a worker of the queue `sessions` replays the 100 newest running sessions when it starts, and does not
    start if this version cannot continue one that the former version could. False: for a return to an earlier version,
    which may be unable to continue the newest sessions."""

    deployment_name: Deployment | None = None
    """Name of the deployment in Temporal's worker versioning (docs/engines.md). None: workers are not versioned."""

    build_id: Deployment | None = None
    """Name of this version of the code in Temporal's worker versioning."""

    temporal_ui: Origins = ""
    """Addresses of Temporal UIs, separated by commas. Their pages may decrypt payloads at `/codec`."""

    database_url: Annotated[DatabaseUrl | None, Field(repr=False)] = None
    """`postgresql://user:password@host:5432/database`, with `?ssl=require` for TLS, or `?ssl=verify-full` for TLS with
    a server certificate that is verified against the root certificates in the file that `PGSSLROOTCERT` names. None: a
    SQLite file in the data directory, for one machine."""

    database_connections: Annotated[int, Field(ge=1, le=1000)] = 15
    """Database connections of a process. PostgreSQL must allow the sum of all processes."""

    database_wait_seconds: Annotated[int, Field(ge=1, le=600)] = 30
    """Seconds that a request waits for a free connection before it fails."""

    database_statement_seconds: Annotated[int, Field(ge=0, le=3600)] = 30
    """Seconds after which PostgreSQL ends a statement or an idle transaction. With 0, the settings of the server apply;
    a PgBouncer that refuses such parameters needs 0."""

    object_store: Bucket | None = None
    """`gs://bucket` for Google Cloud Storage. None: a folder in the data directory."""

    smtp_url: SmtpUrl | None = None
    """The mail server: `smtp://user:password@host:587` (STARTTLS), `smtps://...:465` (TLS), `smtp-plain://host:25` (not
    encrypted, no password). None: mails are written to files in the data directory."""

    smtp_greeting: HostName | None = None
    """The host name that the service gives to the mail server (EHLO). None: the host of the public URL."""

    mail_from: MailAddress = DEFAULT_SENDER
    """The sender address of mails."""

    sender_email: EmailStr | None = None
    """The address of the organisation. It gets the mails about ended sessions, and the replies of recipients to
    sessions without a sender. None: only the user who sent a session gets these mails."""

    completion_mails: CompletionMails = CompletionMails.ALL
    """Who gets a mail when the signed documents are ready: `all` recipients and the sender, `sender` or `none`.
    Recipients of copies always get it."""

    download_lifetime: Annotated[int, Field(ge=1, le=604_800)] = 300
    """Lifetime of a download URL in seconds."""

    copy_days: Annotated[int, Field(ge=0, le=36_500)] = 30
    """Number of days after completion during which a recipient's link opens their signed copy without a code.
    Afterwards the page asks for a code sent by mail. With 0 it always asks."""

    upload_quota_megabytes: Annotated[int, Field(ge=1, le=100_000_000)] = 10_000
    """Megabytes that all uploads of an organisation may have together: images and PDFs that sessions and templates use,
    and those of the last 30 days."""

    private_callbacks: bool = False
    """Whether callbacks may be sent over plain HTTP and to private addresses. `undersign dev` allows both."""

    unencrypted_hosts: Hosts = ""
    """Hosts, separated by commas, that production may reach without encryption (PostgreSQL, Temporal, Redis, mail,
    traces), because the traffic stays on this machine, as between containers, or in an encrypted network."""

    pool_processes: Annotated[int, Field(ge=1, le=64)] = 3
    """Child processes for layout and stamping, in the API and in each worker. One organisation uses all but one of them
    at the same time. The API starts the same number for uploads, and one for files posted to `/verify`."""

    reads_per_minute: Limit = 600
    """API calls per minute and organisation that read. 0 means no limit, except in production."""

    writes_per_minute: Limit = 120
    """API calls per minute and organisation that change something. 0 means no limit."""

    tokens_per_minute: Limit = 60
    """Requests for access tokens per minute and client address. 0 means no limit. An IPv6 /64 network counts as one
    address. A /48 network counts as eight. Registrations of OAuth clients have their own limits."""

    pages_per_minute: Limit = 600
    """Requests for signing pages per minute and client address. 0 means no limit. IPv6 networks count as for access
    tokens. Sign-in links and the verification of files have their own limits."""

    rate_limit_storage: Annotated[RedisUrl | None, Field(repr=False)] = None
    """The Redis that holds the rate limit counters of several API processes: `redis://host:6379/0`. None: each process
    has its own counters."""

    trusted_proxies: Networks = ""
    """Addresses or networks of reverse proxies, separated by commas, whose `X-Forwarded-For` is trusted. None: no proxy
    is trusted. In production, a network must not be larger than /16 (IPv6: /48)."""

    metrics_networks: Networks = "127.0.0.0/8,::1/128"
    """Networks, separated by commas, that may read `/metrics` of the API. Other clients get 404."""

    worker_host: str = "127.0.0.1"
    """The address on which a worker listens, if it has a port."""

    worker_port: Port | None = None
    """The port on which a worker serves `/metrics` and `/healthz`, different for each worker of a machine. None: the
    worker opens no port."""

    oidc_issuer: Issuer | None = None
    """An external OpenID issuer whose access tokens are accepted too, written exactly as in their `iss` claim. Its keys
    are discovered at `<issuer>/.well-known/openid-configuration`. Plain HTTP is allowed for this machine only. None:
    only tokens of this service are accepted."""

    oidc_audience: str | None = None
    """The required audience of tokens of the external issuer. None: the public URL followed by `/api/v1`."""

    oidc_organisation_claim: Claim = "organisation"
    """The claim in tokens of the external issuer that holds the identifier of the organisation."""

    oidc_scope_claim: Claim = "scope"
    """The claim in tokens of the external issuer that holds the scopes, as a string or a list."""

    sign_in_issuer: Issuer | None = None
    """The OpenID provider with which users of the app can sign in besides links by email, written exactly as in the
    `iss` claim of its tokens. Register this service there with the redirect URI `<public
    URL>/app/sign-in/provider/callback`. Plain HTTP is allowed for this machine only."""

    sign_in_client_id: Annotated[str | None, Field(min_length=1, max_length=200)] = None
    """The client id of this service at the OpenID provider."""

    sign_in_client_secret: SecretStr | None = None
    """The client secret of this service at the OpenID provider."""

    sign_in_name: Annotated[str | None, Field(min_length=1, max_length=60)] = None
    """The name of the OpenID provider on the sign-in page: “Continue with ...”."""

    sign_in_by_email: bool = True
    """Whether users can sign in by links that are sent by mail. With `false`, the OpenID provider is the only way, and
    its second factor cannot be avoided."""

    seal_key: SealKey | None = None
    """Location of the seal key: `pkcs12:FILE`, `pem:FILE`, `pkcs11:token=...;object=...?module-path=...` or
    `gcpkms:projects/.../cryptoKeyVersions/1`. None: a key that the first start creates in the data directory."""

    seal_certificate: Path | None = None
    """A PEM file with the certificate of the seal key, followed by its issuers. None: the certificates are stored with
    the key."""

    seal_passphrase: SecretStr | None = None
    """The passphrase of the seal key's file, or the PIN of its token."""

    timestamp_url: TimestampUrl | None = None
    """URL of a timestamp authority (RFC 3161), with user and password if it requires them. None: seals have no
    timestamp."""

    timestamp_roots: Path | None = None
    """A PEM file of the trusted root certificates of the timestamp authority."""

    seal_level: SealLevel | None = None
    """The target level of every seal: `B-T` (default with a timestamp authority), `B-LT` or `B-LTA`."""

    @staticmethod
    def read(environment: Mapping[str, str] = os.environ) -> "Settings":
        """Returns the settings of this process; raises `ConfigError` with a line for each error."""
        return loader.read(Settings, environment, conflicts.find_conflicts)

    @property
    def is_production(self) -> bool:
        """Whether `environment` is `production`. If it is None: whether the public URL is not on this machine."""
        if self.environment is not None:
            return self.environment is Environment.PRODUCTION
        return not is_local(self.public_url.host or "")

    @property
    def database_address(self) -> str:
        return self.database_url or f"sqlite+aiosqlite:///{(self.data_dir / 'undersign.db').resolve()}"

    @property
    def database_limits(self) -> ConnectionLimits:
        return ConnectionLimits(self.database_connections, self.database_wait_seconds, self.database_statement_seconds)

    @property
    def temporal(self) -> TemporalConfig:
        keys = read_payload_keys(self.payload_keys.get_secret_value()) if self.payload_keys else ()
        api_key = self.temporal_api_key.get_secret_value() if self.temporal_api_key else None
        return TemporalConfig(self.temporal_address, self.temporal_namespace, keys, api_key)

    def find_plain_temporal(self) -> set[str]:
        """Returns the host of Temporal if it is reached without TLS."""
        from workflows.sdk.connection import find_plain_host  # noqa: PLC0415  # loads the SDK

        return find_plain_host(self.temporal)

    @property
    def worker_config(self) -> WorkerConfig:
        """The task queues of a worker, its limits, and its version."""
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
        """The origins of the Temporal UIs, as browsers send them."""
        return parse_origins(self.temporal_ui)

    @property
    def mail_server(self) -> str | None:
        return self.smtp_url.get_secret_value() if self.smtp_url else None

    @property
    def mail_greeting(self) -> str:
        """The host name in EHLO; an IP address as a literal (RFC 5321 4.1.3)."""
        host = self.smtp_greeting or urlsplit(self.base_url).hostname or ""
        # The host is a name, which needs no brackets.
        with suppress(ValueError):
            address = ip_address(host)
            return f"[IPv6:{address}]" if address.version == 6 else f"[{address}]"
        return host

    @property
    def worker_address(self) -> tuple[str, int] | None:
        """Host and port of a worker's own server; None if it has none."""
        return None if self.worker_port is None else (self.worker_host, self.worker_port)

    @property
    def metrics_readers(self) -> tuple[IPv4Network | IPv6Network, ...]:
        """The networks from which `/metrics` of the API may be read."""
        return parse_networks(self.metrics_networks)

    @property
    def seal(self) -> SealConfig:
        return SealConfig(
            key=self.seal_key,
            certificate=self.seal_certificate,
            passphrase=self.seal_passphrase.get_secret_value() if self.seal_passphrase else None,
            timestamps=self.timestamp_url.get_secret_value() if self.timestamp_url else None,
            timestamp_roots=self.timestamp_roots,
            level=self.seal_level or (SealLevel.B_T if self.timestamp_url else SealLevel.B_B),
        )

    @property
    def provider_client(self) -> ProviderClient | None:
        """The registration at the OpenID provider; None if users sign in by links only."""
        if self.sign_in_issuer is None or self.sign_in_client_id is None or self.sign_in_client_secret is None:
            return None
        secret = self.sign_in_client_secret.get_secret_value()
        return ProviderClient(self.sign_in_issuer, self.sign_in_client_id, secret)

    @property
    def base_url(self) -> str:
        """The public URL without a slash at its end."""
        return str(self.public_url).rstrip("/")
