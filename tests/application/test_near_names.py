"""Names that are probably meant."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as some

from application.near_names import meant, near_name
from tests.api.operations import DESCRIPTION

OBJECTS = [
    [*schema["properties"]] for schema in DESCRIPTION["components"]["schemas"].values() if schema.get("properties")
]


@pytest.mark.parametrize("known", OBJECTS, ids=lambda names: names[0])
def test_other_spellings_of_every_member_lead_to_it(known: list[str]) -> None:
    for name in known:
        snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
        for other in (snake, snake.replace("_", "-"), name.upper(), name[0].upper() + name[1:], name.lower()):
            assert near_name(other, known) == name


@given(some.sampled_from(OBJECTS), some.data())
def test_a_letter_more_or_less_leads_to_the_member(known: list[str], data: some.DataObject) -> None:
    name = data.draw(some.sampled_from([name for name in known if len(name) > 6] or ["recipients"]))
    at = data.draw(some.integers(1, len(name) - 1))

    assert near_name(name[:at] + name[at + 1 :], [name]) == name
    assert near_name(name[:at] + "q" + name[at:], [name]) == name


def test_a_part_of_the_words_leads_to_the_name() -> None:
    assert near_name("values", ["templateId", "variableValues"]) == "variableValues"
    assert near_name("order", ["key", "signingOrder"]) == "signingOrder"
    assert near_name("full_name", ["key", "name"]) == "name"


@pytest.mark.parametrize(
    ("name", "known", "meant"),
    [
        ("title", "name message files", "name"),
        ("signers", "name recipients files", "recipients"),
        ("documents", "name recipients files", "files"),
        ("webhookUrl", "name callbackUrl callbackValues", "callbackUrl"),
        ("expiresAt", "expiryDays reminderEnabled", "expiryDays"),
        ("sendNow", "sender sendImmediately", "sendImmediately"),
        ("send", "sender sendImmediately", "sendImmediately"),
        ("signatories", "name recipients", "recipients"),
        ("choices", "name placeholder options", "options"),
        ("signer", "label recipient", "recipient"),
        ("content", "text fontSize", "text"),
        ("select", "radio dropdown", "dropdown"),
        ("boolean", "text checkbox", "checkbox"),
        ("h1", "heading paragraph", "heading"),
        ("page", "limit offset", "offset"),
        ("per_page", "limit offset", "limit"),
    ],
)
def test_names_of_other_services_lead_to_ours(name: str, known: str, meant: str) -> None:
    assert near_name(name, known.split()) == meant


def test_names_that_are_like_no_other_are_answered_with_all() -> None:
    assert meant("zebra", ["name", "files"]) == "remove it. There are: name, files."
    assert meant("zebra", []) == "remove it. There are none here."
    assert near_name("", ["name"]) is None
