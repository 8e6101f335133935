"""What the API works with. Entry points build it once; `dependencies` hands it to the routes."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from adapters.access_keys import AccessKeys
from adapters.database.budget_port import Budgets
from adapters.database.callback_port import Callbacks, Feed
from adapters.database.code_port import EmailCodes
from adapters.database.draft_port import FormDrafts
from adapters.database.grant_port import Grants
from adapters.database.idempotency_port import IdempotencyKeys
from adapters.database.port import Files, Images, Organisations, SessionRows, Users
from adapters.database.sign_in_port import SignIns
from adapters.database.template_port import Templates
from adapters.database.upload_port import Uploads
from adapters.keys import Keys
from adapters.mail.port import Logos, Mailer
from adapters.object_store.port import Download, ObjectStore
from adapters.processes import ProcessPool
from adapters.rate_limits import RateLimits
from adapters.sealing.port import Sealer
from adapters.turns import Turns
from api.codec.desk import CodecDesk
from api.oidc.outside import TrustedIssuer
from api.quotas import Quotas
from api.readiness import Readiness
from api.reading import SessionReader
from api.sessions import Sessions
from domain.notices import CompletionMails
from workflows.deliveries import Deliveries


class SignedDownloads(Protocol):
    """A store whose signed addresses lead back to this API."""

    async def read_signed(self, token: str) -> tuple[bytes, Download]:
        """The object that `token` stands for, and how to hand it out.

        Raises:
            DownloadNotValid: a token of nobody's making, or one whose time is over.
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

    sessions: Sessions
    rows: SessionRows
    organisations: Organisations
    grants: Grants
    budgets: Budgets
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
    keys: Keys
    access_keys: AccessKeys
    rate_limits: RateLimits
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
    codec: CodecDesk | None = None
    readiness: Readiness = field(default_factory=Readiness)
    turns: Turns = field(default_factory=Turns)

    @property
    def reader(self) -> SessionReader:
        return SessionReader(self.sessions, self.rows, self.keys.link)

    def shared(self, key: str) -> "Services":
        """These services, with the pools of processes as far as `key` may use them."""
        pool, quarantine = self.turns.share(self.pool, key), self.turns.share(self.quarantine, key)
        return replace(self, pool=pool, quarantine=quarantine)
