"""The search attributes by which operators find sessions in the Temporal UI; never encrypted, so no personal data."""

import structlog
from temporalio.api.enums.v1 import IndexedValueType
from temporalio.api.operatorservice.v1 import AddSearchAttributesRequest
from temporalio.client import Client
from temporalio.common import SearchAttributeKey, SearchAttributePair, TypedSearchAttributes
from temporalio.service import RPCError, RPCStatusCode

from domain.session.session import Session

ORGANISATION_ID = SearchAttributeKey.for_keyword("OrganisationId")
SESSION_STATUS = SearchAttributeKey.for_keyword("SessionStatus")
SESSION_NAME = SearchAttributeKey.for_keyword("SessionName")

ALL = (ORGANISATION_ID, SESSION_STATUS, SESSION_NAME)


_NOT_OURS = {RPCStatusCode.PERMISSION_DENIED, RPCStatusCode.UNIMPLEMENTED}
"""Responses of Temporal Cloud, where namespaces are configured by other means."""

log = structlog.get_logger(__name__)


def attributes_of(session: Session, *, named: bool) -> TypedSearchAttributes:
    """Returns the search attributes of a new session. `named` includes its name, which may be personal data."""
    pairs = [
        SearchAttributePair(ORGANISATION_ID, session.organisation_id),
        SearchAttributePair(SESSION_STATUS, session.status.value),
    ]
    if named:
        pairs.append(SearchAttributePair(SESSION_NAME, session.name))
    return TypedSearchAttributes(pairs)


async def ensure_registered(client: Client) -> None:
    """Registers the search attributes in the namespace; existing ones stay unchanged. Workers call it at the start."""
    request = AddSearchAttributesRequest(
        search_attributes={key.name: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD for key in ALL},
        namespace=client.namespace,
    )
    try:
        await client.operator_service.add_search_attributes(request)
    except RPCError as error:
        if error.status in _NOT_OURS:
            log.warning(
                "search attributes cannot be registered here; add them to the namespace as keywords",
                names=[key.name for key in ALL],
            )
        elif error.status is not RPCStatusCode.ALREADY_EXISTS:
            raise
