"""Tools that read sessions and act on them."""

from api.mcp.calls import Answer, Call, Tool
from api.scopes import Scope
from api.v1.schemas.members import Requested
from api.v1.schemas.session_list import SessionsRead, SessionsWanted
from api.v1.schemas.session_read import SessionRead


class OneSession(Requested):
    """Which session."""

    session_id: str


async def _get(call: Call[OneSession]) -> Answer:
    session = await call.session(call.asked.session_id)
    retries = await call.reader.retries(session)
    return Answer.of(SessionRead.from_snapshot(session, call.services.base_url, retries))


async def _list(call: Call[SessionsWanted]) -> Answer:
    page = await call.services.rows.list_sessions(call.caller.organisation_id, call.asked.query())
    return Answer.of(SessionsRead.from_page(page, call.asked, call.services.base_url))


GET_SESSION = Tool(
    name="get_session",
    title="Get session",
    description="Reads one signing session as it is now: its status, its recipients, its documents, and in "
    "`waitingFor` one sentence on what it waits for.",
    scopes=(Scope.READ_SESSIONS,),
    asked=OneSession,
    shown=(SessionRead,),
    act=_get,
)

LIST_SESSIONS = Tool(
    name="list_sessions",
    title="List sessions",
    description="Lists the organisation's signing sessions, those that were changed last first. Filters narrow the "
    "list together; `pagination` says whether there is more.",
    scopes=(Scope.READ_SESSIONS,),
    asked=SessionsWanted,
    shown=(SessionsRead,),
    act=_list,
)
