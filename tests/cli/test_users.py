"""`undersign user`: people are added, kept out and let in again."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from adapters.database.engine import make_engine
from adapters.database.repositories.users import DatabaseSignIns
from settings import Settings
from tests.builders import identifier
from tests.cli.conftest import Command
from tests.databases import LIMITS

ADA = "ada@example.com"


@pytest.fixture
def organisation(command: Command) -> str:
    return str(command("organisation", "add", "Finch & Søn", "--json").json()["organisationId"])


@pytest.fixture
def ada(command: Command, organisation: str) -> Any:
    return command("user", "add", organisation, "Ada@Example.com", "Ada Lovelace", "--json").json()


def gets_in(data_dir: Path, email: str) -> list[str]:
    """Returns the organisations into which a link to that address leads."""

    async def ask() -> list[str]:
        engine = make_engine(Settings(data_dir=data_dir).database_address, LIMITS)
        people = await DatabaseSignIns(engine).list_members(email)
        await engine.dispose()
        return [member.organisation.name for member in people]

    return asyncio.run(ask())


def test_whoever_is_added_is_listed_and_signs_in(command: Command, ada: Any, tmp_path: Path) -> None:
    assert command("user", "list", "--json").json() == {"users": [ada]}
    assert (ada["email"], ada["name"], ada["disabledAt"]) == (ADA, "Ada Lovelace", None)
    assert gets_in(tmp_path, ADA) == ["Finch & Søn"]


def test_it_is_said_where_they_sign_in(command: Command, organisation: str) -> None:
    assert "/app as ada@example.com" in command("user", "add", organisation, ADA, "Ada").out.replace("\n", " ")


def test_an_address_is_one_persons_in_an_organisation(command: Command, organisation: str, ada: Any) -> None:
    answer = command("user", "add", organisation, ADA.upper(), "Another Ada")

    assert (answer.code, "already" in answer.refusal()) == (2, True)


def test_somebody_in_several_organisations_is_named_with_one(command: Command, ada: Any, tmp_path: Path) -> None:
    other = command("organisation", "add", "Another", "--json").json()["organisationId"]
    command("user", "add", other, ADA, "Ada Lovelace")
    assert gets_in(tmp_path, ADA) == ["Another", "Finch & Søn"]

    assert "--organisation" in command("user", "disable", ADA).refusal()
    assert command("user", "disable", ADA, "--organisation", other, "--json").json()["organisationId"] == other

    assert gets_in(tmp_path, ADA) == ["Finch & Søn"]


def test_who_is_disabled_does_not_get_in_until_enabled(command: Command, ada: Any, tmp_path: Path) -> None:
    first, again = [command("user", "disable", ADA, "--json").json() for _ in range(2)]
    assert first["disabledAt"] == again["disabledAt"] is not None
    assert gets_in(tmp_path, ADA) == []

    assert command("user", "enable", ADA, "--json").json()["disabledAt"] is None
    assert gets_in(tmp_path, ADA) == ["Finch & Søn"]


@pytest.mark.parametrize("act", ["disable", "enable"])
def test_who_is_not_there_is_said_in_one_line(command: Command, act: str) -> None:
    answer = command("user", act, ADA)

    assert (answer.code, "undersign user list" in answer.refusal()) == (2, True)


def test_what_is_no_address_and_who_has_no_organisation_is_refused(command: Command) -> None:
    assert "email address" in command("user", "add", identifier("x"), "ada", "Ada").refusal()
    assert "undersign organisation list" in command("user", "add", identifier("x"), ADA, "Ada").refusal()
