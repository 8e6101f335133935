"""Access tokens of an external OpenID issuer that the operator trusts (decision 4)."""

import unicodedata
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from application.errors import InvalidToken
from application.oauth.access_tokens import Claims
from application.oauth.verify_issuer_token import read_claims
from domain.shared.ids import ClientId, OrganisationId, is_identifier
from ports.openid import IssuerKeys

_TYPES = {"", "jwt", "at+jwt", "application/at+jwt"}
_LONGEST_SUBJECT = 255  # OpenID Connect Core, section 2


@dataclass(frozen=True, slots=True)
class TrustedIssuer:
    """An external issuer of accepted tokens, their audience, and the claims for organisation and scopes."""

    issuer: str
    audience: str
    organisation_claim: str
    scope_claim: str
    keys: IssuerKeys

    async def read(self, token: str, at: datetime) -> Claims:
        """Returns the claims of `token`, validated at `at`. The caller checks that the organisation exists.

        Raises:
            InvalidToken: signature, issuer, audience or time is wrong, or a claim is missing.
            IssuerUnavailable: the keys of the issuer cannot be read.
        """
        claims = await read_claims(
            token,
            self.keys,
            at,
            _TYPES,
            iss={"essential": True, "value": self.issuer},
            aud={"essential": True, "value": self.audience},
        )
        return Claims(self._client(claims), self._organisation(claims), self._scopes(claims))

    def _client(self, claims: dict[str, Any]) -> ClientId:
        """Returns `issuer|subject`, which no client of this service can have as its id."""
        subject = claims.get("sub")
        if not isinstance(subject, str) or not 0 < len(subject) <= _LONGEST_SUBJECT:
            raise InvalidToken
        if any(unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"} for character in subject):
            raise InvalidToken
        return ClientId(f"{self.issuer}|{subject}")

    def _organisation(self, claims: dict[str, Any]) -> OrganisationId:
        organisation = claims.get(self.organisation_claim)
        if not isinstance(organisation, str) or not is_identifier(organisation):
            raise InvalidToken
        return OrganisationId(organisation)

    def _scopes(self, claims: dict[str, Any]) -> tuple[str, ...]:
        """Returns the scopes of a space-separated string (RFC 8693) or a list of strings."""
        scopes = claims.get(self.scope_claim, "")
        if isinstance(scopes, str):
            return tuple(scopes.split())
        return tuple(scope for scope in scopes if isinstance(scope, str)) if isinstance(scopes, list) else ()
