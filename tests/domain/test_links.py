"""Links: what is in a token, and what is not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.errors import LinkNotValid
from domain.ids import RecipientId, SessionId
from domain.links import link_hash, link_secret, make_token, read_token
from tests.builders import ORGANISATION, identifier

SESSION = SessionId(identifier("session"))
ADA = RecipientId(identifier("ada"))


def test_a_token_leads_to_its_session_and_holds_only_its_own_secret() -> None:
    secret = link_secret(b"k" * 32, SESSION, ADA, 1)
    token = make_token(ORGANISATION, SESSION, secret)
    assert read_token(token) == (ORGANISATION, SESSION, link_hash(secret))
    assert len(token) == 86


def test_every_invitation_has_another_secret_and_the_same_one_again_the_same() -> None:
    secrets = {
        link_secret(key, SESSION, recipient, number)
        for key in (b"k" * 32, b"l" * 32)
        for recipient in (ADA, RecipientId(identifier("grace")))
        for number in (1, 2)
    }
    assert len(secrets) == 8
    assert link_secret(b"k" * 32, SESSION, ADA, 1) in secrets


def test_a_token_with_something_added_is_refused() -> None:
    token = make_token(ORGANISATION, SESSION, b"s" * 32)
    for spoilt in (token + "!", token[:40] + " " + token[40:], token + "=="):
        with pytest.raises(LinkNotValid):
            read_token(spoilt)


@given(st.text(max_size=120))
def test_anything_else_is_refused_as_a_link(token: str) -> None:
    with pytest.raises(LinkNotValid):
        read_token(token)
