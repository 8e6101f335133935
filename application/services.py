"""The services that use cases require. `api.composition` builds them once; `web.asgi.dependencies` injects them."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from application.checks import Readiness
from application.operator_tokens import Operators
from application.reading_slots import ReadingSlots
from application.session_actions import SessionActions
from application.session_reader import SessionReader
from application.tokens.issuer_tokens import TrustedIssuer
from application.tokens.openid_code_flow import SignInProvider
from domain.ports.administrative_acts import AdministrativeActs
from domain.ports.batches import Batches, BatchRuns
from domain.ports.callbacks import Callbacks, CallbackSender, Deliveries, Feed, WebhookSecrets
from domain.ports.database import Organisations, SessionRows, Users
from domain.ports.email_codes import EmailCodes
from domain.ports.form_drafts import FormDrafts
from domain.ports.idempotency import IdempotencyKeys
from domain.ports.keys import AccessKeys, SecretKeys
from domain.ports.limits import Quotas, RateLimiter, SendingLimits
from domain.ports.mail import Mailer
from domain.ports.oauth_grants import Grants
from domain.ports.object_store import Download, ObjectStore
from domain.ports.process_pool import ProcessPool
from domain.ports.seals import Sealer
from domain.ports.sender_identity import SenderIdentities
from domain.ports.sign_ins import SignIns
from domain.ports.signing_urls import SigningUrls
from domain.ports.templates import Templates
from domain.ports.temporal import PayloadCodec
from domain.ports.uploads import Files, Images, Uploads
from domain.session.outcome_mail_kinds import CompletionMails


@dataclass(frozen=True, slots=True)
class CodecConfig:
    """The configuration of the codec endpoint. `origins` are the Temporal UIs whose pages may call it."""

    codec: PayloadCodec
    operators: Operators
    origins: frozenset[str]


class SignedDownloads(Protocol):
    """An object store whose signed URLs point to this API."""

    async def read_signed(self, token: str) -> tuple[bytes, Download]:
        """Returns the object that `token` refers to, and the file name and media type of the download.

        Raises:
            DownloadNotValid: the token is invalid or has expired.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionServices:
    """The services and settings that create sessions, in the API and in workers.

    `pool` lays out documents. `sender_email` and `completion_mails` are stored in each new session.
    """

    sessions: SessionActions
    rows: SessionRows
    organisations: Organisations
    users: Users
    grants: Grants
    images: Images
    files: Files
    uploads: Uploads
    templates: Templates
    objects: ObjectStore
    pool: ProcessPool
    sender_email: str | None = None
    completion_mails: CompletionMails = CompletionMails.ALL


@dataclass(frozen=True, slots=True, kw_only=True)
class Services(SessionServices):
    """The services and settings that use cases of the API require.

    `outbox` is the folder of the local outbox, None if a mail server is configured. `downloads` is the object store if
    this API serves its objects, None if the store has its own URLs. `private_callbacks` allows callbacks over plain
    http and to private addresses. The link of a recipient who has signed opens the copy for `copy_days`.
    The uploads of an organisation have at most `upload_quota` bytes together.
    `trusted_issuer` is the external issuer whose access tokens are accepted, `sign_in_provider` the OpenID provider by
    which users sign in. `codec` decrypts Temporal payloads, None if they are not encrypted. `readiness` reports the
    status of the dependencies.

    `quarantine` opens uploads, and `checking` verifies files of `/verify`, of which `verify_slots` limits how many
    are received at a time.
    """

    batches: Batches
    batch_runs: BatchRuns
    budgets: SendingLimits
    sign_ins: SignIns
    acts: AdministrativeActs
    idempotency_keys: IdempotencyKeys
    callbacks: Callbacks
    callback_sender: CallbackSender
    webhook_secrets: WebhookSecrets
    deliveries: Deliveries
    feed: Feed
    drafts: FormDrafts
    codes: EmailCodes
    signing_urls: SigningUrls
    mailer: Mailer
    identities: SenderIdentities
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
    upload_quota: int = 10_000_000_000
    private_callbacks: bool = False
    trusted_issuer: TrustedIssuer | None = None
    sign_in_provider: SignInProvider | None = None
    codec: CodecConfig | None = None
    readiness: Readiness = field(default_factory=Readiness)
    verify_slots: ReadingSlots = field(default_factory=ReadingSlots)

    @property
    def reader(self) -> SessionReader:
        return SessionReader(self.sessions, self.rows, self.keys.link)
