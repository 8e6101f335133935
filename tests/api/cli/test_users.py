"""`undersign user`: people are added with a password that only they know, kept out and let in again."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from api.cli.registry import open_registry
from api.people import find_person
from settings import Settings
from tests.api.cli.conftest import Command
from tests.builders import identifier

ADA = "ada@example.com"
PASSWORD = "a long enough password"


@pytest.fixture
def organisation(command: Command) -> str:
    return str(command("organisation", "add", "Finch & Søn", "--json").json()["organisationId"])


@pytest.fixture
def ada(command: Command, organisation: str) -> Any:
    return command("user", "add", organisation, "Ada@Example.com", "Ada Lovelace", "--json").json()


def gets_in(data_dir: Path, email: str, password: str) -> bool:
    async def ask() -> bool:
        async with open_registry(Settings(data_dir=data_dir)) as registry:
            return await find_person(registry.users, email, password) is not None

    return asyncio.run(ask())


def test_without_a_password_a_one_time_one_is_made_and_shown_once(command: Command, ada: Any, tmp_path: Path) -> None:
    password = ada.pop("oneTimePassword")

    listed = command("user", "list", "--json")

    assert listed.json() == {"users": [ada]}
    assert (ada["email"], ada["passwordIsTemporary"], ada["disabledAt"]) == (ADA, True, None)
    assert password not in listed.out
    assert gets_in(tmp_path, ADA, password)
    assert password.encode() not in b"".join(path.read_bytes() for path in tmp_path.glob("undersign.db*"))


def test_a_password_comes_by_the_standard_input_and_is_not_shown(
    command: Command, organisation: str, tmp_path: Path
) -> None:
    added = command("user", "add", organisation, ADA, "Ada", "--password-stdin", "--json", stdin=f"{PASSWORD}\n")

    assert added.json()["passwordIsTemporary"] is False
    assert PASSWORD not in added.out
    assert gets_in(tmp_path, ADA, PASSWORD)
    assert not gets_in(tmp_path, ADA, f"{PASSWORD}\n")


@pytest.mark.parametrize("stdin", ["", "\n", "too short\n", "x" * 1_001])
def test_a_password_that_is_too_short_or_too_long_is_refused(command: Command, organisation: str, stdin: str) -> None:
    answer = command("user", "add", organisation, ADA, "Ada", "--password-stdin", stdin=stdin)

    assert (answer.code, "12 to 1000 characters" in answer.refusal()) == (2, True)
    assert command("user", "list", "--json").json() == {"users": []}


def test_an_address_is_one_persons(command: Command, organisation: str, ada: Any) -> None:
    other = command("organisation", "add", "Another", "--json").json()["organisationId"]

    answer = command("user", "add", other, ADA.upper(), "Another Ada")

    assert (answer.code, "already" in answer.refusal()) == (2, True)


def test_who_is_disabled_does_not_get_in_until_enabled(command: Command, ada: Any, tmp_path: Path) -> None:
    first, again = [command("user", "disable", ADA, "--json").json() for _ in range(2)]
    assert first["disabledAt"] == again["disabledAt"] is not None
    assert not gets_in(tmp_path, ADA, ada["oneTimePassword"])

    assert command("user", "enable", ADA, "--json").json()["disabledAt"] is None
    assert gets_in(tmp_path, ADA, ada["oneTimePassword"])


def test_a_new_password_takes_the_place_of_the_old_one(command: Command, ada: Any, tmp_path: Path) -> None:
    reset = command("user", "reset-password", ADA, "--json").json()

    assert gets_in(tmp_path, ADA, reset["oneTimePassword"])
    assert not gets_in(tmp_path, ADA, ada["oneTimePassword"])

    command("user", "reset-password", ADA, "--password-stdin", stdin=PASSWORD)
    assert gets_in(tmp_path, ADA, PASSWORD)
    assert command("user", "list", "--json").json()["users"][0]["passwordIsTemporary"] is False


@pytest.mark.parametrize("act", ["disable", "enable", "reset-password"])
def test_who_is_not_there_is_said_in_one_line(command: Command, act: str) -> None:
    answer = command("user", act, ADA)

    assert (answer.code, "undersign user list" in answer.refusal()) == (2, True)


def test_what_is_no_address_and_who_has_no_organisation_is_refused(command: Command) -> None:
    assert "email address" in command("user", "add", identifier("x"), "ada", "Ada").refusal()
    assert "undersign organisation list" in command("user", "add", identifier("x"), ADA, "Ada").refusal()
