"""Email addresses as people type and paste them."""

import pytest

from domain.shared.email_addresses import parse_email


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("ada@example.com", "ada@example.com"),
        ("Ada.Lovelace+sign@Example.COM", "Ada.Lovelace+sign@example.com"),
        ("renée@münchen.de", "renée@münchen.de"),
        ("ada@exam\u200bple.com\u200f", "ada@example.com"),
        ("ａｄａ＠ｅxample.com", "ada@example.com"),
        ("o’brien@example.com", "o'brien@example.com"),
        ("a" * 64 + "@example.com", "a" * 64 + "@example.com"),
    ],
)
def test_addresses_are_read_as_mail_servers_do(typed: str, kept: str) -> None:
    assert parse_email(typed) == kept


@pytest.mark.parametrize(
    "typed",
    ["ada", "ada@", "@example.com", "ada@example", "a b@example.com", "ada@exa mple.com", "a" * 65 + "@example.com"],
)
@pytest.mark.parametrize("takes_mail", [True, False])
def test_other_texts_are_no_addresses(typed: str, *, takes_mail: bool) -> None:
    assert parse_email(typed, takes_mail=takes_mail) is None


def test_mail_is_sent_to_internal_networks_and_to_ascii_characters_alone() -> None:
    assert parse_email("ada@office.local", takes_mail=True) == "ada@office.local"
    assert parse_email("ada@bücher.de", takes_mail=True) == "ada@bücher.de"
    assert parse_email("renée@example.com", takes_mail=True) is None
