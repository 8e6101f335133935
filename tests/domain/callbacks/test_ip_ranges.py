"""Which addresses are public, and which none may connect to."""

from ipaddress import ip_address

import pytest

from domain.callbacks.urls import is_never_allowed, is_public


@pytest.mark.parametrize("text", ["1.1.1.1", "8.8.8.8", "93.184.215.14", "223.255.255.1", "2606:4700::1111", "2a00::1"])
def test_public(text: str) -> None:
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
def test_not_public(text: str) -> None:
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
