"""Files that hold secrets: whole or not there, and for their owner only."""

import os
import tempfile
from pathlib import Path

from adapters.files.write_once import flush_folder, give_to_owner


def write_private(path: Path, content: str | bytes) -> None:
    """Puts `content` (UTF-8) in place of what was at `path` in one step, with mode 600; it survives a power failure."""
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
