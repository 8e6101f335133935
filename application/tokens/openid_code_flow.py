"""Sign-in of users by an OpenID provider: the authorization code flow with PKCE (OpenID Connect Core)."""

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import Any, NamedTuple
from urllib.parse import urlencode

from itsdangerous.encoding import base64_encode

from application.errors import InvalidToken
from application.read_entries import is_email_like
from application.tokens.issuer_tokens import LEEWAY, read_claims
from domain.ports.openid import CodeRefused, IssuerUnavailable, OpenIdProvider

REDIRECT_PATH = "/app/sign-in/provider/callback"
"""The path to which the provider redirects the browser. Operators register its URL at the provider."""

LIFETIME = timedelta(minutes=10)
"""The time within which a user must sign in at the provider."""

_TYPES = {"", "jwt"}
_OUTAGES = {"temporarily_unavailable", "server_error"}
_VERIFIED_DOMAIN = "xms_edov"
"""The claim that Entra ID has instead of `email_verified`: the owner of the address's domain is verified."""


class Refusal(StrEnum):
    """The reason why a user is not signed in. The pages have a text for each."""

    UNAVAILABLE = "unavailable"  # the provider does not respond, or differs from its configuration
    DENIED = "denied"  # the provider, or the user there, refused
    OUTDATED = "outdated"  # not begun in this browser, begun too long ago, or finished before
    UNTRUSTED = "untrusted"  # the response does not prove that it is the provider's
    NO_EMAIL = "no_email"
    EMAIL_NOT_VERIFIED = "email_not_verified"
    NO_ACCOUNT = "no_account"


class SignInRefused(Exception):
    """The user is not signed in. `email` is the address in the ID token, if it is known. The message is for logs."""

    def __init__(self, refusal: Refusal, cause: str, email: str = "") -> None:
        self.refusal = refusal
        self.email = email
        super().__init__(cause)


class ProviderSignIn(NamedTuple):
    """A sign-in that has begun: secrets of 256 random bits, which the browser keeps until it returns."""

    state: str
    nonce: str
    verifier: str

    @staticmethod
    def begin() -> "ProviderSignIn":
        return ProviderSignIn(*(secrets.token_urlsafe(32) for _ in range(3)))

    def has_state(self, state: str) -> bool:
        return secrets.compare_digest(self.state.encode(), state.encode(errors="replace"))


@dataclass(frozen=True, slots=True)
class SignInProvider:
    """The OpenID provider by which users sign in. `name` is shown to users.

    With `is_only_way`, links by email open nothing. The other values are those registered at the provider.
    """

    name: str
    issuer: str
    client_id: str
    redirect_uri: str
    provider: OpenIdProvider
    is_only_way: bool = False

    async def address_of(self, sign_in: ProviderSignIn) -> str:
        """Returns the authorization URL at the provider for the browser. Raises `SignInRefused`."""
        try:
            endpoint = await self.provider.authorization_endpoint()
        except IssuerUnavailable as error:
            raise SignInRefused(Refusal.UNAVAILABLE, str(error)) from error
        question = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.redirect_uri,
            "scope": "openid email",
            "state": sign_in.state,
            "nonce": sign_in.nonce,
            "code_challenge": base64_encode(sha256(sign_in.verifier.encode()).digest()).decode(),
            "code_challenge_method": "S256",
        }
        return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(question)}"

    async def find_email(self, sign_in: ProviderSignIn, response: Mapping[str, str], at: datetime) -> str:
        """Returns the verified email address of the user who signed in, with ASCII letters in lower case.

        `response` holds the query parameters of the redirect from the provider. The caller has compared `state`.

        Raises:
            SignInRefused: the provider refuses, or does not prove who the user is.
        """
        try:
            token = await self.provider.redeem(self._code(response), sign_in.verifier, self.redirect_uri)
            claims = await self._read(token, sign_in.nonce, at)
        except IssuerUnavailable as error:
            raise SignInRefused(Refusal.UNAVAILABLE, str(error)) from error
        except CodeRefused as error:
            raise SignInRefused(Refusal.OUTDATED, str(error)) from error
        except InvalidToken as error:
            raise SignInRefused(Refusal.UNTRUSTED, "the ID token is not valid") from error
        return _verified_email(claims)

    def _code(self, response: Mapping[str, str]) -> str:
        if response.get("iss", self.issuer) != self.issuer:  # RFC 9207
            raise SignInRefused(Refusal.UNTRUSTED, "the response names another issuer")
        error, code = response.get("error", ""), response.get("code", "")
        if error in _OUTAGES:
            raise SignInRefused(Refusal.UNAVAILABLE, f"the provider answers {error}")
        if error or not code:
            known = error if re.fullmatch("[a-z_]{1,40}", error) else "neither a code nor a known error"
            raise SignInRefused(Refusal.DENIED, f"the provider answers {known}")
        return code

    async def _read(self, token: str, nonce: str, at: datetime) -> dict[str, Any]:
        """Returns the claims of an ID token. Raises `InvalidToken` or `IssuerUnavailable`."""
        claims = await read_claims(
            token,
            self.provider,
            at,
            _TYPES,
            iss={"essential": True, "value": self.issuer},
            aud={"essential": True, "value": self.client_id},
            sub={"essential": True},
            iat={"essential": True},
        )
        # A token for several audiences names in `azp` the client that requested it.
        presenter = claims.get("azp", self.client_id if claims["aud"] in (self.client_id, [self.client_id]) else None)
        oldest = at.timestamp() - LIFETIME.total_seconds() - LEEWAY
        if claims.get("nonce") != nonce or presenter != self.client_id or claims["iat"] < oldest:
            raise InvalidToken
        return claims


def _verified_email(claims: Mapping[str, Any]) -> str:
    email = claims.get("email")
    try:
        # Only ASCII changes: the lower case of some other letters is ASCII, so two addresses would become one.
        lowered = email.encode().lower().decode() if isinstance(email, str) else ""
    except UnicodeEncodeError:
        lowered = ""
    if not is_email_like(lowered):
        raise SignInRefused(Refusal.NO_EMAIL, "the ID token has no email address")
    is_verified = claims.get("email_verified")
    if is_verified is None:
        is_verified = claims.get(_VERIFIED_DOMAIN) in (True, "1", "true")
    if is_verified is not True:
        raise SignInRefused(
            Refusal.EMAIL_NOT_VERIFIED, "the ID token does not say that the address is verified", lowered
        )
    return lowered
