"""The log of callbacks, redelivery, and the feed of all events (Specification 4.20, 4.21)."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from application.errors import (
    CallbackNotFound,
    CursorOutdated,
    InsufficientScope,
    InvalidRequest,
    Unauthorized,
)
from application.idempotency import KEY_REFUSALS, Attempt
from application.sessions import redeliver
from asgi.dependencies import InjectedServices, ReadableSession, SessionsReading, WritableSession
from asgi.error_handlers import refused
from asgi.idempotency import OnlyOnce, answer_with
from asgi.query_validation import StrictRoute
from domain.audit.events import FEED_START
from domain.shared.errors import SessionNotFound, Unavailable
from domain.shared.ids import EventId, SessionId
from schemas.callbacks import CallbackRead, CallbacksRead, Cursor, FeedRead, parse_cursor

router = APIRouter(
    route_class=StrictRoute,
    prefix="/api/v1",
    tags=["Callbacks"],
    responses=refused(Unauthorized, InsufficientScope, Unavailable),
)

_AFTER = "the `cursor` of an earlier answer; from the first event on when left out"

Limit = Annotated[int, Query(ge=1, le=100)]


@router.get("/Session/{sessionId}/Callbacks", responses=refused(SessionNotFound, InvalidRequest))
async def list_callbacks(
    session: ReadableSession,
    services: InjectedServices,
    limit: Limit = 50,
    offset: Annotated[int, Query(ge=0)] = 0,
) -> CallbacksRead:
    """Lists the callbacks of a session to its `callbackUrl`, oldest first, with every try.

    Each callback is tried until its receiver answers 2xx, ten times within a little over three days; 410 ends it at
    once. While a receiver is paused, because it has failed for three days, its callbacks stay `pending` without a
    `nextAttemptAt`, and `pausedSince` says since when.
    """
    logged = await services.callbacks.log(session.organisation_id, session.session_id)
    return CallbacksRead.page(logged, limit, offset)


@router.post(
    "/Session/{sessionId}/Callback/{eventId}/Redeliver",
    response_model=CallbackRead,
    responses=refused(SessionNotFound, CallbackNotFound, InvalidRequest, *KEY_REFUSALS),
)
async def redeliver_callback(
    session: WritableSession,
    event_id: Annotated[EventId, Path(alias="eventId", description="what is no UUID is answered like an unknown one")],
    services: InjectedServices,
    once: OnlyOnce,
) -> Response:
    """Redelivers one callback now, with the same `webhook-id` and body, delivered or not, paused or not.

    If that fails, the tries begin from the start. While one is under way, this begins no other.
    """

    async def begin(_attempt: Attempt) -> tuple[SessionId, CallbackRead]:
        key = (session.organisation_id, session.session_id)
        shown = await redeliver.redeliver(services.callbacks, services.deliveries, key, event_id)
        return session.session_id, CallbackRead.model_validate(shown, from_attributes=True)

    return answer_with(await once.do(begin))


@router.get("/Events", responses=refused(InvalidRequest, CursorOutdated))
async def get_feed(
    caller: SessionsReading,
    services: InjectedServices,
    after: Annotated[Cursor | None, Query(description=_AFTER)] = None,
    limit: Limit = 50,
) -> FeedRead:
    """Returns the events of all sessions of the organisation, in the order in which they were written.

    For clients that lost their receiver, or have none. Ask again with the `cursor` of the answer: no event is left
    out or comes twice, and none comes later behind a cursor. Cursors do not expire, unless the operator restores the
    database to a moment before one: that cursor is refused with 410 `CURSOR_OUTDATED`. An event is there for as long
    as its session, which is until the session is deleted permanently. `eventId` is the `webhook-id` of its callback.
    """
    position = FEED_START if after is None else parse_cursor(after)
    found = await services.feed.after(caller.organisation_id, position, limit + 1)
    if found is None:
        raise CursorOutdated
    return FeedRead.page(found, limit, position)
