"""`undersign repair`: sessions that the database and Temporal do not agree on, and what mends them."""

from typing import TYPE_CHECKING

from cli.errors import BackendUnavailable
from cli.repositories import open_repositories
from domain.shared.errors import Unavailable
from domain.shared.ids import SessionId
from settings import Settings

if TYPE_CHECKING:
    from application.sessions.repair import Disagreement


async def repair(settings: Settings, *, apply: bool) -> int:
    """Prints each disagreement, and mends it with `apply`. Returns how many sessions are left.

    Raises:
        BackendUnavailable: the database or Temporal does not answer.
    """
    from application.sessions.repair import Comparison  # noqa: PLC0415  # only this command needs Temporal's SDK
    from workflows.client.session_runs import connect_runs  # noqa: PLC0415

    mended: dict[SessionId, bool] = {}
    async with open_repositories(settings) as repositories:
        try:
            comparison = Comparison(await connect_runs(settings.temporal), repositories.sessions)
            async for found in comparison.find():
                done = await _show(found, apply=apply)
                mended[found.session_id] = done and mended.get(found.session_id, True)
        except Unavailable as error:
            raise BackendUnavailable("Temporal does not answer. Set UNDERSIGN_TEMPORAL_ADDRESS.") from error
    left = list(mended.values()).count(False)
    print(_summary(len(mended) - left, left, apply=apply))
    return left


async def _show(found: "Disagreement", *, apply: bool) -> bool:
    """Prints it, and mends it with `apply` if it can be mended. Returns whether it was."""
    is_mended = apply and found.mend is not None
    print(f"session/{found.session_id}: {found.problem}")
    if apply and found.mend is not None:
        await found.mend()
    print(f"  {'Done: ' if is_mended else ''}{found.remedy}")
    if found.lost:
        print(f"  Cannot be had again: {found.lost}")
    return is_mended


def _summary(mended: int, left: int, *, apply: bool) -> str:
    if not mended + left:
        return "The database and Temporal agree on all sessions."
    if not apply:
        return f"{_sessions(left)} to mend; nothing was changed. --apply mends them."
    rest = f" Not mended: {_sessions(left)}; see above." if left else ""
    return f"{_sessions(mended)} mended.{rest}"


def _sessions(count: int) -> str:
    return "1 session" if count == 1 else f"{count} sessions"
