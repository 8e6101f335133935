"""PostgreSQL over TCP with encryption, as its address asks for it: a real server, a certificate of the tests' own."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import text

from adapters.database.engine import make_engine, reading
from domain.ports.database import DatabaseUnavailable
from tests.adapters.postgres_server import SETTINGS, postgres_server, restart
from tests.databases import LIMITS
from tests.fakes.certificates import make_certificate
from tests.tcp_ports import free_port

pytestmark = pytest.mark.postgresql

NAMED, UNNAMED = "127.0.0.1", "127.0.0.2"
"""Addresses of the server: its certificate is for the first one."""


@dataclass(frozen=True)
class Server:
    port: int
    roots: Path


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that encrypts if it is asked to, and the certificate that vouches for it."""
    roots = make_certificate(tmp_path_factory.mktemp("certificate"))
    port = free_port(NAMED)
    with postgres_server(f"{SETTINGS}{NAMED},{UNNAMED} -p {port}") as folder:
        data = Path(folder) / "data"
        shutil.copy(roots, data / "server.pem")
        (data / "server.pem").chmod(0o600)
        shutil.chown(data / "server.pem", data.owner())
        with (data / "postgresql.conf").open("a", encoding="utf-8") as settings:
            settings.write("ssl = on\nssl_cert_file = 'server.pem'\nssl_key_file = 'server.pem'\n")
        restart(folder)
        yield Server(port, roots)


async def is_encrypted(server: Server, query: str, host: str = NAMED) -> bool:
    """Whether a connection by that address is."""
    engine = make_engine(f"postgresql+asyncpg://undersign@{host}:{server.port}/postgres?{query}", LIMITS)
    try:
        async with reading(engine) as connection:
            found = await connection.execute(text("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"))
            return bool(found.scalar_one())
    finally:
        await engine.dispose()


@pytest.mark.parametrize("query", ["ssl=verify-full", "ssl=verify-ca", "ssl=require"])
async def test_a_connection_is_encrypted_on_demand(server: Server, monkeypatch: pytest.MonkeyPatch, query: str) -> None:
    monkeypatch.setenv("PGSSLROOTCERT", str(server.roots))
    assert await is_encrypted(server, query)
    assert not await is_encrypted(server, "ssl=disable")


async def test_an_untrusted_certificate_is_refused(
    server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PGSSLROOTCERT", str(make_certificate(tmp_path)))
    with pytest.raises(DatabaseUnavailable):
        await is_encrypted(server, "ssl=verify-full")


async def test_a_certificate_of_another_name_is_refused(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGSSLROOTCERT", str(server.roots))
    assert await is_encrypted(server, "ssl=verify-ca", UNNAMED)
    with pytest.raises(DatabaseUnavailable):
        await is_encrypted(server, "ssl=verify-full", UNNAMED)


@pytest.mark.parametrize(("query", "kept"), [("", True), ("prepared_statement_cache_size=0", False)])
async def test_prepared_statements_are_cached_unless_disabled(server: Server, query: str, kept: bool) -> None:
    engine = make_engine(f"postgresql+asyncpg://undersign@{NAMED}:{server.port}/postgres?{query}", LIMITS)
    async with reading(engine) as connection:
        for _ in range(2):
            found = await connection.execute(text("SELECT count(*) FROM pg_prepared_statements"))
        assert bool(found.scalar_one()) == kept
    await engine.dispose()
