"""ID tokens: nothing but the token that the provider made for this sign-in says who the user is."""

import json
from base64 import urlsafe_b64decode
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from joserfc import jws
from joserfc.jwk import ECKey
from joserfc.util import json_b64encode

from application.tokens.openid_code_flow import ProviderSignIn, Refusal, SignInProvider, SignInRefused
from domain.ports.openid import IssuerKey

ISSUER, CLIENT, EMAIL = "https://id.example.com", "undersign", "ada@northwind.example"
AT = datetime(2026, 11, 21, 9, 5, tzinfo=UTC)
NOW = int(AT.timestamp())
KEY = ECKey.generate_key("P-256", {"kid": "one"})
SIGN_IN = ProviderSignIn("state", "nonce", "verifier")
CLAIMS: dict[str, Any] = {
    "iss": ISSUER, "aud": CLIENT, "sub": "ada", "iat": NOW, "exp": NOW + 300, "nonce": SIGN_IN.nonce, "email": EMAIL,
    "email_verified": True,
}  # fmt: skip
HEADER = {"alg": "ES256", "kid": "one", "typ": "JWT"}


class OneToken:
    """Implements `OpenIdProvider`: one key, and one token for every code."""

    def __init__(self, token: str) -> None:
        self.token = token

    async def find(self, key_id: str | None) -> IssuerKey | None:
        return KEY if key_id in {None, KEY.kid} else None

    async def authorization_endpoint(self) -> str:
        return f"{ISSUER}/authorize?tenant=one"

    async def redeem(self, code: str, verifier: str, redirect_uri: str) -> str:
        return self.token


def signed(claims: Any, header: dict[str, Any] = HEADER) -> str:
    return jws.serialize_compact(header, json.dumps(claims).encode(), KEY, ["ES256"])


async def email_of(token: str, sign_in: ProviderSignIn = SIGN_IN, at: datetime = AT) -> str:
    provider = SignInProvider("Acme", ISSUER, CLIENT, "https://sign.example.com/back", OneToken(token))
    return await provider.find_email(sign_in, {"code": "c", "state": sign_in.state}, at)


async def refusal_of(token: str, **others: Any) -> Refusal:
    with pytest.raises(SignInRefused) as refused:
        await email_of(token, **others)
    return refused.value.refusal


async def test_the_exact_token_says_who_the_user_is() -> None:
    assert await email_of(signed(CLAIMS)) == EMAIL


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(list(map(str, CLAIMS.values()))),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def _is_as_good(name: str, value: Any) -> bool:
    """Whether a claim may have that value: another user, another time that is near, the audience as a list."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    near = {"exp": lambda: value > NOW - 30, "iat": lambda: NOW - 630 <= value <= NOW + 30}
    if name in near:
        return is_number and near[name]()
    return {
        "aud": value == [CLIENT],
        "sub": isinstance(value, str) and value != "",
        "email": isinstance(value, str) and value.count("@") >= 1,
    }.get(name, False)


@given(name=st.sampled_from(sorted(CLAIMS)), value=JSON)
async def test_a_token_with_any_other_claim_is_refused(name: str, value: Any) -> None:
    assume(value != CLAIMS[name] and not _is_as_good(name, value))
    assert await refusal_of(signed({**CLAIMS, name: value}))


@given(missing=st.sets(st.sampled_from(sorted(CLAIMS)), min_size=1))
async def test_a_token_without_a_claim_is_refused(missing: set[str]) -> None:
    assert await refusal_of(signed({name: value for name, value in CLAIMS.items() if name not in missing}))


TOKEN = signed(CLAIMS)


@given(position=st.integers(0, len(TOKEN) - 1), character=st.characters(codec="ascii"))
async def test_a_token_with_any_other_character_is_refused(position: int, character: str) -> None:
    assume(character != TOKEN[position])
    changed = TOKEN[:position] + character + TOKEN[position + 1 :]
    assume(position < len(TOKEN) - 1 or _signature(changed) != _signature(TOKEN))
    assert await refusal_of(changed) is Refusal.UNTRUSTED


def _signature(token: str) -> bytes:
    """The bytes of the signature, whose last character has bits that mean nothing."""
    try:
        return urlsafe_b64decode(token.rpartition(".")[2] + "==")
    except ValueError:
        return b""


@given(payload=JSON)
async def test_a_token_with_any_other_content_is_refused(payload: Any) -> None:
    assert await refusal_of(signed(payload)) is Refusal.UNTRUSTED


@given(header=st.dictionaries(st.sampled_from(["alg", "kid", "typ", "crit", "b64", "zip"]), JSON, min_size=1))
async def test_a_token_with_any_other_header_is_refused(header: dict[str, Any]) -> None:
    assume({**HEADER, **header} != HEADER)
    changed = json_b64encode({**HEADER, **header}).decode()
    assert await refusal_of(f"{changed}.{TOKEN.partition('.')[2]}") is Refusal.UNTRUSTED


@pytest.mark.parametrize("minutes", [-1, 6, 60])
async def test_a_token_of_another_time_is_refused(minutes: int) -> None:
    assert await refusal_of(TOKEN, at=AT + timedelta(minutes=minutes)) is Refusal.UNTRUSTED


async def test_a_token_of_another_sign_in_is_refused() -> None:
    assert await refusal_of(TOKEN, sign_in=ProviderSignIn.begin()) is Refusal.UNTRUSTED


async def test_an_address_that_is_no_text_of_unicode_is_none() -> None:
    token = signed({**CLAIMS, "email": "\ud800@example.com"})
    assert await refusal_of(token) is Refusal.NO_EMAIL


async def test_an_endpoint_keeps_its_own_parameters() -> None:
    provider = SignInProvider("Acme", ISSUER, CLIENT, "https://sign.example.com/back", OneToken(""))
    address = await provider.address_of(SIGN_IN)
    assert address.startswith(f"{ISSUER}/authorize?tenant=one&response_type=code&")


def test_a_state_is_compared_as_a_whole() -> None:
    assert SIGN_IN.has_state("state")
    assert not any(map(SIGN_IN.has_state, ("", "stat", "states", "State", "ſtate")))
