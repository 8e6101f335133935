"""`undersign client`: added, listed, narrowed, revoked; the secret is shown once."""

from pathlib import Path

import pytest

from domain.shared.object_names import digest
from tests.builders import identifier
from tests.cli.conftest import Command


@pytest.fixture
def organisation(command: Command) -> str:
    return str(command("organisation", "add", "Finch & Søn", "--json").json()["organisationId"])


@pytest.fixture
def client(command: Command, organisation: str) -> str:
    return str(command("client", "add", organisation, "reports", "--json").json()["clientId"])


def test_a_client_may_do_everything_but_read_what_was_entered_unless_told(
    command: Command, organisation: str, client: str
) -> None:
    command("client", "add", organisation, "archive", "--scope", "read:sessions", "--scope", "read:templates")

    clients = command("client", "list", "--json").json()["clients"]

    assert [(one["name"], len(one["scopes"])) for one in clients] == [("archive", 2), ("reports", 6)]
    assert clients[1] == {
        "clientId": client,
        "organisationId": organisation,
        "name": "reports",
        "scopes": [
            *("read:sessions", "write:sessions", "delete:sessions"),
            *("read:templates", "write:templates", "write:files"),
        ],
        "revokedAt": None,
    }


def test_a_client_reads_what_was_entered_only_if_that_is_said(command: Command, organisation: str) -> None:
    added = command("client", "add", organisation, "payroll", "--scope", "read:values", "--json").json()["clientId"]

    (client,) = command("client", "list", "--json").json()["clients"]

    assert (client["clientId"], client["scopes"]) == (added, ["read:values"])


def test_a_secret_is_shown_once_and_kept_nowhere(command: Command, organisation: str, tmp_path: Path) -> None:
    secret = command("client", "add", organisation, "reports", "--json").json()["clientSecret"]

    database = b"".join(path.read_bytes() for path in tmp_path.glob("undersign.db*"))

    assert secret not in command("client", "list").out
    assert secret.encode() not in database
    assert digest(secret.encode()).encode() in database


def test_only_the_clients_of_one_organisation_are_listed_when_asked(command: Command, client: str) -> None:
    other = command("organisation", "add", "Another", "--json").json()["organisationId"]

    assert command("client", "list", "--organisation", other, "--json").json() == {"clients": []}
    assert command("client", "list", "--organisation", other).out == "None yet.\n"
    assert client in command("client", "list").out


def test_a_client_is_revoked_once(command: Command, client: str) -> None:
    first, again = [command("client", "revoke", client, "--json").json() for _ in range(2)]

    assert first["revokedAt"].endswith("Z")
    assert again == first == command("client", "list", "--json").json()["clients"][0]


def test_a_new_secret_takes_the_place_of_the_old_one(command: Command, client: str, tmp_path: Path) -> None:
    changed = command("client", "rotate-secret", client, "--json").json()

    database = b"".join(path.read_bytes() for path in tmp_path.glob("undersign.db*"))

    assert changed.keys() == {"organisationId", "clientId", "clientSecret"}
    assert digest(changed["clientSecret"].encode()).encode() in database


def test_the_scopes_of_a_client_are_replaced(command: Command, client: str) -> None:
    changed = command("client", "set-scopes", client, "--scope", "read:sessions", "--json").json()

    assert changed["scopes"] == ["read:sessions"]
    assert command("client", "list", "--json").json()["clients"] == [changed]


@pytest.mark.parametrize("act", [("rotate-secret",), ("set-scopes", "--scope", "read:sessions")])
def test_a_revoked_client_is_not_changed_any_more(command: Command, client: str, act: tuple[str, ...]) -> None:
    command("client", "revoke", client)

    answer = command("client", act[0], client, *act[1:])

    assert (answer.code, "undersign client add" in answer.refusal()) == (2, True)


@pytest.mark.parametrize("act", [("revoke",), ("rotate-secret",), ("set-scopes", "--scope", "read:sessions")])
def test_a_client_that_is_not_there_is_said_in_one_line(command: Command, act: tuple[str, ...]) -> None:
    answer = command("client", act[0], identifier("nobody"), *act[1:])

    assert (answer.code, "undersign client list" in answer.refusal()) == (2, True)


@pytest.mark.parametrize("act", [("client", "list", "--organisation"), ("user", "list", "--organisation")])
def test_an_organisation_that_is_not_there_is_said_in_one_line(command: Command, act: tuple[str, ...]) -> None:
    answer = command(*act, identifier("nobody"))

    assert (answer.code, "undersign organisation list" in answer.refusal()) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "result"),
    [
        (("client", "add"), "Missing argument 'ORGANISATION'. See undersign client add --help."),
        (("client", "add", "x", "name"), "Give an identifier such as"),
        (("client", "add", identifier("x"), "two\nlines"), "Give 1 to 200 characters in one line."),
        (("client", "add", identifier("x"), "name", "--scope", "rule:world"), "'read:sessions'"),
        (("client", "set-scopes", identifier("x")), "Missing option '--scope'"),
        (("client", "remove"), "No such command 'remove'."),
        (("client", "list", "--colour"), "No such option"),
        (("organisation", "add", " "), "Give 1 to 200 characters in one line."),
    ],
)
def test_what_is_asked_wrongly_is_said_in_one_line(command: Command, arguments: tuple[str, ...], result: str) -> None:
    answer = command(*arguments)

    assert (answer.code, result in answer.refusal()) == (2, True)


def test_organisations_are_listed_and_renamed(command: Command, organisation: str) -> None:
    renamed = command("organisation", "rename", organisation, "Finch", "--json").json()

    assert renamed == {"organisationId": organisation, "name": "Finch", "timeZone": "UTC"}
    assert command("organisation", "list", "--json").json() == {"organisations": [renamed]}
    assert command("organisation", "rename", identifier("nobody"), "Finch").code == 2


def test_the_time_zone_of_an_organisation_is_set_and_survives_another_name(command: Command, organisation: str) -> None:
    changed = command("organisation", "time-zone", organisation, "Australia/Sydney", "--json").json()
    renamed = command("organisation", "rename", organisation, "Finch", "--json").json()

    assert changed["timeZone"] == renamed["timeZone"] == "Australia/Sydney"


@pytest.mark.parametrize(
    ("zone", "result"),
    [("Australia/Sidney", "Did you mean Australia/Sydney?"), ("AEST", "IANA name"), ("../UTC", "IANA name"), ("", "")],
)
def test_what_is_no_time_zone_is_refused_in_one_line(
    command: Command, organisation: str, zone: str, result: str
) -> None:
    answer = command("organisation", "time-zone", organisation, zone)

    assert (answer.code, result in answer.refusal()) == (2, True)


def test_without_a_command_the_help_is_shown(command: Command) -> None:
    for group in ("organisation", "client", "user", "key"):
        answer = command(group)

        assert (answer.code, "Commands" in answer.out, answer.err) == (2, True, "")
