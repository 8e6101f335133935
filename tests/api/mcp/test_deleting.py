"""Deleting permanently takes two calls and a confirmation token."""

from datetime import UTC, datetime, timedelta
from typing import Any

from api.app import create_app
from api.mcp.deletion_confirmation import LIFETIME, ConfirmationTokens
from application.caller import Caller
from domain.shared.ids import SessionId
from tests.api.mcp.assistant import call, done, refused, text
from tests.api.service import KEYS, OWN, STRANGER, Service, client_of
from tests.builders import ORGANISATION, audit


async def draft_and_token(service: Service) -> tuple[str, str]:
    session_id = (await service.create())["sessionId"]
    to_confirm = await done(service, "delete_session", {"sessionId": session_id})
    return session_id, str(to_confirm["confirmationToken"])


def confirming(session_id: str, token: str) -> dict[str, str]:
    return {"sessionId": session_id, "confirmationToken": token}


async def error_of(service: Service, session_id: str, token: str, **members: Any) -> Any:
    return (await refused(service, "delete_session", confirming(session_id, token), **members))["error"]


async def status_of(service: Service, session_id: str) -> int:
    return (await service.http().get(f"/api/v1/Session/{session_id}")).status_code


VOID = "CONFIRMATION_NOT_VALID"


async def test_the_first_call_deletes_nothing_and_names_the_session(service: Service) -> None:
    session_id = (await service.create())["sessionId"]

    first = await call(service, "delete_session", {"sessionId": session_id})

    assert (first.structured_content["name"], first.structured_content["status"]) == ("Consulting agreement", "draft")
    assert "Nothing has been deleted yet" in text(first)
    assert await status_of(service, session_id) == 200


async def test_a_token_deletes_its_session_once_in_any_process(service: Service) -> None:
    (session_id, token), (other, _) = await draft_and_token(service), await draft_and_token(service)
    app = create_app(service.services())

    deleted = await done(service, "delete_session", confirming(session_id, token), app=app)

    assert (deleted["status"], deleted["permanent"], deleted["restorable"]) == ("deleted", True, False)
    assert await status_of(service, session_id) == 404
    assert await error_of(service, session_id, token) == "NOT_FOUND"
    assert await error_of(service, other, token) == VOID
    assert await status_of(service, other) == 200


async def test_a_token_is_bound_to_its_client(service: Service) -> None:
    colleague = client_of(ORGANISATION, "a colleague's client")
    await service.organisations.add_client(colleague)
    session_id, token = await draft_and_token(service)

    assert await error_of(service, session_id, token, client=colleague) == VOID
    assert await error_of(service, session_id, token, client=STRANGER) == "NOT_FOUND"


async def test_a_change_of_the_session_voids_its_token(service: Service) -> None:
    session_id, token = await draft_and_token(service)
    await done(service, "send_session", {"sessionId": session_id})

    assert await error_of(service, session_id, token) == VOID


async def test_expired_and_forged_tokens_are_refused(service: Service) -> None:
    session_id, _ = await draft_and_token(service)
    session, now = service.sessions.held[SessionId(session_id)], datetime.now(UTC)

    def issued(at: datetime, key: bytes = KEYS.cookie) -> str:
        caller = Caller(OWN.client_id, ORGANISATION, audit(at))
        return ConfirmationTokens(key).issue(caller, session).confirmation_token

    forged = issued(now, b"another key")
    for token in (issued(now - LIFETIME), forged, "", "x", "WzFd.x", forged.partition(".")[0]):
        assert await error_of(service, session_id, token) == VOID
    assert timedelta(minutes=5) == LIFETIME
    await done(service, "delete_session", confirming(session_id, issued(now - LIFETIME + timedelta(minutes=1))))
