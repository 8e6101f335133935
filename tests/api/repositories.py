"""What the API keeps in SQL, in a database in memory."""

from dataclasses import fields
from typing import Any

from sqlalchemy.ext.asyncio import AsyncEngine

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
from adapters.database.repositories.signing_urls import DatabaseSigningUrls
from adapters.database.repositories.templates import DatabaseTemplates
from adapters.database.repositories.uploads import DatabaseFiles, DatabaseImages, DatabaseUploads
from adapters.database.repositories.users import DatabaseSignIns, DatabaseUsers
from adapters.database.repositories.webhook_secrets import DatabaseWebhookSecrets
from application.services import Services
from tests.databases import MemoryDatabase
from tests.fakes.sessions import WitnessedRows

_DRAFT_KEY = b"f" * 32


class Repositories:
    """The repositories of one database, under the names that `Services` has for them."""

    def __init__(self, engine: AsyncEngine | None = None) -> None:
        """`engine`: of another database than `database`, which then stays empty."""
        self.database = MemoryDatabase()
        engine = engine or self.database.engine
        self.rows = WitnessedRows(engine)
        self.organisations = DatabaseOrganisations(engine)
        self.users = DatabaseUsers(engine)
        self.sign_ins = DatabaseSignIns(engine)
        self.acts = DatabaseAdministrativeActs(engine)
        self.grants = DatabaseGrants(engine)
        self.budgets = DatabaseBudgets(engine)
        self.identities = DatabaseSenderIdentities(engine)
        self.images = DatabaseImages(engine)
        self.files = DatabaseFiles(engine)
        self.uploads = DatabaseUploads(engine)
        self.batches = DatabaseBatches(engine)
        self.templates = DatabaseTemplates(engine)
        self.idempotency_keys = DatabaseIdempotencyKeys(engine)
        self.callbacks = DatabaseCallbacks(engine)
        self.webhook_secrets = DatabaseWebhookSecrets(engine, b"w" * 32)
        self.feed = DatabaseFeed(engine)
        self.codes = DatabaseEmailCodes(engine)
        self.signing_urls = DatabaseSigningUrls(engine)
        self.drafts = DatabaseFormDrafts(engine, _DRAFT_KEY)

    def members(self) -> dict[str, Any]:
        """The collaborators of `Services` that are attributes of this object."""
        return {field.name: getattr(self, field.name) for field in fields(Services) if hasattr(self, field.name)}
