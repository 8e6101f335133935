"""The settings, as a command reads them."""

from pydantic import ValidationError

from api.cli.failures import NotConfigured
from settings import Settings


def read_settings() -> Settings:
    """The settings of this process; raises `NotConfigured` naming every variable that makes no sense."""
    try:
        return Settings()
    except ValidationError as error:
        wrong = (f"UNDERSIGN_{str(issue['loc'][0]).upper()}: {issue['msg']}" for issue in error.errors())
        raise NotConfigured("; ".join(wrong)) from error
