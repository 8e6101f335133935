"""What the API works with. Entry points build it once; `dependencies` hands it to the routes."""

from dataclasses import dataclass
from pathlib import Path

from adapters.database.port import Organisations, SessionRows
from adapters.keys import Keys
from adapters.object_store.port import ObjectStore
from adapters.processes import ProcessPool
from workflows.port import Sessions


@dataclass(frozen=True, slots=True)
class Services:
    """The collaborators of the API. `outbox` is the folder of the local outbox, None when mail really leaves."""

    sessions: Sessions
    rows: SessionRows
    organisations: Organisations
    objects: ObjectStore
    pool: ProcessPool
    keys: Keys
    base_url: str
    download_lifetime: int
    outbox: Path | None
