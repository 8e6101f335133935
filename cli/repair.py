"""`undersign repair` and `undersign replay`: checks of running sessions against the database and this version."""

from typing import TYPE_CHECKING

from cli.backends import open_repositories
from cli.errors import BackendUnavailable, CommandFailed
from domain.shared.errors import Unavailable
from domain.shared.ids import SessionId
from settings import Settings

if TYPE_CHECKING:
    from application.sessions.repair import Disagreement


async def check_running_sessions(settings: Settings, limit: int) -> None:
    """Replays running workflows under this version; raises `CommandFailed` if it cannot continue some of them."""
    from workflows.client.replay_check import TemporalUnreachable, replay_running

    try:
        found = await replay_running(settings.temporal, limit)
    except TemporalUnreachable as error:
        raise BackendUnavailable(f"Temporal does not answer: {error}. Set UNDERSIGN_TEMPORAL_ADDRESS.") from error
    for broken in found.broken:
        print(f"{broken.workflow_id}: {broken.reason}")
    if found.broken:
        raise CommandFailed(
            f"This version cannot continue {len(found.broken)} of {found.total} running workflows. "
            "Keep the earlier code behind workflow.patched; see docs/workflow-changes.md."
        )
    print(f"{found.total} running workflows replayed; this version can continue all of them.")


async def repair(settings: Settings, *, apply: bool) -> int:
    """Prints each disagreement, and repairs it with `apply`. Returns the number of sessions not repaired."""
    from application.sessions.repair import Comparison
    from workflows.client.session_runs import connect_runs

    repaired: dict[SessionId, bool] = {}
    async with open_repositories(settings) as repositories:
        try:
            comparison = Comparison(await connect_runs(settings.temporal), repositories.sessions)
            async for found in comparison.find():
                done = await _show(found, apply=apply)
                repaired[found.session_id] = done and repaired.get(found.session_id, True)
        except Unavailable as error:
            raise BackendUnavailable("Temporal does not answer. Set UNDERSIGN_TEMPORAL_ADDRESS.") from error
    left = list(repaired.values()).count(False)
    if not repaired:
        print("The database and Temporal agree on all sessions.")
    elif not apply:
        print(f"{_sessions(left)} to repair; nothing was changed. --apply repairs them.")
    else:
        rest = f" Not repaired: {_sessions(left)}; see above." if left else ""
        print(f"{_sessions(len(repaired) - left)} repaired.{rest}")
    return left


async def _show(found: "Disagreement", *, apply: bool) -> bool:
    """Prints a disagreement, and repairs it with `apply` if it can. Returns whether it was repaired."""
    is_repaired = apply and found.mend is not None
    print(f"session/{found.session_id}: {found.problem}")
    if apply and found.mend is not None:
        await found.mend()
    print(f"  {'Done: ' if is_repaired else ''}{found.remedy}")
    if found.lost:
        print(f"  Lost: {found.lost}")
    return is_repaired


def _sessions(count: int) -> str:
    return "1 session" if count == 1 else f"{count} sessions"
