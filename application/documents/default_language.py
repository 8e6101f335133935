"""The language of a block document that names none (Specification 2.15)."""

from application.services import SessionServices
from domain.shared.ids import OrganisationId
from layout.schema.block_document import BlockDocument


async def in_default_language(
    services: SessionServices, organisation_id: OrganisationId, document: BlockDocument, language: str | None = None
) -> BlockDocument:
    """Returns `document` in its own language, else in `language`, that of the session, else in the organisation's."""
    if document.language is None and language is None:
        organisation = await services.organisations.get(organisation_id)
        language = organisation.language if organisation else None
    return document.in_language(language)
