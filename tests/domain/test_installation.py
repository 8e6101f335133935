"""What differs between a process and its installation."""

import pytest

from domain.installation import Fact, compare_facts

RECORDED = {
    "public-url": "https://sign.example.com",
    "object-store": "gs://documents",
    "namespace": "signing (1b2c)",
    "payload-keys": "aa,bb",
    "keys/link.key": "0123",
    "keys/cookie.key": "4567",
}


def test_a_process_with_the_same_facts_joins() -> None:
    assert compare_facts(RECORDED, RECORDED) == []


@pytest.mark.parametrize("name", RECORDED)
def test_a_fact_that_differs_is_named_with_both_values_and_the_way_out(name: str) -> None:
    [difference] = compare_facts(RECORDED, {**RECORDED, name: "other"})

    words = str(difference)
    assert f"is other for this process and {RECORDED[name]} for its installation" in words
    assert f"undersign installation accept {difference.fact}" in words


def test_a_missing_key_file_is_a_difference_and_the_rest_are_counted() -> None:
    [difference] = compare_facts(RECORDED, {**RECORDED, "keys/link.key": "", "keys/cookie.key": ""})

    assert str(difference).startswith(
        "The fingerprint of keys/cookie.key is missing for this process and 4567 for its installation "
        "(1 more key files differ): mount keys/"
    )


def test_a_namespace_that_is_not_known_yet_is_not_compared() -> None:
    assert not compare_facts(RECORDED, {name: value for name, value in RECORDED.items() if name != "namespace"})


@pytest.mark.parametrize(
    ("recorded", "found", "joins"),
    [
        ("aa", "aa", True),
        ("aa", "aa,bb", True),  # a rotation begins
        ("aa", "bb,aa", False),  # encrypts under a key that others may not have
        ("aa,bb", "bb,aa", True),
        ("aa,bb", "bb", False),  # cannot read what others wrote
        ("aa", "none", False),
        ("none", "aa,none", False),
        ("aa,none", "aa", False),
        ("none", "none", True),
    ],
)
def test_payload_keys_are_those_of_the_installation_and_perhaps_more(recorded: str, found: str, joins: bool) -> None:
    differences = compare_facts({"payload-keys": recorded}, {"payload-keys": found})

    assert [difference.fact for difference in differences] == ([] if joins else [Fact.PAYLOAD_KEYS])
