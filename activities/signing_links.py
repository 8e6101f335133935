"""Signing links under the service's link key."""

from activities.interface import LinkRequest
from domain.session.signing_links import link_secret, make_token


class SigningLinks:
    """Makes links. `base_url` is where recipients reach the service."""

    def __init__(self, link_key: bytes, base_url: str) -> None:
        self._link_key = link_key
        self._base_url = base_url

    def address_of(self, request: LinkRequest) -> str:
        """The address of the link, the same whenever it is asked for."""
        secret = link_secret(self._link_key, request.session_id, request.recipient_id, request.invitation)
        return f"{self._base_url}/sign/{make_token(request.organisation_id, request.session_id, secret)}"
