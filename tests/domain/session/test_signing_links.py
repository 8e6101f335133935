"""Links: what is in a token, and what is not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.session.signing_links import find_by_link, link_hash, link_secret, make_token, read_token
from domain.shared.errors import LinkNotValid, Unavailable
from domain.shared.ids import RecipientId, SessionId
from tests.builders import ORGANISATION, audit, created, identifier

SESSION = SessionId(identifier("session"))
ADA = RecipientId(identifier("ada"))
KEY = b"k" * 32
SESSION_OF_TWO = created().session.send(audit()).session
"""Ada is invited, and Grace is not."""


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


def linked(recipient_id: RecipientId, invitation: int) -> str:
    return link_hash(link_secret(KEY, SESSION_OF_TWO.session_id, recipient_id, invitation))


def test_a_link_opens_only_while_it_is_the_latest() -> None:
    ada, grace = (recipient.recipient_id for recipient in SESSION_OF_TWO.recipients)
    assert find_by_link(KEY, SESSION_OF_TWO, linked(ada, 1)).recipient_id == ada
    again = SESSION_OF_TWO.invite(ada, audit()).session
    assert find_by_link(KEY, again, linked(ada, 2)).recipient_id == ada
    for old_or_none in (linked(ada, 1), linked(ada, 0), linked(grace, 0), linked(ada, 4), "", "0" * 64):
        with pytest.raises(LinkNotValid):
            find_by_link(KEY, again, old_or_none)
    with pytest.raises(LinkNotValid):
        find_by_link(b"another key".ljust(32), again, linked(ada, 2))


def test_the_link_of_an_invitation_that_is_not_stored_yet_is_unavailable() -> None:
    ada, grace = (recipient.recipient_id for recipient in SESSION_OF_TWO.recipients)
    for early in (linked(ada, 2), linked(grace, 1)):
        with pytest.raises(Unavailable):
            find_by_link(KEY, SESSION_OF_TWO, early)
