"""Authorisation of the client's requests: one access token, requested when needed and renewed before it expires."""

from collections.abc import Generator
from time import monotonic

import httpx
from pydantic import ValidationError

from undersign.errors import ClientError
from undersign.models import TokenRead

TOKEN_PATH = "/oidc/token"  # noqa: S105  # a path
_MARGIN = 60.0
"""Seconds before its expiry at which a token is renewed, since a request may be on its way for a while."""


class TokenAuth(httpx.Auth):
    """Adds `Authorization: Bearer` to requests, for both kinds of `httpx` clients.

    A token that the service rejects with 401 is replaced once, because keys are rotated and clocks differ. If the
    service issues no token, the flow ends with the response of the token endpoint.
    """

    requires_response_body = True

    def __init__(self, base_url: str, client_id: str, client_secret: str) -> None:
        self._url = base_url.rstrip("/") + TOKEN_PATH
        self._basic = httpx.BasicAuth(client_id, client_secret)
        self._token = ""
        self._renew_at = 0.0

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        for _ in range(2):
            if not self._token or monotonic() >= self._renew_at:
                issued = yield self._token_request(request.headers["User-Agent"])
                if not issued.is_success:
                    return
                try:
                    token = TokenRead.model_validate_json(issued.content)
                except ValidationError as error:
                    raise ClientError(f"{self._url} returned no token. Check the address of the service.") from error
                self._token, self._renew_at = token.access_token, monotonic() + token.expires_in - _MARGIN
            request.headers["Authorization"] = f"Bearer {self._token}"
            response = yield request
            if response.status_code != httpx.codes.UNAUTHORIZED:
                return
            self._token = ""

    def _token_request(self, user_agent: str) -> httpx.Request:
        headers = {"User-Agent": user_agent, "Accept": "*/*"}
        form = {"grant_type": "client_credentials"}
        return next(self._basic.auth_flow(httpx.Request("POST", self._url, data=form, headers=headers)))
