"""The saved form of a recipient: saved and validated while they type, restored later, deleted when they sign."""

import json
from datetime import UTC, datetime

import structlog
from fastapi.responses import JSONResponse

from domain.ports.database import DatabaseUnavailable
from domain.ports.form_drafts import FormDrafts
from domain.shared.ids import RecipientRef
from web.forms import PostedForm
from web.page_route import OwnPagesOnly, page_router
from web.signing.check_submitted_form import CONSENT, FormChecker
from web.signing.field_views import element_ids
from web.signing.recipient_access import CSRF, InjectedVisit
from web.signing.resolve_link import RecipientAccess
from web.signing.session_documents import DOCUMENTS, blanks_of

router = page_router("/signing/{recipient_id}")

log = structlog.get_logger(__name__)

_NEVER_KEPT = frozenset({CSRF, CONSENT})
"""Inputs that are not saved. Every signature needs a new consent."""


class SavedForm:
    """The saved form of one recipient. Recipients can sign while the database is unavailable; nothing is saved then.

    The form belongs to an email address: if the address of the recipient is corrected, the form is not restored.
    """

    def __init__(self, drafts: FormDrafts, access: RecipientAccess) -> None:
        self._drafts = drafts
        session = access.session
        self._email = access.recipient.email
        self._key = RecipientRef(session.organisation_id, session.session_id, access.recipient.recipient_id)

    async def find(self) -> PostedForm | None:
        """Returns the saved form; None if there is none, or if the database is unavailable."""
        try:
            content = await self._drafts.find(self._key)
        except DatabaseUnavailable:
            return None
        if content is None:
            return None
        saved = json.loads(content)
        if saved["email"] != self._email:
            return None
        return PostedForm((name, value) for name, value in saved["inputs"])

    async def save(self, form: PostedForm) -> None:
        inputs = [(name, value) for name, value in form.multi_items() if name not in _NEVER_KEPT]
        content = json.dumps({"email": self._email, "inputs": inputs})
        await self._drafts.save(self._key, content.encode(), datetime.now(UTC))

    async def try_to_save(self, form: PostedForm) -> None:
        """Stores `form`; logs a warning if the database is unavailable."""
        try:
            await self.save(form)
        except DatabaseUnavailable:
            log.warning("draft not saved")

    async def discard(self) -> None:
        """Deletes the form after signing. If the database is unavailable, it is deleted with the session."""
        try:
            await self._drafts.discard(self._key)
        except DatabaseUnavailable:
            log.warning("saved form not deleted")


@router.post("/draft", dependencies=[OwnPagesOnly])
async def save_form(visit: InjectedVisit) -> JSONResponse:
    """Saves the form; raises `DatabaseUnavailable`. `problems` in the response maps HTML ids of inputs to messages."""
    form, services = await visit.read_form(), visit.services
    if visit.access.is_signed:
        return JSONResponse({"saved": False, "problems": {}})
    await SavedForm(services.drafts, visit.access).save(form)
    blanks = blanks_of(await DOCUMENTS.read(services.objects, visit.session), visit.recipient)
    ids = element_ids([blank.field for blank in blanks])
    problems = await FormChecker(services.pool, services.quarantine).check_filled(form, blanks)
    return JSONResponse({"saved": True, "problems": {ids[key]: message for key, message in problems}})
