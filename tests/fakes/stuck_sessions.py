"""A count of stuck sessions without Temporal."""

from collections.abc import Callable, Iterable, Mapping

from activities.count_stuck_sessions import StuckSessions
from domain.session.waiting_cause import StuckCount, WaitingCause
from domain.session.waiting_for import RetryStatus
from domain.shared.ids import SessionId


def count_stuck(
    show: Callable[[Mapping[WaitingCause, StuckCount]], object] = print,
    retries: Mapping[SessionId, RetryStatus] | None = None,
    failing: Iterable[str] = (),
) -> StuckSessions:
    """Returns a count in which these steps are retried, and these runs have failing workflow tasks."""

    async def find_retries(session_id: SessionId) -> tuple[RetryStatus, ...]:
        return (retries[session_id],) if retries and session_id in retries else ()

    async def find_failing(limit: int) -> list[str]:
        return [*failing][:limit]

    return StuckSessions(find_retries, find_failing, show)
