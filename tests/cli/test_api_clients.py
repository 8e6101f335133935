"""`undersign client`: added, listed, changed, limited, revoked."""

from pathlib import Path

from domain.shared.object_names import digest
from tests.cli.conftest import Command


def stored(data_dir: Path) -> bytes:
    return b"".join(path.read_bytes() for path in data_dir.glob("undersign.db*"))


def test_a_new_client_neither_deletes_nor_reads_values_unless_these_scopes_are_named(
    command: Command, organisation: str, client: str
) -> None:
    command("client", "add", organisation, "archive", "--scope", "read:sessions", "--scope", "read:templates")
    payroll = command("client", "add", organisation, "payroll", "--scope", "read:values", "--json").json()["clientId"]
    clients = command("client", "list", "--json").json()["clients"]

    assert [(one["name"], len(one["scopes"])) for one in clients] == [("archive", 2), ("payroll", 1), ("reports", 5)]
    assert (clients[1]["clientId"], clients[1]["scopes"]) == (payroll, ["read:values"])
    assert clients[2] == {
        "clientId": client,
        "organisationId": organisation,
        "name": "reports",
        "scopes": [
            *("read:sessions", "write:sessions"),
            *("read:templates", "write:templates", "write:files"),
        ],
        "revokedAt": None,
    }


def test_a_secret_is_shown_once_and_stored_as_a_hash(command: Command, organisation: str, tmp_path: Path) -> None:
    added = command("client", "add", organisation, "reports", "--json").json()
    before = stored(tmp_path)
    rotated = command("client", "rotate-secret", added["clientId"], "--json").json()

    assert added.keys() == rotated.keys() == {"organisationId", "clientId", "clientSecret"}
    assert added["clientSecret"] not in command("client", "list").out
    assert added["clientSecret"].encode() not in before
    assert digest(added["clientSecret"].encode()).encode() in before
    assert digest(rotated["clientSecret"].encode()).encode() in stored(tmp_path)


def test_clients_of_one_organisation_are_listed(command: Command, client: str) -> None:
    other = command("organisation", "add", "Another", "--json").json()["organisationId"]

    assert command("client", "list", "--organisation", other, "--json").json() == {"clients": []}
    assert command("client", "list", "--organisation", other).out == "None yet.\n"
    assert client in command("client", "list").out


def test_a_client_is_revoked_once_and_not_changed_afterwards(command: Command, client: str) -> None:
    first, again = [command("client", "revoke", client, "--json").json() for _ in range(2)]

    assert first["revokedAt"].endswith("Z")
    assert again == first == command("client", "list", "--json").json()["clients"][0]
    assert command("client", "rotate-secret", client).refuses("undersign client add")
    assert command("client", "set-scopes", client, "--scope", "read:sessions").refuses("undersign client add")


def test_the_scopes_of_a_client_are_replaced(command: Command, client: str) -> None:
    changed = command("client", "set-scopes", client, "--scope", "read:sessions", "--json").json()
    assert changed["scopes"] == ["read:sessions"]
    assert command("client", "list", "--json").json()["clients"] == [changed]


def test_a_new_client_has_no_limits(command: Command, client: str) -> None:
    assert command("client", "budget", client).out == "recipients a day  any\nonly at domains   any\n"


def test_limits_that_are_named_change(command: Command, client: str) -> None:
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


def test_a_client_of_an_external_issuer_can_be_limited(command: Command) -> None:
    external = "https://issuer.example.com|someone"
    command("client", "budget", external, "--recipients-per-day", "0")
    assert command("client", "budget", external, "--json").json()["recipientsPerDay"] == 0
