"""`undersign replay`: whether a new version can go on with the sessions that are running."""

from cli.errors import BackendUnavailable, ReplayFailed
from settings import Settings
from workflows.client.replay_check import Unreachable, replay_running


async def check_running_sessions(settings: Settings, limit: int) -> None:
    """Prints what would get stuck, or that nothing would.

    Raises:
        ReplayFailed: some would.
        BackendUnavailable: Temporal does not answer.
    """
    try:
        found = await replay_running(settings.temporal, limit)
    except Unreachable as error:
        raise BackendUnavailable(f"Temporal does not answer: {error}. Set UNDERSIGN_TEMPORAL_ADDRESS.") from error
    for broken in found.broken:
        print(f"{broken.workflow_id}: {broken.reason}")
    if found.broken:
        raise ReplayFailed(
            f"{len(found.broken)} of {found.total} running workflows would get stuck under this version. "
            "Keep the earlier way behind workflow.patched; docs/operations.md says how."
        )
    print(f"{found.total} running workflows replayed; this version goes on with all of them.")
