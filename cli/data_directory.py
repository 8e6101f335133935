"""The data directory of a service on one machine: its lock, its logs, and `dev.json`.

`dev.json` has the addresses and credentials of the running service, for programs on this machine. A service that was
killed leaves it behind until the next start.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import AnyHttpUrl, BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from adapters.files import write_private
from cli.output import InvalidInput
from config.settings import Settings

FILE_NAME = "dev.json"
_LOCK = "lock"


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


def prepare_data_directory(data_dir: Path) -> None:
    """Creates the data directory and its subdirectories, with mode 700; raises `InvalidInput` if it cannot."""
    try:
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        for part in ("logs", "temporal"):
            (data_dir / part).mkdir(mode=0o700, exist_ok=True)
            (data_dir / part).chmod(0o700)
        (data_dir / _LOCK).open("ab").close()
    except OSError as error:
        raise InvalidInput(
            f"The data directory {data_dir} cannot be written ({error.strerror or error}). "
            "Choose another one with UNDERSIGN_DATA_DIR."
        ) from error


@contextmanager
def lock_data_directory(data_dir: Path) -> Iterator[None]:
    """Locks the data directory until this process ends; raises `InvalidInput` if another service has locked it."""
    with (data_dir / _LOCK).open("r+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            dev_info = read_dev_info(data_dir)
            where = f"at {dev_info.api_url}" if dev_info else "and is starting or stopping"
            raise InvalidInput(
                f"Undersign already runs on {data_dir} (process {lock.read().strip() or 'unknown'}) {where}. "
                "Stop that one, or choose another directory with UNDERSIGN_DATA_DIR."
            ) from error
        lock.truncate()
        lock.write(str(os.getpid()))
        lock.flush()
        yield


def temporal_database(data_dir: Path) -> Path:
    """Returns the path of the embedded Temporal server's database."""
    return data_dir / "temporal" / "temporal.db"


def rotate_log(data_dir: Path, name: str) -> Path:
    """Returns the path of an empty log for this run; renames the log of the previous run."""
    log = data_dir / "logs" / f"{name}.log"
    if log.exists():
        log.replace(log.with_name(f"{name}.previous.log"))
    return log
