"""The sealer that the settings name."""

from functools import partial
from pathlib import Path

from adapters.processes import ProcessPool
from adapters.sealing.local import ensure_local_keys
from adapters.sealing.sealer import PadesSealer
from adapters.sealing.trust import read_trusted

SEALING = ("adapters.sealing.preparing", "adapters.sealing.checking")
"""What child processes load for it."""


def open_sealer(keys: Path, pool: ProcessPool) -> PadesSealer:
    """The sealer with the key in the folder `keys`, made there at the first start.

    Raises:
        KeysUnusable: it cannot be read, written or understood.
    """
    folder = keys / "seal"
    return PadesSealer(ensure_local_keys(folder), partial(read_trusted, folder), pool)
