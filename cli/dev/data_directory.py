"""Prepares the data directory, and locks it for one running service at a time."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cli.dev.dev_info import read_dev_info
from cli.errors import InvalidInput

_LOCK = "lock"


def prepare_data_directory(data_dir: Path) -> None:
    """Creates the data directory with mode 700, and its subdirectories; raises `InvalidInput` if it cannot."""
    try:
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        for part in ("logs", "temporal"):
            (data_dir / part).mkdir(exist_ok=True)
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
