"""Where callbacks may go (Specification 6.2)."""

import pytest

from domain.callbacks.urls import callback_url_errors

NOT_ABSOLUTE = [
    "", "example.com/callbacks", "/callbacks", "https://", "https:///callbacks", "https:example.com",
    "ftp://example.com",
    "mailto:ada@example.com", "https://[::1", "https://example.com:port/", "https://example.com:0/",
    "https://exa mple.com/",
    "https://example.com/\n", "https://exämple.com/", "https://example.com\\@localhost/",
]  # fmt: skip
PRIVATE = [
    "localhost", "api.localhost", "LOCALHOST.", "127.0.0.1", "127.1",
    "2130706433", "0x7f000001", "10.1.2.3", "172.16.0.1",
    "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",  # noqa: S104  # nobody listens there
    "224.0.0.1", "[::1]", "[fe80::1]", "[fc00::1]",
    "[::ffff:10.0.0.1]", "[::]",
]  # fmt: skip


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com",
        "https://hooks.example.com:8443/a/b?c=d&e=%20",
        "https://93.184.215.14/",
        "https://[2606:4700::1111]/",
        "https://face.com/",
        "HTTPS://example.com/" + "a" * 2028,
    ],
)
def test_a_public_https_url_may_be_called(url: str) -> None:
    assert callback_url_errors(url, private=False) == ()


@pytest.mark.parametrize("private", [True, False])
@pytest.mark.parametrize("url", NOT_ABSOLUTE)
def test_what_is_no_absolute_url_is_refused_whatever_is_allowed(url: str, private: bool) -> None:
    assert callback_url_errors(url, private=private) == (
        "Give an absolute https URL, for example https://example.com/callbacks.",
    )


@pytest.mark.parametrize("host", PRIVATE)
def test_a_private_address_is_the_operators_to_allow(host: str) -> None:
    (fault,) = callback_url_errors(f"https://{host}/callbacks", private=False)

    assert "public address" in fault
    assert callback_url_errors(f"https://{host}/callbacks", private=True) == ()


def test_plain_http_is_the_operators_to_allow() -> None:
    (fault,) = callback_url_errors("http://example.com/", private=False)

    assert fault.startswith("Use https")
    assert callback_url_errors("http://example.com/", private=True) == ()


def test_every_fault_is_told_at_once() -> None:
    url = "http://ada:secret@127.0.0.1/" + "a" * 2048 + "#part"

    assert len(callback_url_errors(url, private=False)) == 5
    assert len(callback_url_errors(url, private=True)) == 3


@pytest.mark.parametrize("url", ["https://ada@example.com/", "https://@example.com/", "https://example.com/#"])
def test_a_user_name_or_a_fragment_is_refused_even_when_it_is_empty(url: str) -> None:
    assert len(callback_url_errors(url, private=True)) == 1


def test_the_longest_url_has_2048_characters() -> None:
    longest = "https://example.com/".ljust(2048, "a")

    assert callback_url_errors(longest, private=False) == ()
    assert "2048" in callback_url_errors(longest + "a", private=False)[0]
