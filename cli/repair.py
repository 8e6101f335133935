"""`undersign repair` and `undersign replay`: checks of running sessions against the database and this version."""

from typing import TYPE_CHECKING

from cli.backends import open_repositories, refuse_differences
from cli.installation import find_own_facts
from cli.output import BackendUnavailable, CommandFailed
from config.settings import Settings
from domain.shared.errors import Unavailable
from domain.shared.ids import SessionId

if TYPE_CHECKING:
    from application.sessions.repair import Disagreement


async def check_running_sessions(settings: Settings, limit: int) -> None:
    """Replays running workflows under this version; raises `CommandFailed` if it cannot continue some of them."""
    from workflows.client.replay_check import TemporalUnreachable, replay_running

    try:
        result = await replay_running(settings.temporal, limit)
    except TemporalUnreachable as error:
        raise BackendUnavailable(f"Temporal does not answer: {error}. Set UNDERSIGN_TEMPORAL_ADDRESS.") from error
    for broken in result.broken:
        print(f"{broken.workflow_id}: {broken.reason}")
    if result.broken:
        raise CommandFailed(
            f"This version cannot continue {len(result.broken)} of {result.total} running workflows. "
            "Keep the earlier code behind workflow.patched; see docs/workflow-changes.md."
        )
    print(f"{result.total} running workflows replayed; this version can continue all of them.")


async def repair(settings: Settings, *, apply: bool, all_lost: bool) -> int:
    """Prints each disagreement, and repairs it with `apply`. Returns the number of sessions not repaired.

    Repairs nothing if this process does not belong to the installation, or if most sessions have no run, unless
    `all_lost`: the runs may be in another namespace, where a second run of each session would send its mails again.
    """
    from application.sessions.repair import Comparison
    from workflows.client.runs import connect_runs

    async with open_repositories(settings) as repositories:
        refuse_differences(await repositories.installation.read(), await find_own_facts(settings))
        try:
            runs = await connect_runs(settings.temporal)
            comparison = Comparison(runs, repositories.sessions, repositories.acts)
            differing = [difference async for difference in comparison.find()]
            without_run = sum(difference.has_no_run for difference in differing)
            may_repair = apply and (all_lost or 2 * without_run <= comparison.compared)
            repaired: dict[SessionId, bool] = {}
            for difference in differing:
                is_repaired = await _show(difference, apply=may_repair)
                repaired[difference.session_id] = is_repaired and repaired.get(difference.session_id, True)
        except Unavailable as error:
            raise BackendUnavailable("Temporal does not answer. Set UNDERSIGN_TEMPORAL_ADDRESS.") from error
    remaining = list(repaired.values()).count(False)
    if apply and not may_repair:
        raise CommandFailed(
            f"{without_run} of {comparison.compared} sessions have no run, as in a namespace or on a server that is "
            "not theirs; nothing was changed. If Temporal has lost them: undersign repair --apply --all-lost"
        )
    if not repaired:
        print("The database and Temporal agree on all sessions.")
    elif not apply:
        print(f"{_sessions(remaining)} to repair; nothing was changed. --apply repairs them.")
    else:
        rest = f" Not repaired: {_sessions(remaining)}; see above." if remaining else ""
        print(f"{_sessions(len(repaired) - remaining)} repaired.{rest}")
    return remaining


async def _show(difference: "Disagreement", *, apply: bool) -> bool:
    """Prints a disagreement, and repairs it with `apply` if it can. Returns whether it was repaired."""
    is_repaired = apply and difference.mend is not None
    print(f"session/{difference.session_id}: {difference.problem}")
    if apply and difference.mend is not None:
        await difference.mend()
    print(f"  {'Done: ' if is_repaired else ''}{difference.remedy}")
    if difference.lost:
        print(f"  Lost: {difference.lost}")
    return is_repaired


def _sessions(count: int) -> str:
    return "1 session" if count == 1 else f"{count} sessions"
