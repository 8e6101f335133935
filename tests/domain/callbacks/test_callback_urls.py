"""URLs and IP addresses of callbacks (Specification 6.2, 6.3)."""

from ipaddress import ip_address

import pytest

from domain.callbacks.callback_urls import callback_url_errors, is_never_allowed, is_public

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
def test_a_url_that_is_not_absolute_is_refused(url: str, private: bool) -> None:
    assert callback_url_errors(url, private=private) == (
        "Give an absolute https URL, for example https://example.com/callbacks.",
    )


@pytest.mark.parametrize("host", PRIVATE)
def test_only_the_operator_allows_private_addresses(host: str) -> None:
    (fault,) = callback_url_errors(f"https://{host}/callbacks", private=False)
    assert "public address" in fault
    assert callback_url_errors(f"https://{host}/callbacks", private=True) == ()


def test_only_the_operator_allows_plain_http() -> None:
    (fault,) = callback_url_errors("http://example.com/", private=False)
    assert fault.startswith("Use https")
    assert callback_url_errors("http://example.com/", private=True) == ()


def test_all_errors_are_reported_at_once() -> None:
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


@pytest.mark.parametrize("text", ["1.1.1.1", "8.8.8.8", "93.184.215.14", "223.255.255.1", "2606:4700::1111", "2a00::1"])
def test_an_address_is_public(text: str) -> None:
    assert is_public(ip_address(text))
    assert not is_never_allowed(ip_address(text))


@pytest.mark.parametrize(
    "text",
    [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.255.254",  # noqa: S104  # nobody listens there
        "168.63.129.16", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.0.192", "192.0.2.1",
        "192.88.99.1", "192.168.0.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1",
        "255.255.255.255",
        "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:0:127.0.0.1",
        "64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::1",
        "2002:808:808::1", "3fff::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1",
    ],
)  # fmt: skip
def test_an_address_is_not_public(text: str) -> None:
    assert not is_public(ip_address(text))


@pytest.mark.parametrize(
    "text",
    ["169.254.169.254", "::ffff:169.254.169.254", "168.63.129.16", "fd00:ec2::254", "fe80::1", "224.0.0.1", "ff02::1"],
)
def test_metadata_link_local_and_multicast_are_never_allowed(text: str) -> None:
    assert is_never_allowed(ip_address(text))


@pytest.mark.parametrize("text", ["127.0.0.1", "10.0.0.1", "::1", "fd12::1", "192.168.1.1"])
def test_an_operator_may_allow_private_addresses(text: str) -> None:
    assert not is_never_allowed(ip_address(text))
