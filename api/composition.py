"""Builds the services of the API from the settings, and closes them."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Any

import httpx

from adapters.all_keys import read_all
from adapters.database.repositories.administrative_acts import DatabaseAdministrativeActs
from adapters.database.repositories.batches import DatabaseBatches
from adapters.database.repositories.callbacks import DatabaseCallbacks
from adapters.database.repositories.email_codes import DatabaseEmailCodes
from adapters.database.repositories.event_feed import DatabaseFeed
from adapters.database.repositories.form_drafts import DatabaseFormDrafts
from adapters.database.repositories.idempotency import DatabaseIdempotencyKeys
from adapters.database.repositories.oauth_grants import DatabaseGrants
from adapters.database.repositories.organisations import DatabaseOrganisations, DatabaseSenderIdentities
from adapters.database.repositories.sending_limits import DatabaseBudgets
from adapters.database.repositories.sessions import DatabaseSessionRows
from adapters.database.repositories.signing_urls import DatabaseSigningUrls
from adapters.database.repositories.templates import DatabaseTemplates
from adapters.database.repositories.uploads import DatabaseFiles, DatabaseImages, DatabaseUploads
from adapters.database.repositories.users import DatabaseSignIns, DatabaseUsers
from adapters.database.repositories.webhook_secrets import DatabaseWebhookSecrets
from adapters.database.schema_migration import open_database
from adapters.keys.access_token_keys import FileAccessKeys
from adapters.keys.secret_keys import ensure_key
from adapters.mail.smtp import open_mailer
from adapters.object_store.local import LocalObjectStore
from adapters.openid.issuer_keys import CachedIssuer
from adapters.openid.provider import HttpOpenIdProvider
from adapters.processes.job_limits import PUBLIC_JOBS, REQUEST_JOBS, UNTRUSTED_FILES
from adapters.processes.pool import ForkServerPool
from adapters.rate_limit_counters import find_redis_problem, limit_in_memory, limit_in_redis
from adapters.sealing.factory import SEALING, open_sealer
from adapters.sealing.sealer import Verification
from adapters.webhooks.http_sender import HttpSender
from api.health import readiness
from application.checks import Readiness
from application.documents.verify import check_file
from application.operator_tokens import Operators
from application.services import CodecConfig, Services
from application.session_actions import SessionActions
from application.tokens.issuer_tokens import TrustedIssuer
from application.tokens.openid_code_flow import REDIRECT_PATH, SignInProvider
from config.installation import Installation, join_installation
from config.settings import Settings
from domain.ports.limits import Quotas, RateLimiter
from domain.ports.mail import Mailer
from workflows.client.deliveries import connect_deliveries
from workflows.client.namespace_check import connect_namespace, connect_queues
from workflows.client.runs import connect_batch_runs, connect_runs
from workflows.sdk.payload_codec import EncryptionCodec

MODULES = (
    "layout.engine",
    "application.batches.check_rows",
    "application.documents.render_jobs",
    "application.documents.verify",
    "application.uploads.sanitize_image",
    "application.uploads.validate_pdf",
    "layout.pdf.compare_pages",
    "pades.sealability",
    "web.signing.sanitize_signature_image",
    *SEALING,
)
"""Modules that all child processes load in advance."""


@asynccontextmanager
async def open_services(settings: Settings, around: Sequence[Any] = ()) -> AsyncIterator[Services]:
    """Migrates the database and yields the services, with interceptors `around` each call of Temporal.

    Raises `StoreUnwritable` if the object store cannot be used, `ConfigError` for Temporal, and `KeysUnusable`.
    """
    async with AsyncExitStack() as opened:
        engine = await opened.enter_async_context(open_database(settings.database_address, settings.database_limits))
        namespace = await connect_namespace(settings.temporal)
        installation = await join_installation(settings, engine, namespace, settings.download_lifetime)
        (pool, quarantine, checking), objects = _pools(opened, settings), installation.objects
        rows, outbox, folder = DatabaseSessionRows(engine), settings.data_dir / "outbox", settings.data_dir / "keys"
        yield Services(
            sessions=(sessions := SessionActions(await connect_runs(settings.temporal, around), rows)),
            rows=rows,
            organisations=DatabaseOrganisations(engine),
            grants=DatabaseGrants(engine),
            batches=DatabaseBatches(engine),
            batch_runs=await connect_batch_runs(settings.temporal, around),
            budgets=DatabaseBudgets(engine),
            users=DatabaseUsers(engine),
            sign_ins=DatabaseSignIns(engine),
            acts=DatabaseAdministrativeActs(engine),
            images=DatabaseImages(engine),
            files=DatabaseFiles(engine),
            uploads=DatabaseUploads(engine),
            templates=DatabaseTemplates(engine),
            idempotency_keys=DatabaseIdempotencyKeys(engine),
            callbacks=DatabaseCallbacks(engine),
            callback_sender=HttpSender(private=settings.private_callbacks),
            webhook_secrets=DatabaseWebhookSecrets(engine, ensure_key(folder, "webhook.key")),
            deliveries=await connect_deliveries(settings.temporal, around),
            feed=DatabaseFeed(engine),
            codes=DatabaseEmailCodes(engine),
            signing_urls=DatabaseSigningUrls(engine),
            drafts=DatabaseFormDrafts(engine, ensure_key(folder, "draft.key")),
            identities=DatabaseSenderIdentities(engine),
            mailer=(mailer := open_mailer(settings.mail_server, outbox, settings.mail_from, settings.mail_greeting)),
            objects=objects,
            pool=pool,
            quarantine=quarantine,
            checking=checking,
            sealer=await open_sealer(settings.seal, folder, pool, Verification(check_file)),
            keys=installation.keys,
            access_keys=FileAccessKeys(folder),
            rate_limits=await _rate_limits(opened, settings.rate_limit_storage),
            quotas=_quotas(settings),
            base_url=settings.base_url,
            download_lifetime=settings.download_lifetime,
            copy_days=settings.copy_days,
            upload_quota=settings.upload_quota_megabytes * 1_000_000,
            outbox=None if settings.mail_server else outbox,
            downloads=objects if isinstance(objects, LocalObjectStore) else None,
            private_callbacks=settings.private_callbacks,
            sender_email=settings.sender_email,
            completion_mails=settings.completion_mails,
            trusted_issuer=await _trusted_issuer(opened, settings),
            sign_in_provider=await _sign_in_provider(opened, settings),
            codec=_codec(settings),
            readiness=await _readiness(settings, installation, sessions, mailer),
        )


def _pools(opened: AsyncExitStack, settings: Settings) -> Sequence[ForkServerPool]:
    """Returns the pools for layout, for uploads, and for the files of `/verify`."""
    pools = [
        ForkServerPool(number, limits=limits, warm_modules=MODULES)
        for number, limits in (
            (settings.pool_processes, REQUEST_JOBS),
            (settings.pool_processes, UNTRUSTED_FILES),
            (1, PUBLIC_JOBS),
        )
    ]
    for pool in pools:
        opened.push_async_callback(pool.close)
    return pools


async def _readiness(
    settings: Settings,
    installation: Installation,
    sessions: SessionActions,
    mailer: Mailer,
) -> Readiness:
    keys = partial(read_all, settings.data_dir / "keys", has_local_seal=settings.seal_key is None)
    redis = partial(find_redis_problem, settings.rate_limit_storage) if settings.rate_limit_storage else None
    return Readiness(
        [
            *readiness.backend_checks(installation.read_schema, installation.objects, sessions, keys),
            readiness.installation_check(installation.find_differences),
            *readiness.worker_checks(await connect_queues(settings.temporal)),
            *readiness.server_checks(mailer, settings.seal.timestamps, redis),
        ]
    )


def _quotas(settings: Settings) -> Quotas:
    return Quotas(
        reads=settings.reads_per_minute,
        writes=settings.writes_per_minute,
        tokens=settings.tokens_per_minute,
        pages=settings.pages_per_minute,
    )


async def _rate_limits(opened: AsyncExitStack, address: str | None) -> RateLimiter:
    return await opened.enter_async_context(limit_in_redis(address)) if address else limit_in_memory()


def _codec(settings: Settings) -> CodecConfig | None:
    keys = settings.temporal.payload_keys
    if not keys:
        return None
    operators = Operators(ensure_key(settings.data_dir / "keys", "operator.key"))
    return CodecConfig(EncryptionCodec(keys), operators, settings.temporal_ui_origins)


async def _trusted_issuer(opened: AsyncExitStack, settings: Settings) -> TrustedIssuer | None:
    if settings.oidc_issuer is None:
        return None
    http = await opened.enter_async_context(httpx.AsyncClient())
    return TrustedIssuer(
        issuer=settings.oidc_issuer,
        audience=settings.oidc_audience or f"{settings.base_url}/api/v1",
        organisation_claim=settings.oidc_organisation_claim,
        scope_claim=settings.oidc_scope_claim,
        keys=CachedIssuer(settings.oidc_issuer, http),
    )


async def _sign_in_provider(opened: AsyncExitStack, settings: Settings) -> SignInProvider | None:
    client, name = settings.provider_client, settings.sign_in_name
    if client is None or name is None:
        return None
    http = await opened.enter_async_context(httpx.AsyncClient())
    return SignInProvider(
        name=name,
        issuer=client.issuer,
        client_id=client.client_id,
        redirect_uri=f"{settings.base_url}{REDIRECT_PATH}",
        provider=HttpOpenIdProvider(client, http),
        is_only_way=not settings.sign_in_by_email,
    )
