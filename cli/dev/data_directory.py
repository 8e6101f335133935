"""The data directory: made ready, and held by one running service at a time."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cli.dev.dev_info import read_dev_info
from cli.errors import AlreadyRunning, DirectoryNotUsable

_LOCK = "lock"
_LOGS = "logs"
_TEMPORAL = "temporal"


def prepare_data_directory(data_dir: Path) -> None:
    """Makes the data directory and what the command line itself keeps in it; only its owner may look inside.

    Raises:
        DirectoryNotUsable: it cannot be made or written.
    """
    try:
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        for part in (_LOGS, _TEMPORAL):
            (data_dir / part).mkdir(exist_ok=True)
        (data_dir / _LOCK).open("ab").close()
    except OSError as error:
        raise DirectoryNotUsable(
            f"The data directory {data_dir} cannot be written ({error.strerror or error}). "
            "Choose another one with UNDERSIGN_DATA_DIR."
        ) from error


@contextmanager
def lock_data_directory(data_dir: Path) -> Iterator[None]:
    """Keeps every other service off the data directory; the kernel lets go of it however this process ends.

    Raises:
        AlreadyRunning: another service holds it.
    """
    with (data_dir / _LOCK).open("r+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            dev_info = read_dev_info(data_dir)
            where = f"at {dev_info.api_url}" if dev_info else "and is starting or stopping"
            raise AlreadyRunning(
                f"Undersign runs on {data_dir} already (process {lock.read().strip() or 'unknown'}) {where}. "
                "Stop that one, or choose another directory with UNDERSIGN_DATA_DIR."
            ) from error
        lock.truncate()
        lock.write(str(os.getpid()))
        lock.flush()
        yield


def temporal_database(data_dir: Path) -> Path:
    """Where the embedded Temporal server keeps everything."""
    return data_dir / _TEMPORAL / "temporal.db"


def rotate_log(data_dir: Path, name: str) -> Path:
    """The log of that name for this run; the one of the run before is kept beside it."""
    log = data_dir / _LOGS / f"{name}.log"
    if log.exists():
        log.replace(log.with_name(f"{name}.previous.log"))
    return log
