"""ID tokens of a provider on a socket: those that are not exactly right are refused with a page."""

import hmac
import json
from base64 import urlsafe_b64encode
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from joserfc.jwk import ECKey, RSAKey

from domain.shared.ids import UserId
from tests.builders import identifier
from tests.openid_provider import CLIENT_ID, Provider
from tests.web.app.office import ADA, EVE, Office
from tests.web.app.provider import come_back, told

ON_CURVE = ECKey.generate_key("P-256", {"kid": "curve"})


@pytest.mark.parametrize("algorithm", ["RS256", "PS256", "ES256"])
async def test_the_usual_signatures_are_accepted(acme: Office, provider: Provider, algorithm: str) -> None:
    if algorithm == "ES256":
        provider.issuer.use(ON_CURVE)
    provider.make_token = lambda claims: provider.issuer.token(algorithm, **claims)
    assert (await come_back(acme)).status_code == 303


MINUTE = timedelta(minutes=1)


def dated(claims: dict[str, Any]) -> dict[str, Any]:
    """Returns the claims with seconds since 1970 for times from now."""
    now = datetime.now(UTC)
    return {
        name: int((now + value).timestamp()) if isinstance(value, timedelta) else value
        for name, value in claims.items()
    }


@pytest.mark.parametrize(
    "claims",
    [
        {"aud": [CLIENT_ID]}, {"aud": [CLIENT_ID, "another"], "azp": CLIENT_ID}, {"azp": CLIENT_ID},
        {"email": "Ada@Northwind.Example"}, {"email_verified": None, "xms_edov": True},
        {"email_verified": None, "xms_edov": "1"}, {"iat": -5 * MINUTE}, {"nbf": 0 * MINUTE},
    ],
    ids=str,
)  # fmt: skip
async def test_what_providers_do_differently_is_accepted(acme: Office, provider: Provider, claims: Any) -> None:
    provider.claims |= dated(claims)
    assert (await come_back(acme)).status_code == 303


UNTRUSTED = "We couldn’t confirm"


@pytest.mark.parametrize(
    ("claims", "refusal"),
    [
        *(
            (claims, UNTRUSTED)
            for claims in (
                {"iss": "https://elsewhere.example.com"}, {"iss": None}, {"aud": None}, {"aud": "another"},
                {"aud": ["another"]}, {"aud": [CLIENT_ID, "another"]}, {"aud": {"is": CLIENT_ID}}, {"aud": []},
                {"aud": [CLIENT_ID, "another"], "azp": "another"}, {"azp": "another"},
                {"aud": "another", "azp": CLIENT_ID},
                {"azp": None, "aud": [[CLIENT_ID]]},
                {"exp": None}, {"exp": -MINUTE}, {"exp": "tomorrow"}, {"iat": None}, {"iat": 10 * MINUTE},
                {"iat": -60 * MINUTE}, {"iat": "now"}, {"nbf": 10 * MINUTE}, {"sub": None}, {"sub": ""}, {"sub": 5},
                {"nonce": None}, {"nonce": ""}, {"nonce": "another"}, {"nonce": 5}, {"nonce": {}},
            )
        ),
        *(
            ({"email": email}, "didn’t tell us your email address")
            for email in (None, "", "ada", 5, ["ada@northwind.example"], "a" * 300 + "@example.com", "a b@example.com",
                          "ada@northwind.example\nx@y")
        ),
        *(
            (claims, "hasn’t verified that")
            for claims in (
                {"email_verified": False}, {"email_verified": None}, {"email_verified": "true"}, {"email_verified": 1},
                {"email_verified": False, "xms_edov": True}, {"email_verified": None, "xms_edov": "0"},
                {"email_verified": None, "xms_edov": False},
            )
        ),
        ({"email": "nobody@northwind.example"}, "There’s no account for"),
        ({"email": "ada@northwind.example.evil.example"}, "There’s no account for"),
        ({"email": "İda@northwind.example"}, "There’s no account for"),
    ],
    ids=str,
)  # fmt: skip
async def test_a_token_with_a_wrong_claim_is_refused_with_a_page(
    acme: Office, provider: Provider, claims: dict[str, Any], refusal: str
) -> None:
    provider.make_token = lambda usual: provider.issuer.token(**{**usual, **dated(claims)})
    answer = await come_back(acme)
    assert answer.status_code == 403
    assert refusal in told(answer)


async def test_a_nonce_among_others_is_none(acme: Office, provider: Provider) -> None:
    provider.make_token = lambda claims: provider.issuer.token(**{**claims, "nonce": [claims["nonce"]]})
    assert UNTRUSTED in told(await come_back(acme))


async def test_a_letter_that_becomes_another_in_lower_case_is_another_address(acme: Office, provider: Provider) -> None:
    await acme.service.users.add(replace(ADA, user_id=UserId(identifier("kim")), email="kim@northwind.example"))
    provider.claims["email"] = "\u212aim@northwind.example"  # the sign for kelvin
    assert "There’s no account for" in told(await come_back(acme))


def by_hand(provider: Provider, header: dict[str, Any], key: bytes | None) -> Callable[[dict[str, Any]], str]:
    """Makes tokens with that header, and an HMAC of `key` or nothing as the signature."""

    def make(claims: dict[str, Any]) -> str:
        payload = provider.issuer.token(**claims).split(".")[1]
        start = urlsafe_b64encode(json.dumps(header).encode()).decode().rstrip("=")
        mac = hmac.digest(key, f"{start}.{payload}".encode(), "sha256") if key else b""
        return f"{start}.{payload}.{urlsafe_b64encode(mac).decode().rstrip('=')}"

    return make


async def test_a_token_that_the_provider_has_not_signed_is_refused(acme: Office, provider: Provider) -> None:
    issuer = provider.issuer
    public = issuer.key.as_pem(private=False)
    published, stranger = issuer.key, RSAKey.generate_key(2048, {"kid": "first"})

    def signed_by(key: RSAKey | ECKey, algorithm: str = "RS256", **header: Any) -> Callable[[dict[str, Any]], str]:
        def make(claims: dict[str, Any]) -> str:
            issuer.key = key
            try:
                return issuer.token(algorithm, header, **claims)
            finally:
                issuer.key = published

        return make

    def tampered(claims: dict[str, Any]) -> str:
        other, own = (issuer.token(**{**claims, "email": email}).split(".") for email in (EVE.email, ADA.email))
        return ".".join((other[0], own[1], other[2]))

    makers: dict[str, Callable[[dict[str, Any]], str]] = {
        "alg none": by_hand(provider, {"alg": "none", "kid": "first"}, None),
        "alg None": by_hand(provider, {"alg": "None", "kid": "first"}, None),
        "the public key as a secret": by_hand(provider, {"alg": "HS256", "kid": "first"}, public),
        "an empty key": by_hand(provider, {"alg": "HS256", "kid": "first"}, b"\0"),
        "another key of that name": signed_by(stranger),
        "a key that is not published": signed_by(stranger, kid="second"),
        "a key in the token": signed_by(stranger, jwk=stranger.as_dict(private=False), kid=None),
        "another kind of key": signed_by(ON_CURVE, "ES256", kid="first"),
        "an access token": signed_by(published, typ="at+jwt"),
        "a logout token": signed_by(published, typ="logout+jwt"),
        "an unknown critical header": by_hand(provider, {"alg": "RS256", "kid": "first", "crit": ["x"], "x": 1}, b"x"),
        "the signature of another": tampered,
        "no signature": lambda claims: issuer.token(**claims).rpartition(".")[0] + ".",
        "two parts": lambda claims: issuer.token(**claims).rpartition(".")[0],
        "encrypted": lambda claims: issuer.token(**claims) + ".x.y",
        "nothing": lambda _: "",
        "another token of this provider": lambda claims: issuer.token(**{**claims, "nonce": "of yesterday"}),
    }  # fmt: skip
    for name, make in makers.items():
        provider.make_token = make
        answer = await come_back(acme)
        assert (name, answer.status_code) == (name, 403)
        assert UNTRUSTED in told(answer)
