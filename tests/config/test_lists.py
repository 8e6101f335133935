"""Origins of addresses, as browsers name them."""

import pytest

from config.lists import origins_of


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("https://temporal.example.com", "https://temporal.example.com"),
        ("https://Temporal.Example.com/namespaces/", "https://temporal.example.com"),
        ("https://temporal.example.com:443/", "https://temporal.example.com"),
        ("http://temporal.example.com:80", "http://temporal.example.com"),
        ("http://temporal.example.com:443", "http://temporal.example.com:443"),
        ("HTTP://127.0.0.1:8233", "http://127.0.0.1:8233"),
        ("https://[::1]:443", "https://[::1]"),
        ("https://[::443]", "https://[::443]"),
    ],
)
def test_an_origin_is_what_browsers_send(address: str, origin: str) -> None:
    assert origins_of(address) == {origin}


@pytest.mark.parametrize(
    "address",
    ["temporal.example.com", "ftp://temporal.example.com", "https://ada:secret@a.example.com", "https://ü.example"],
)
def test_what_no_browser_would_send_is_refused_and_not_quoted(address: str) -> None:
    with pytest.raises(ValueError, match="addresses") as caught:
        origins_of(address)
    assert "secret" not in str(caught.value)
