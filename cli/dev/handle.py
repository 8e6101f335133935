"""`dev.json`: where the running service is and how to get in, for programs on this machine.

It exists exactly while everything answers. A service that was killed leaves it behind until the next one starts.
"""

from pathlib import Path

from pydantic import AnyHttpUrl, BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from adapters.files import write_private
from settings import Settings

FILE_NAME = "dev.json"


class Handle(BaseModel):
    """Addresses of a running service, a client that may do everything in the first organisation, and a person of it."""

    model_config = ConfigDict(frozen=True, alias_generator=to_camel, validate_by_name=True)

    api_url: str
    temporal_address: str
    temporal_ui_url: str
    outbox_dir: Path
    outbox_url: str
    client_id: str
    client_secret: str
    organisation_id: str
    webhook_secret: str
    app_url: str
    user_email: str


def read_handle(data_dir: Path) -> Handle | None:
    """What the service on `data_dir` wrote; None when there is nothing, or nothing whole."""
    try:
        return Handle.model_validate_json((data_dir / FILE_NAME).read_bytes())
    except (OSError, ValidationError):
        return None


def as_it_runs(settings: Settings) -> Settings:
    """With the addresses of the service that runs on embedded engines in the same data directory, where one does."""
    running = read_handle(settings.data_dir)
    if running is None:
        return settings
    known = {"public_url": AnyHttpUrl(running.api_url), "temporal_address": running.temporal_address}
    return settings.model_copy(update={name: known[name] for name in known.keys() - settings.model_fields_set})


def write_handle(data_dir: Path, handle: Handle) -> None:
    """Writes `handle` at once and for the owner only."""
    write_private(data_dir / FILE_NAME, handle.model_dump_json(by_alias=True, indent=2) + "\n")


def remove_handle(data_dir: Path) -> None:
    (data_dir / FILE_NAME).unlink(missing_ok=True)
