"""Passwords: kept as hashes that tell nothing, and recognised however they were typed."""

import pytest

from adapters.passwords import SHORTEST, hash_password, is_outdated, is_password, new_password

KEPT = hash_password("Passwort für Ångström")


@pytest.mark.parametrize("typed", ["Passwort für Ångström", "Passwort fu\u0308r A\u030angstro\u0308m"])
def test_a_password_is_recognised_however_its_characters_are_composed(typed: str) -> None:
    assert is_password(typed, KEPT)


@pytest.mark.parametrize("typed", ["", "passwort für Ångström", "Passwort für Ångström "])
def test_another_password_is_not(typed: str) -> None:
    assert not is_password(typed, KEPT)


@pytest.mark.parametrize("kept", ["", "no hash", "$argon2id$v=19$m=1"])
def test_what_is_no_hash_is_nobodys_password(kept: str) -> None:
    assert not is_password("", kept)


def test_the_same_password_is_kept_differently_each_time() -> None:
    assert hash_password("correct horse") != hash_password("correct horse")
    assert hash_password("correct horse").startswith("$argon2id$")


def test_a_hash_that_was_made_with_less_care_is_outdated() -> None:
    weak = "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$VHFsbSBpcyBubyBoYXNo"

    assert (is_outdated(weak), is_outdated(KEPT)) == (True, False)


def test_new_passwords_differ_and_are_long_enough() -> None:
    made = {new_password() for _ in range(50)}

    assert len(made) == 50
    assert {len(password) for password in made} == {24}
    assert SHORTEST <= 24
