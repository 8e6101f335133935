"""`undersign repair`: sessions that the database and Temporal do not agree on, and what mends them."""

from api.cli.failures import EngineUnavailable
from api.cli.registry import open_registry
from domain.errors import Unavailable
from settings import Settings


async def repair(settings: Settings, *, apply: bool) -> int:
    """Prints each disagreement, and mends it with `apply`; returns how many there were.

    Raises:
        EngineUnavailable: the database or Temporal does not answer.
    """
    from api.repair import Comparison  # noqa: PLC0415  # only this command needs Temporal's SDK
    from workflows.client import connect_runs  # noqa: PLC0415

    count = 0
    async with open_registry(settings) as registry:
        try:
            comparison = Comparison(await connect_runs(settings.temporal), registry.sessions)
            async for found in comparison.find():
                count += 1
                print(f"session/{found.session_id}: {found.problem}")
                if apply and found.mend is not None:
                    await found.mend()
                print(f"  {'Done: ' if apply and found.mend is not None else ''}{found.remedy}")
                if found.lost:
                    print(f"  Cannot be had again: {found.lost}")
        except Unavailable as error:
            raise EngineUnavailable("Temporal does not answer. Set UNDERSIGN_TEMPORAL_ADDRESS.") from error
    print(_summary(count, apply=apply))
    return count


def _summary(count: int, *, apply: bool) -> str:
    if not count:
        return "The database and Temporal agree on all sessions."
    sessions = "1 session" if count == 1 else f"{count} sessions"
    return f"{sessions} mended." if apply else f"{sessions} to mend; nothing was changed. --apply mends them."
