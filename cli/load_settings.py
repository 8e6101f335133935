"""Reads the settings for a command."""

from collections.abc import Callable
from pathlib import Path

from cli.errors import InvalidInput, KeyNotUsable
from domain.shared.errors import ConfigError
from settings import Environment, Settings


def read_settings(reading: Callable[[], Settings] = Settings.read) -> Settings:
    """Returns the settings of this process; raises `InvalidInput` with a line for each error."""
    try:
        return reading()
    except ConfigError as error:
        raise InvalidInput(str(error)) from None


def read_settings_to_run() -> Settings:
    """Returns the settings of a whole service on this machine; in production they meet its requirements.

    Raises:
        InvalidInput: with a line for each error.
    """
    settings = read_settings()
    return read_settings(Settings.read_for_server) if settings.environment is Environment.PRODUCTION else settings


def key_directory(name: str = "") -> Path:
    """Returns `keys/` of the data directory, or the directory `name` in it; raises `KeyNotUsable` if it is missing."""
    folder = read_settings().data_dir / "keys" / name
    if not folder.is_dir():
        raise KeyNotUsable(
            f"There are no keys in {folder}. Start the service once, or set UNDERSIGN_DATA_DIR to its data directory."
        )
    return folder
