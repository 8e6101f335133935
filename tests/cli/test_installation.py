"""`undersign installation accept` records changes that are made on purpose."""

import asyncio
from pathlib import Path
from unittest.mock import AsyncMock

import pytest

from adapters.database.schema_migration import open_database
from config.installation import join_installation
from config.settings import Settings
from domain.shared.errors import ConfigError
from tests.cli.commands import undersign


def start(folder: Path) -> None:
    """Starts a process of the installation in `folder`."""

    async def join() -> None:
        settings = Settings(data_dir=folder)
        async with open_database(settings.database_address, settings.database_limits) as engine:
            await join_installation(settings, engine, AsyncMock(return_value=None))

    asyncio.run(join())


def test_a_key_that_is_lost_is_created_again_once_that_is_accepted(tmp_path: Path) -> None:
    lost = tmp_path / "keys" / "link.key"
    start(tmp_path)
    former = lost.read_bytes()
    lost.unlink()
    with pytest.raises(ConfigError, match=r"keys/link\.key is missing"):
        start(tmp_path)

    assert undersign(tmp_path, "installation", "accept", "keys").code == 0
    start(tmp_path)
    assert lost.read_bytes() != former


def test_a_folder_without_any_key_is_not_accepted(tmp_path: Path) -> None:
    start(tmp_path)
    (tmp_path / "keys").rename(tmp_path / "elsewhere")

    assert undersign(tmp_path, "installation", "accept", "keys").refuses("Nothing is known here of keys")


def test_commands_refuse_the_database_of_another_installation(tmp_path: Path) -> None:
    own, other = tmp_path / "own", tmp_path / "other"
    for folder in (own, other):
        folder.mkdir(mode=0o700)
        start(folder)
    foreign = {"UNDERSIGN_DATABASE_URL": f"sqlite+aiosqlite:///{other}/undersign.db"}

    for command in (("organisation", "add", "Northwind"), ("key", "rotate", "link"), ("session", "resend")):
        assert undersign(own, *command, **foreign).refuses("The fingerprint of keys/")
    start(own)
    start(other)
