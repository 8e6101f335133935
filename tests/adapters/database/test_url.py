"""Addresses of databases: the usual forms are taken, and what would fail later is refused with what to write."""

import re
from pathlib import Path

import asyncpg
import pytest

from adapters.database.url import read_address
from adapters.telemetry.logs import redact


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ("postgres://ada:pw@host/db", "postgresql+asyncpg://ada:pw@host/db"),
        ("postgresql://ada:pw@host:5432/db?ssl=require", "postgresql+asyncpg://ada:pw@host:5432/db?ssl=require"),
        ("postgresql+asyncpg:///db?host=/run/postgresql", "postgresql+asyncpg:///db?host=/run/postgresql"),
        ("sqlite:////var/lib/x.db", "sqlite+aiosqlite:////var/lib/x.db"),
    ],
)
def test_usual_forms_are_accepted_with_the_driver(given: str, taken: str) -> None:
    assert read_address(given) == taken


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("garbage:hush", "postgresql://host:5432/database"),
        ("mysql://ada:hush@host/db", "postgresql://"),
        ("postgresql+psycopg2://ada:hush@host/db", "postgresql://"),
        ("postgresql://ada:hush@host:port/db", "postgresql://"),
        ("postgresql://ada:hush@host:99999/db", "postgresql://"),
        ("postgresql://ada:hu@sh@host/db", "%40"),
        ("postgresql://ada:hush@host/db?sslmode=require", "?ssl=require"),
        ("postgresql://ada:hush@host/db?ssl=require&sslrootcert=hush.pem", "PGSSLROOTCERT"),
        ("postgresql://ada:hush@host/db?hush=1", "only these are understood"),
        ("postgresql://ada:hush@host/db?ssl=hush", "verify-full"),
        ("postgresql://ada@host/db?target_session_attrs=hush", "read-write"),
        ("postgresql://ada@host/db?prepared_statement_cache_size=hush", "is a number"),
        ("sqlite+aiosqlite://", "needs a file"),
        ("sqlite:///:memory:", "needs a file"),
    ],
)
def test_invalid_addresses_are_refused_with_advice(address: str, says: str) -> None:
    with pytest.raises(ValueError, match=re.escape(says)) as refused:
        read_address(address)
    assert "hush" not in str(refused.value)
    assert redact(str(refused.value)) == str(refused.value)  # as the log shows it


@pytest.mark.parametrize("word", ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"])
def test_values_of_ssl_are_those_of_the_driver(word: str) -> None:
    assert asyncpg.connect_utils.SSLMode.parse(word) is not None


@pytest.mark.parametrize("word", ["verify-ca", "verify-full"])
def test_verification_needs_root_certificates(word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    roots = tmp_path / "roots.pem"
    monkeypatch.setenv("PGSSLROOTCERT", str(roots))
    address = f"postgresql+asyncpg://ada:hush@host/db?ssl={word}"
    with pytest.raises(ValueError, match="PGSSLROOTCERT"):
        read_address(address)

    roots.touch()
    assert read_address(address) == address
