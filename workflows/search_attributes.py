"""The search attributes by which operators find sessions in the Temporal UI; never encrypted, so no personal data."""

from temporalio.common import SearchAttributeKey, SearchAttributePair, TypedSearchAttributes

from domain.session import Session

ORGANISATION_ID = SearchAttributeKey.for_keyword("OrganisationId")
SESSION_STATUS = SearchAttributeKey.for_keyword("SessionStatus")
SESSION_NAME = SearchAttributeKey.for_keyword("SessionName")

ALL = (ORGANISATION_ID, SESSION_STATUS, SESSION_NAME)


def of(session: Session) -> TypedSearchAttributes:
    """The search attributes with which a session starts."""
    return TypedSearchAttributes(
        [
            SearchAttributePair(ORGANISATION_ID, session.organisation_id),
            SearchAttributePair(SESSION_STATUS, session.status.value),
            SearchAttributePair(SESSION_NAME, session.name),
        ]
    )
