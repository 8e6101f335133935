"""The collaborators of the use cases. `api.composition` builds them once; `asgi.dependencies` injects them."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from application.fair_queue import FairQueue
from application.oauth.external_issuer import TrustedIssuer
from application.operator_tokens import Operators
from application.readiness import Readiness
from application.sessions.session_actions import SessionActions
from application.sessions.session_reader import SessionReader
from domain.session.outcome_mails import CompletionMails
from ports.callbacks import Callbacks, Deliveries, Feed
from ports.database import Organisations, SessionRows, Users
from ports.idempotency import IdempotencyKeys
from ports.keys import AccessKeys, SecretKeys
from ports.limits import Quotas, RateLimiter, SendingLimits
from ports.mail import Logos, Mailer
from ports.oauth_grants import Grants
from ports.object_store import Download, ObjectStore
from ports.process_pool import ProcessPool
from ports.sealing import Sealer
from ports.sign_ins import SignIns
from ports.signing_pages import EmailCodes, FormDrafts
from ports.templates import Templates
from ports.temporal import PayloadCodec
from ports.uploads import Files, Images, Uploads


@dataclass(frozen=True, slots=True)
class CodecConfig:
    """`origins` are those of the Temporal UIs whose pages may call the endpoint."""

    codec: PayloadCodec
    operators: Operators
    origins: frozenset[str]


class SignedDownloads(Protocol):
    """A store whose signed addresses lead back to this API."""

    async def read_signed(self, token: str) -> tuple[bytes, Download]:
        """Returns the object of `token`, and the file name and media type of the download.

        Raises:
            DownloadNotValid: the token is invalid or has expired.
        """
        ...


@dataclass(frozen=True, slots=True)
class Services:
    """The collaborators of the API.

    `outbox` is the folder of the local outbox, None when mail really leaves. `downloads` is the store when it hands
    out its objects through this API, None when it has addresses of its own. `private_callbacks` allows callbacks to
    plain http and to addresses that are not public. The link of somebody who has signed opens their copy for
    `copy_days`. `sender_email` and `completion_mails` go into each new session. `trusted_issuer` is whose access
    tokens count beside our own. `codec` decrypts what Temporal keeps, None where nothing is encrypted there.
    `readiness` knows how the dependencies stand.

    `pool` lays documents out, `quarantine` opens what clients and recipients upload, `checking` what is posted to
    `/verify`. `turns` shares them out.
    """

    sessions: SessionActions
    rows: SessionRows
    organisations: Organisations
    grants: Grants
    budgets: SendingLimits
    users: Users
    sign_ins: SignIns
    images: Images
    files: Files
    uploads: Uploads
    templates: Templates
    idempotency_keys: IdempotencyKeys
    callbacks: Callbacks
    deliveries: Deliveries
    feed: Feed
    drafts: FormDrafts
    codes: EmailCodes
    mailer: Mailer
    logos: Logos
    objects: ObjectStore
    pool: ProcessPool
    quarantine: ProcessPool
    checking: ProcessPool
    sealer: Sealer
    keys: SecretKeys
    access_keys: AccessKeys
    rate_limits: RateLimiter
    quotas: Quotas
    base_url: str
    download_lifetime: int
    outbox: Path | None
    downloads: SignedDownloads | None = None
    copy_days: int = 30
    private_callbacks: bool = False
    sender_email: str | None = None
    completion_mails: CompletionMails = CompletionMails.ALL
    trusted_issuer: TrustedIssuer | None = None
    codec: CodecConfig | None = None
    readiness: Readiness = field(default_factory=Readiness)
    turns: FairQueue = field(default_factory=FairQueue)

    @property
    def reader(self) -> SessionReader:
        return SessionReader(self.sessions, self.rows, self.keys.link)

    def shared(self, key: str) -> "Services":
        """These services, with the pools of processes as far as `key` may use them."""
        pool, quarantine = self.turns.share(self.pool, key), self.turns.share(self.quarantine, key)
        return replace(self, pool=pool, quarantine=quarantine)
