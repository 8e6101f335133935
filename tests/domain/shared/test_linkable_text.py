"""Texts of others in mails carry no link that a mail program could make."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.shared.linkable_text import has_link, without_links

LINKS = [
    "https://evil.example/login", "HTTP://EVIL.EXAMPLE", "ftp://evil.example", "www.evil", "evil.example",
    "evil.example/a?b=c",
    "evil\u3002example", "evil\uff0eexample", "mailto:eve@evil.example", "eve@evil.example", "tel:+4930123456",
    "+49 30 1234567", "(030) 123-4567", "030/1234567", "xn--e1afmkfd.xn--p1ai", "javascript:alert(1)", "1.2.3.4/a",
    "e.vil.co.uk", "h\u1e6btps://evil.example", "https://evil/login", "hxxps://evil", "http\uff1a//evil", "http:evil",
    "Bit.Ly", "Bit.Ly/a", "Evil.Com", "evil.Example", "T.Co/a", "www.Evil", "\\\\evil\\share",
]  # fmt: skip
NAMES = [
    "Ada Lovelace",
    "J. R. R. Tolkien",
    "J.R. Smith",
    "Dr. Anna-Lena O’Neil, M.A.",
    "Henry VIII",
    "李小龍",
    "José 2.",
    "Dr.Smith",
    "St.John",
    "J.R.R.Tolkien",
    "\u0410.\u0421.\u041f\u0443\u0448\u043a\u0438\u043d",
]

LINKABLE = re.compile(
    r"\\\\|[a-z][a-z0-9+.-]*://|www\.\S|[\w+-]@\w|[^\W_]+[.\u3002\uff0e\uff61\u2024][^\W\d_]{2,}"
    r"|\d(?:[ ()/.-]?\d){5}|\b(?:mailto|tel|sms):\S",
    re.IGNORECASE,
)
"""What mail programs turn into links, read generously."""


@pytest.mark.parametrize("link", LINKS)
def test_a_name_with_a_link_is_known_and_a_mail_shows_it_without_the_link(link: str) -> None:
    text = f"Unlock it at {link}, now"
    assert has_link(text)
    assert not LINKABLE.search(without_links(text))
    assert without_links(text).replace("\u200c", "") == text


@pytest.mark.parametrize("name", NAMES)
def test_names_of_people_are_no_links(name: str) -> None:
    assert not has_link(name)


@given(st.lists(st.sampled_from([*LINKS, *NAMES, " ", ".", ":", "/", "@", "1", "+", "-", "a"]), max_size=12))
def test_no_combination_leaves_a_link(parts: list[str]) -> None:
    text = "".join(parts)
    shown = without_links(text)
    assert not LINKABLE.search(shown)
    assert shown.replace("\u200c", "") == text
