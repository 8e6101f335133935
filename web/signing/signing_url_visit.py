"""A visit that a program of the organisation opened for a recipient.

Only its address identifies it, because some browsers block cookies in frames of other sites. The address contains a
signed ticket instead of the recipient's id.
"""

from typing import NamedTuple

from itsdangerous import BadData, SignatureExpired, URLSafeTimedSerializer

from application.credentials_in_force import is_in_force
from application.scopes import Scope
from application.services import Services
from domain.session.signing_links import Link
from domain.shared.ids import ClientId, OrganisationId, RecipientId, SessionId
from domain.shared.key_files import SIGNING, oldest_first
from web.errors import CookieExpired
from web.security_headers import HostPage

LIFETIME = 2 * 3600
"""In seconds. It is shorter than that of a cookie, because the address alone gives access."""


class ProgramVisit(NamedTuple):
    """The link of the recipient, the API client that identified them, and the host page."""

    link: Link
    recipient_id: RecipientId
    client_id: ClientId
    host: HostPage
    generation: int
    """The generation of the client's credentials (`domain.shared.standing`)."""


class Tickets:
    """Writes and reads the tickets in the addresses of visits."""

    def __init__(self, key: bytes) -> None:
        self._serializer = URLSafeTimedSerializer(oldest_first(key), salt="undersign.ticket", signer_kwargs=SIGNING)

    def write(self, visit: ProgramVisit) -> str:
        members = [*visit.link, visit.recipient_id, visit.client_id, *visit.host, visit.generation]
        return str(self._serializer.dumps(members))

    def read(self, ticket: str) -> tuple[ProgramVisit, bool]:
        """Returns the visit, and whether it has expired. Raises `CookieExpired` if the ticket is forged."""
        try:
            members, is_expired = self._serializer.loads(ticket, max_age=LIFETIME), False
        except SignatureExpired as error:
            members, is_expired = self._serializer.load_payload(error.payload or b""), True
        except BadData as error:
            raise CookieExpired from error
        # Tickets of the previous version have no generation.
        organisation, session, link_hash, recipient, client, origin, return_url, generation = [*members, 0][:8]
        link = Link(OrganisationId(organisation), SessionId(session), link_hash)
        host = HostPage(origin, return_url)
        return ProgramVisit(link, RecipientId(recipient), ClientId(client), host, generation), is_expired


async def is_allowed(services: Services, visit: ProgramVisit) -> bool:
    """Returns whether the client that identified the recipient may still open documents for them."""
    origin = (visit.link.organisation_id, visit.client_id, visit.generation)
    return await is_in_force(services, *origin, Scope.WRITE_SIGNING_URLS)
