"""The histories that Temporal keeps of workflows."""

from collections.abc import Collection, Sequence
from typing import Protocol


class Histories(Protocol):
    """Histories of workflows."""

    async def delete(self, workflow_ids: Sequence[str], asked: Collection[str] = ()) -> list[str]:
        """Asks for all runs of these workflows to be deleted; the identifiers of those that were found.

        A run that is still going on is ended. Runs in `asked` are looked for only: deleting takes Temporal a moment,
        and it does again whatever it is asked again. None left to be seen: nothing.
        """
        ...
