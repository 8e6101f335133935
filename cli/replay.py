"""`undersign replay`: whether a new version can go on with the sessions that are running."""

from cli.errors import EngineUnavailable, WouldGetStuck
from settings import Settings
from workflows.client.replay_check import TemporalUnreachable, replay_running


async def check_running_sessions(settings: Settings, limit: int) -> None:
    """Prints what would get stuck, or that nothing would.

    Raises:
        WouldGetStuck: some would.
        EngineUnavailable: Temporal does not answer.
    """
    try:
        found = await replay_running(settings.temporal, limit)
    except TemporalUnreachable as error:
        raise EngineUnavailable(f"Temporal does not answer: {error}. Set UNDERSIGN_TEMPORAL_ADDRESS.") from error
    for broken in found.broken:
        print(f"{broken.workflow_id}: {broken.reason}")
    if found.broken:
        raise WouldGetStuck(
            f"{len(found.broken)} of {found.total} running workflows would get stuck under this version. "
            "Keep the earlier way behind workflow.patched; docs/operations.md says how."
        )
    print(f"{found.total} running workflows replayed; this version goes on with all of them.")
