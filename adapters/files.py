"""Atomic writes of files, which survive a power failure."""

import errno
import os
import tempfile
from pathlib import Path

UNFINISHED = ".new-"
"""Prefix of the names of files that are being written. A file that a crash leaves under such a name is ignored."""


def write_once(path: Path, content: bytes) -> None:
    """Creates the file `path`, and its folders, with `content`; only its owner may read it.

    The content is written to a temporary file, flushed to the disk, then linked: of several writers one succeeds, and
    a crash or a full disk leaves nothing under the name. Raises `FileExistsError` or `OSError`.
    """
    ensure_folder(path.parent)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=UNFINISHED)
    try:
        give_to_owner(descriptor, path.parent)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        try:
            path.hardlink_to(name)
        finally:
            # After a FileExistsError too: the process that linked the file may have died before its flush.
            flush_folder(path.parent)
    finally:
        Path(name).unlink()


def ensure_folder(folder: Path) -> None:
    """Creates `folder` and its missing parents, so that they survive a power failure."""
    if folder.is_dir():
        return
    ensure_folder(folder.parent)
    try:
        folder.mkdir(mode=0o700)
        give_to_owner(folder, folder.parent)
    except FileExistsError as error:
        if not folder.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder)) from error
    flush_folder(folder.parent)


def give_to_owner(made: int | Path, folder: Path) -> None:
    """Changes the owner of `made` to that of `folder` if this process is root, so that the service can read it."""
    if os.geteuid() == 0:
        owner = folder.stat()
        os.chown(made, owner.st_uid, owner.st_gid)


def flush_folder(folder: Path) -> None:
    """Writes the directory entries of `folder` to the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_private(path: Path, content: str | bytes) -> None:
    """Replaces the file `path` by `content` (UTF-8) in one step, with mode 600; it survives a power failure."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # mkstemp gives mode 600
    try:
        give_to_owner(descriptor, path.parent)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
    flush_folder(path.parent)
