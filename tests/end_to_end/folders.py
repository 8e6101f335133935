"""What lies below folders of a service that goes on adding to them and deleting from them."""

import os
from collections.abc import Iterator
from pathlib import Path


def folders_below(folder: Path) -> Iterator[Path]:
    """Yields all of them; what goes meanwhile is passed over, where `Path.rglob` fails."""
    return (Path(at) for at, _, _ in os.walk(folder))


def files_below(folder: Path) -> list[Path]:
    """Returns all files, however deep."""
    return [Path(at, name) for at, _, names in os.walk(folder) for name in names]
