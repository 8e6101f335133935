"""`undersign client budget`: shown, changed in parts, and taken away."""

import pytest

from tests.builders import identifier
from tests.cli.conftest import Command


@pytest.fixture
def client(command: Command) -> str:
    organisation = command("organisation", "add", "Finch & Søn", "--json").json()["organisationId"]
    return str(command("client", "add", organisation, "reports", "--json").json()["clientId"])


def test_a_client_may_mail_anybody_unless_told(command: Command, client: str) -> None:
    assert command("client", "budget", client).out == "recipients a day  any\nonly at domains   any\n"


def test_what_is_given_changes_and_the_rest_stays(command: Command, client: str) -> None:
    command("client", "budget", client, "--recipients-per-day", "20")
    changed = command("client", "budget", client, "--domains", "Example.com, example.org", "--json").json()

    assert changed == {
        "clientId": client,
        "recipientsPerDay": 20,
        "domains": ["example.com", "example.org"],
        "mailedToday": 0,
    }
    assert command("client", "budget", client, "--json").json() == changed
    freed = command("client", "budget", client, "--recipients-per-day", "any", "--domains", "any", "--json").json()
    assert (freed["recipientsPerDay"], freed["domains"]) == (None, [])


def test_a_client_of_an_outside_issuer_is_held_too(command: Command) -> None:
    outside = "https://issuer.example.com|someone"

    command("client", "budget", outside, "--recipients-per-day", "0")

    assert command("client", "budget", outside, "--json").json()["recipientsPerDay"] == 0


@pytest.mark.parametrize(
    "wrong", [("--recipients-per-day", "-1"), ("--recipients-per-day", "1000000"), ("--domains", "nowhere")]
)
def test_what_is_no_budget_is_refused(command: Command, client: str, wrong: tuple[str, str]) -> None:
    assert command("client", "budget", client, *wrong).code == 2


def test_an_unknown_client_is_refused(command: Command) -> None:
    assert command("client", "budget", identifier("nobody")).code == 2
