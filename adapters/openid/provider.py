"""The OpenID provider by which users sign in, over HTTP. `application.tokens.openid_code_flow` checks its tokens."""

import asyncio
from urllib.parse import quote_plus

import httpx
import structlog

from adapters.openid.bounded_http import TOTAL_SECONDS, InvalidResponse, JsonResponse, request_json
from adapters.openid.config import ProviderClient
from adapters.openid.issuer_keys import CachedIssuer, endpoint_of
from domain.ports.openid import CodeRefused, IssuerKey, IssuerUnavailable

log = structlog.get_logger(__name__)

_BASIC = "client_secret_basic"

_ERRORS = {"invalid_request", "invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope"}
"""Errors of RFC 6749. Others are not logged: a provider may write anything there."""


class HttpOpenIdProvider:
    """Implements `OpenIdProvider`. Errors of the configuration are logged and count as an outage."""

    def __init__(self, client: ProviderClient, http: httpx.AsyncClient) -> None:
        self._client = client
        self._http = http
        self._issuer = CachedIssuer(client.issuer, http)

    async def find(self, key_id: str | None) -> IssuerKey | None:
        return await self._issuer.find(key_id)

    async def authorization_endpoint(self) -> str:
        return await self._endpoint("authorization_endpoint")

    async def redeem(self, code: str, verifier: str, redirect_uri: str) -> str:
        endpoint = await self._endpoint("token_endpoint")
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": verifier,
        }
        try:
            async with asyncio.timeout(TOTAL_SECONDS):
                response = await request_json(self._http, await self._token_request(endpoint, form))
        except (InvalidResponse, TimeoutError) as error:
            raise self._unavailable(str(error) or f"{endpoint} does not answer within {TOTAL_SECONDS:g} s") from error
        return self._id_token(response)

    async def _token_request(self, endpoint: str, form: dict[str, str]) -> httpx.Request:
        """Returns the token request with the client's secret, in the form unless the provider accepts HTTP Basic."""
        methods = (await self._issuer.read_metadata()).get("token_endpoint_auth_methods_supported")
        headers = {"Accept": "application/json"}
        if isinstance(methods, list) and _BASIC not in methods:
            form |= {"client_id": self._client.client_id, "client_secret": self._client.client_secret}
            return self._http.build_request("POST", endpoint, data=form, headers=headers)
        request = self._http.build_request("POST", endpoint, data=form, headers=headers)
        # RFC 6749: each part is encoded as in a form.
        basic = httpx.BasicAuth(quote_plus(self._client.client_id), quote_plus(self._client.client_secret))
        return next(basic.auth_flow(request))

    def _id_token(self, response: JsonResponse) -> str:
        status, content = response
        error = content.get("error")
        if status == httpx.codes.BAD_REQUEST and error == "invalid_grant":
            raise CodeRefused("the provider does not accept the code")
        token = content.get("id_token")
        if status != httpx.codes.OK or not isinstance(token, str):
            known = error if isinstance(error, str) and error in _ERRORS else "no ID token"
            raise self._unavailable(f"the token endpoint answers {status}: {known}")
        return token

    async def _endpoint(self, name: str) -> str:
        try:
            return endpoint_of(self._client.issuer, await self._issuer.read_metadata(), name)
        except InvalidResponse as error:
            raise self._unavailable(str(error)) from error

    def _unavailable(self, cause: str) -> IssuerUnavailable:
        log.warning("sign-in by the OpenID provider fails", issuer=self._client.issuer, cause=cause)
        return IssuerUnavailable(f"{self._client.issuer} does not answer as expected: {cause}")
