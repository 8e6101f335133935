"""Origins as browsers write them, and the origins of addresses."""

import pytest

from domain.shared.check_origins import MAX_ORIGINS, InvalidOrigins, check_origins, is_origin, origin_of


@pytest.mark.parametrize(
    "text", ["https://a.example", "https://a.example:8443", "http://localhost:5173", "http://127.0.0.1", "https://a"]
)
def test_an_origin_is_scheme_host_and_port(text: str) -> None:
    assert is_origin(text)
    assert origin_of(f"{text}/orders?id=7") == text


@pytest.mark.parametrize(
    "text",
    [
        *("https://a.example/", "https://a.example:443", "https://A.example", "https://*.example", "https://"),
        *("http://a.example", "a.example", "null", "*", "'self'", "https://a.example; script-src *", "https://a b"),
        *("https://a.example\n", "http://localhost.evil.example"),
    ],
)
def test_anything_else_is_no_origin(text: str) -> None:
    assert not is_origin(text)


@pytest.mark.parametrize(
    "text",
    [
        "/orders",
        "//a.example/",
        "javascript:alert(1)",
        "https://u:p@a.example/",
        "https://a.example/#x",
        "https://[::1/",
    ],
)
def test_other_addresses_have_no_origin(text: str) -> None:
    assert origin_of(text) is None


def test_an_address_may_name_the_standard_port_and_a_host_in_upper_case() -> None:
    assert origin_of("https://Shop.Example:443/x") == "https://shop.example"


def test_a_list_has_each_origin_once_and_all_mistakes_are_named() -> None:
    assert check_origins(["https://a.example", "https://b.example", "https://a.example"]) == (
        "https://a.example",
        "https://b.example",
    )
    with pytest.raises(InvalidOrigins) as refused:
        check_origins(["nothing", "https://a.example", *(f"https://x{n}.example" for n in range(MAX_ORIGINS))])
    assert refused.value.places.keys() == {0, MAX_ORIGINS}
