"""Which version this is, and what is wrong with its configuration."""

from importlib.metadata import version

VERSION = version("undersign")


class ConfigError(Exception):
    """A process cannot start as it is configured. Each line says what is wrong, and what to do."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines
