"""`dev.json`: addresses and credentials of the running service, for programs on this machine.

The file exists while the service runs. A service that was killed leaves it behind until the next start.
"""

from pathlib import Path

from pydantic import AnyHttpUrl, BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from adapters.files import write_private
from settings import Settings

FILE_NAME = "dev.json"


class DevInfo(BaseModel):
    """Addresses of a running service, and a client with all scopes and a user of the first organisation."""

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


def read_dev_info(data_dir: Path) -> DevInfo | None:
    """Returns the content of `dev.json`; None if the file is missing or invalid."""
    try:
        return DevInfo.model_validate_json((data_dir / FILE_NAME).read_bytes())
    except (OSError, ValidationError):
        return None


def with_running_service(settings: Settings) -> Settings:
    """Returns `settings` with the addresses of the service that runs on their data directory, if any."""
    running = read_dev_info(settings.data_dir)
    if running is None:
        return settings
    addresses = {"public_url": AnyHttpUrl(running.api_url), "temporal_address": running.temporal_address}
    return settings.model_copy(update={name: addresses[name] for name in addresses.keys() - settings.model_fields_set})


def write_dev_info(data_dir: Path, dev_info: DevInfo) -> None:
    """Writes `dev.json` atomically, readable by its owner only."""
    write_private(data_dir / FILE_NAME, dev_info.model_dump_json(by_alias=True, indent=2) + "\n")


def remove_dev_info(data_dir: Path) -> None:
    (data_dir / FILE_NAME).unlink(missing_ok=True)
