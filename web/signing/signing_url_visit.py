"""A visit that a program of the organisation opened for a recipient.

Only its address identifies it, because some browsers block cookies in frames of other sites. The address contains a
signed ticket instead of the recipient's id.
"""

from typing import NamedTuple

from itsdangerous import BadData, SignatureExpired, URLSafeTimedSerializer

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


class Tickets:
    """Writes and reads the tickets in the addresses of visits."""

    def __init__(self, key: bytes) -> None:
        self._serializer = URLSafeTimedSerializer(oldest_first(key), salt="undersign.ticket", signer_kwargs=SIGNING)

    def write(self, visit: ProgramVisit) -> str:
        return str(self._serializer.dumps([*visit.link, visit.recipient_id, visit.client_id, *visit.host]))

    def read(self, ticket: str) -> tuple[ProgramVisit, bool]:
        """Returns the visit, and whether it has expired. Raises `CookieExpired` if the ticket is forged."""
        try:
            members, is_expired = self._serializer.loads(ticket, max_age=LIFETIME), False
        except SignatureExpired as error:
            members, is_expired = self._serializer.load_payload(error.payload or b""), True
        except BadData as error:
            raise CookieExpired from error
        organisation, session, link_hash, recipient, client, origin, return_url = members
        link = Link(OrganisationId(organisation), SessionId(session), link_hash)
        return ProgramVisit(link, RecipientId(recipient), ClientId(client), HostPage(origin, return_url)), is_expired
