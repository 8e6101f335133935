"""Signing links under the service's link key."""

import hmac

from temporalio.exceptions import ApplicationError

from activities.interface import IssueLinkRequest
from domain.links import link_hash, link_secret, make_token


class SigningLinks:
    """Makes links. `base_url` is where recipients reach the service."""

    def __init__(self, link_key: bytes, base_url: str) -> None:
        self._link_key = link_key
        self._base_url = base_url

    def hash_of(self, request: IssueLinkRequest) -> str:
        """What is kept of the link."""
        return link_hash(self._secret(request))

    def address_of(self, request: IssueLinkRequest, issued_hash: str) -> str:
        """The address of the link that was issued with that hash.

        Raises:
            ApplicationError: the link key changed since; tried again, since with the earlier key back in place the
                link can be made.
        """
        secret = self._secret(request)
        if not hmac.compare_digest(link_hash(secret), issued_hash):
            raise ApplicationError(
                "the link key is not the one this link was made with; put the earlier key back", type="LinkKeyChanged"
            )
        return f"{self._base_url}/sign/{make_token(request.organisation_id, request.session_id, secret)}"

    def _secret(self, request: IssueLinkRequest) -> bytes:
        return link_secret(self._link_key, request.session_id, request.recipient_id, request.invitation)
