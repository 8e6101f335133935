"""`undersign user`: added, disabled, enabled again."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from adapters.database.engine import make_engine
from adapters.database.repositories.administrative_acts import DatabaseAdministrativeActs
from adapters.database.repositories.users import DatabaseSignIns
from config.settings import Settings
from domain.ports.administrative_acts import ActKind
from domain.ports.sign_ins import SignInLink
from domain.shared.ids import OrganisationId
from domain.shared.object_names import digest
from tests.cli.conftest import Command
from tests.databases import LIMITS

ADA = "ada@example.com"


@pytest.fixture
def ada(command: Command, organisation: str) -> Any:
    return command("user", "add", organisation, "Ada@Example.com", "Ada Lovelace", "--json").json()


def organisations_of(data_dir: Path, email: str) -> list[str]:
    """Returns the organisations that a sign-in link to that address gives access to."""

    async def read() -> list[str]:
        engine = make_engine(Settings(data_dir=data_dir).database_address, LIMITS)
        members = await DatabaseSignIns(engine).list_members(email)
        await engine.dispose()
        return [member.organisation.name for member in members]

    return asyncio.run(read())


def test_a_new_user_is_listed_and_signs_in(command: Command, ada: Any, tmp_path: Path) -> None:
    assert command("user", "list", "--json").json() == {"users": [ada]}
    assert (ada["email"], ada["name"], ada["disabledAt"]) == (ADA, "Ada Lovelace", None)
    assert ada["role"] == "administrator"
    assert organisations_of(tmp_path, ADA) == ["Finch & Søn"]


def test_the_output_names_the_address_of_the_app(command: Command, organisation: str) -> None:
    assert "/app as ada@example.com" in command("user", "add", organisation, ADA, "Ada").out.replace("\n", " ")


def test_a_link_signs_the_user_in_once_and_is_recorded(command: Command, ada: Any, tmp_path: Path) -> None:
    made = command("user", "sign-in-link", ADA, "--json").json()
    secret = made["url"].rpartition("/app/sign-in/")[2]

    async def use() -> tuple[SignInLink | None, SignInLink | None, list[ActKind]]:
        engine, at = make_engine(Settings(data_dir=tmp_path).database_address, LIMITS), datetime.now(UTC)
        sign_ins, acts = DatabaseSignIns(engine), DatabaseAdministrativeActs(engine)
        hashed = digest(secret.encode())
        used = await sign_ins.consume_link(hashed, at), await sign_ins.consume_link(hashed, at)
        kinds = [act.change.kind for act in await acts.list(OrganisationId(ada["organisationId"]), 10)]
        await engine.dispose()
        return *used, kinds

    first, second, kinds = asyncio.run(use())
    assert first is not None
    assert (first.generations, second) == ({ada["userId"]: 0}, None)
    assert ActKind.USER_SIGN_IN_LINK_MADE in kinds

    command("user", "disable", ADA)
    assert command("user", "sign-in-link", ADA).refuses("disabled")


def test_an_address_is_unique_within_an_organisation(command: Command, organisation: str, ada: Any) -> None:
    assert command("user", "add", organisation, ADA.upper(), "Another Ada").refuses("already")


def test_the_first_user_is_an_administrator_and_others_are_senders_unless_a_role_is_given(
    command: Command, organisation: str, ada: Any
) -> None:
    for name, chosen in (("grace", []), ("ida", ["--role", "viewer"]), ("joan", ["--role", "administrator"])):
        command("user", "add", organisation, f"{name}@example.com", name, *chosen)

    listed = command("user", "list", "--json").json()["users"]
    assert [user["role"] for user in listed] == ["administrator", "sender", "viewer", "administrator"]
    assert command("user", "add", organisation, "x@example.com", "X", "--role", "owner").code == 2


def test_the_operator_changes_every_role(command: Command, organisation: str, ada: Any) -> None:
    assert command("user", "role", ADA, "viewer", "--json").json()["role"] == "viewer"
    assert command("user", "list", "--json").json()["users"][0]["role"] == "viewer"
    added = command("user", "add", organisation, "grace@example.com", "Grace", "--json").json()
    assert added["role"] == "administrator", "the organisation had none"


def test_a_user_of_several_organisations_is_disabled_in_one(command: Command, ada: Any, tmp_path: Path) -> None:
    other = command("organisation", "add", "Another", "--json").json()["organisationId"]
    command("user", "add", other, ADA, "Ada Lovelace")

    assert organisations_of(tmp_path, ADA) == ["Another", "Finch & Søn"]
    assert command("user", "disable", ADA).refuses("--organisation")
    assert command("user", "disable", ADA, "--organisation", other, "--json").json()["organisationId"] == other
    assert organisations_of(tmp_path, ADA) == ["Finch & Søn"]


def test_a_disabled_user_cannot_sign_in_until_enabled(command: Command, ada: Any, tmp_path: Path) -> None:
    first, again = [command("user", "disable", ADA, "--json").json() for _ in range(2)]

    assert first["disabledAt"] == again["disabledAt"] is not None
    assert organisations_of(tmp_path, ADA) == []
    assert command("user", "enable", ADA, "--json").json()["disabledAt"] is None
    assert organisations_of(tmp_path, ADA) == ["Finch & Søn"]
