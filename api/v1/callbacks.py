"""The log of callbacks, redelivery, and the feed of all events (Specification 4.20, 4.21)."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from application.errors import CallbackNotFound, CursorOutdated
from application.idempotency import Attempt
from application.schemas.callbacks import CallbackRead, CallbacksRead
from application.schemas.events import Cursor, FeedRead, parse_cursor
from application.sessions import redeliver
from domain.audit.events import FEED_START
from domain.shared.ids import EventId, SessionId
from web.asgi.dependencies import InjectedServices
from web.asgi.error_handlers import error_responses
from web.asgi.idempotency_key_header import SessionIdempotency, to_response
from web.asgi.query_validation import StrictRoute
from web.asgi.required_scopes import ReadableSession, SessionReadCaller, WritableSession
from web.asgi.route_signature import ModelResponse

router = APIRouter(route_class=StrictRoute, prefix="/api/v1", tags=["Callbacks"])

Limit = Annotated[int, Query(ge=1, le=100, description="Maximum number of items to return.")]


@router.get("/Session/{sessionId}/Callbacks")
async def list_callbacks(
    session: ReadableSession,
    services: InjectedServices,
    limit: Limit = 50,
    offset: Annotated[int, Query(ge=0, description="Number of items to skip.")] = 0,
) -> CallbacksRead:
    """Lists the callbacks of a session to its `callbackUrl`, oldest first, with every attempt.

    A callback is attempted until its receiver responds with 2xx, ten times within a little over three days; 410 ends
    the attempts. While a receiver is paused, because it failed for three days, its callbacks stay `pending` without a
    `nextAttemptAt`, and `pausedSince` is set.
    """
    log = await services.callbacks.log(session.organisation_id, session.session_id)
    return CallbacksRead.page(log, limit, offset)


@router.post(
    "/Session/{sessionId}/Callback/{eventId}/Redeliver",
    responses=error_responses(CallbackNotFound),
)
async def redeliver_callback(
    session: WritableSession,
    event_id: Annotated[EventId, Path(alias="eventId", description="Unique identifier of the event.")],
    services: InjectedServices,
    once: SessionIdempotency,
) -> ModelResponse[CallbackRead]:
    """Redelivers one callback now, with the same `webhook-id` and body, whatever its status.

    If the delivery fails, the attempts start over. A delivery in progress is not repeated.
    """

    async def begin(_attempt: Attempt) -> tuple[SessionId, CallbackRead]:
        key = (session.organisation_id, session.session_id)
        shown = await redeliver.redeliver(services.callbacks, services.deliveries, key, event_id)
        return session.session_id, CallbackRead.model_validate(shown, from_attributes=True)

    return to_response(await once.do(begin))


@router.get("/Events", responses=error_responses(CursorOutdated))
async def get_feed(
    caller: SessionReadCaller,
    services: InjectedServices,
    after: Annotated[
        Cursor | None, Query(description="`cursor` of an earlier response. Default: the first event.")
    ] = None,
    limit: Limit = 50,
) -> FeedRead:
    """Returns the events of all sessions of the organisation, in the order in which they were recorded.

    The feed is for clients without a receiver, or whose receiver failed. Request the next page with the `cursor` of the
    response: every event is returned exactly once, and none is added before a cursor. Cursors do not expire. A cursor
    is refused with 410 `CURSOR_OUTDATED` only if the operator has restored the database to a time before it. Events are
    available until their session is deleted permanently. `eventId` is the `webhook-id` of the callback.
    """
    position = FEED_START if after is None else parse_cursor(after)
    events = await services.feed.after(caller.organisation_id, position, limit + 1)
    if events is None:
        raise CursorOutdated
    return FeedRead.page(events, limit, position)
