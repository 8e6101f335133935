"""The settings, as a command reads them."""

from collections.abc import Callable

from cli.errors import InvalidInput
from domain.shared.config_error import Misconfigured
from settings import Environment, Settings


def read_settings(reading: Callable[[], Settings] = Settings.read) -> Settings:
    """The settings of this process; raises `InvalidInput` with a line for each thing that is wrong."""
    try:
        return reading()
    except Misconfigured as error:
        raise InvalidInput(str(error)) from None


def read_settings_to_run() -> Settings:
    """The settings of a whole service on this machine, which is for development unless they say otherwise.

    Raises:
        InvalidInput: with a line for each thing that is wrong.
    """
    settings = read_settings()
    return read_settings(Settings.read_to_serve) if settings.environment is Environment.PRODUCTION else settings
