"""Files that hold secrets: whole or not there, and for their owner only."""

import os
import tempfile
from pathlib import Path

from adapters.write_once import flush_folder, give_to_owner


def write_private(path: Path, text: str) -> None:
    """Puts `text` in place of what was at `path` in one step, with mode 600; it survives a power failure."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # mkstemp gives mode 600
    try:
        give_to_owner(descriptor, path.parent)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
    flush_folder(path.parent)
