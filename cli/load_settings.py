"""The settings, as a command reads them."""

from collections.abc import Callable

from cli.errors import NotConfigured
from domain.shared.errors import ConfigError
from settings import Environment, Settings


def read_settings(reading: Callable[[], Settings] = Settings.read) -> Settings:
    """The settings of this process; raises `NotConfigured` with a line for each thing that is wrong."""
    try:
        return reading()
    except ConfigError as error:
        raise NotConfigured(str(error)) from None


def read_settings_to_run() -> Settings:
    """The settings of a whole service on this machine, which is for development unless they say otherwise.

    Raises:
        NotConfigured: with a line for each thing that is wrong.
    """
    settings = read_settings()
    return read_settings(Settings.read_for_server) if settings.environment is Environment.PRODUCTION else settings
