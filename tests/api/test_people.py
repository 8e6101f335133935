"""Who gets in with an email address and a password."""

from dataclasses import replace
from unittest.mock import patch

import pytest
from argon2 import PasswordHasher

import api.people
from adapters.database.port import User
from adapters.passwords import hash_password, is_outdated
from api.people import find_person
from domain.ids import UserId
from tests.builders import NOON, ORGANISATION, identifier
from tests.fakes.database import MemoryUsers

PASSWORD = "correct horse battery"
ADA = User(UserId(identifier("ada")), ORGANISATION, "ada@example.com", "Ada Lovelace", hash_password(PASSWORD), True)


@pytest.fixture
async def users() -> MemoryUsers:
    made = MemoryUsers()
    await made.add(ADA)
    return made


@pytest.mark.parametrize("email", ["ada@example.com", "Ada@Example.com", " ada@example.com "])
async def test_the_right_password_finds_the_person(users: MemoryUsers, email: str) -> None:
    assert await find_person(users, email, PASSWORD) == ADA


@pytest.mark.parametrize(
    ("email", "password"),
    [("ada@example.com", "wrong"), ("ada@example.com", ""), ("grace@example.com", PASSWORD), ("", "")],
)
async def test_a_wrong_password_or_an_unknown_address_finds_nobody(
    users: MemoryUsers, email: str, password: str
) -> None:
    assert await find_person(users, email, password) is None


async def test_who_is_disabled_does_not_get_in(users: MemoryUsers) -> None:
    await users.disable(ADA.user_id, NOON)

    assert await find_person(users, ADA.email, PASSWORD) is None


async def test_an_unknown_address_costs_the_same_work_as_a_wrong_password(users: MemoryUsers) -> None:
    with patch.object(api.people, "is_password", return_value=False) as asked:
        await find_person(users, ADA.email, "wrong")
        await find_person(users, "grace@example.com", "wrong")

    assert asked.call_count == 2


async def test_a_hash_that_was_made_with_less_care_is_made_anew_when_the_password_is_there(users: MemoryUsers) -> None:
    weak = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)
    users.users[ADA.user_id] = replace(ADA, password_hash=weak)

    for _ in range(2):
        assert await find_person(users, ADA.email, PASSWORD)

    kept = users.users[ADA.user_id]
    assert not is_outdated(kept.password_hash)
    assert kept.password_is_temporary
