"""Deleting permanently takes two calls: a token from the first, for that session, that client and five minutes."""

from datetime import UTC, datetime, timedelta
from typing import Any

from api.app import create_app
from api.mcp.confirmation_tokens import LIFETIME, ConfirmationTokens
from application.caller import Caller
from domain.shared.ids import SessionId
from tests.api.mcp.assistant import call, done, refused, text
from tests.api.service import KEYS, OWN, STRANGER, Service, client_of
from tests.builders import ORGANISATION, audit


async def token_for(service: Service, session_id: str, **members: Any) -> str:
    asked = await done(service, "delete_session", {"sessionId": session_id}, **members)
    return str(asked["confirmationToken"])


def confirming(session_id: str, token: str) -> dict[str, str]:
    return {"sessionId": session_id, "confirmationToken": token}


async def test_the_first_call_deletes_nothing_and_says_what_would_be_deleted(service: Service) -> None:
    made = await service.create()

    asked = await call(service, "delete_session", {"sessionId": made["sessionId"]})

    assert (asked.structured_content["name"], asked.structured_content["status"]) == ("Consulting agreement", "draft")
    assert "Nothing has been deleted yet" in text(asked)
    assert (await service.http().get(f"/api/v1/Session/{made['sessionId']}")).status_code == 200


async def test_the_second_call_with_the_token_deletes_for_ever(service: Service) -> None:
    made = await service.create()
    token = await token_for(service, made["sessionId"])

    deleted = await done(service, "delete_session", confirming(made["sessionId"], token))

    assert (deleted["status"], deleted["permanent"], deleted["restorable"]) == ("deleted", True, False)
    assert (await service.http().get(f"/api/v1/Session/{made['sessionId']}")).status_code == 404


async def test_a_token_that_is_replayed_fails(service: Service) -> None:
    made, other = await service.create(), await service.create()
    token = await token_for(service, made["sessionId"])
    await done(service, "delete_session", confirming(made["sessionId"], token))

    replayed = await refused(service, "delete_session", confirming(made["sessionId"], token))
    elsewhere = await refused(service, "delete_session", confirming(other["sessionId"], token))

    assert (replayed["error"], elsewhere["error"]) == ("NOT_FOUND", "CONFIRMATION_NOT_VALID")
    assert (await service.http().get(f"/api/v1/Session/{other['sessionId']}")).status_code == 200


async def test_a_token_is_no_other_clients_to_use(service: Service) -> None:
    colleague = client_of(ORGANISATION, "a colleague's client")
    await service.organisations.add_client(colleague)
    made = await service.create()
    token = await token_for(service, made["sessionId"])

    found = await refused(service, "delete_session", confirming(made["sessionId"], token), client=colleague)
    strangers = await refused(service, "delete_session", confirming(made["sessionId"], token), client=STRANGER)

    assert (found["error"], strangers["error"]) == ("CONFIRMATION_NOT_VALID", "NOT_FOUND")


async def test_a_token_is_void_once_anything_has_happened_to_the_session(service: Service) -> None:
    made = await service.create()
    token = await token_for(service, made["sessionId"])
    await done(service, "send_session", {"sessionId": made["sessionId"]})

    found = await refused(service, "delete_session", confirming(made["sessionId"], token))

    assert found["error"] == "CONFIRMATION_NOT_VALID"


async def test_a_token_ends_after_five_minutes(service: Service) -> None:
    made = await service.create()
    session = service.sessions.held[SessionId(made["sessionId"])]
    confirmations, now = ConfirmationTokens(KEYS.cookie), datetime.now(UTC)

    def given(at: datetime) -> str:
        return confirmations.issue(Caller(OWN.client_id, ORGANISATION, audit(at)), session).confirmation_token

    late = given(now - LIFETIME)
    early = given(now - LIFETIME + timedelta(minutes=1))

    assert timedelta(minutes=5) == LIFETIME
    found = await refused(service, "delete_session", confirming(made["sessionId"], late))
    assert found["error"] == "CONFIRMATION_NOT_VALID"
    await done(service, "delete_session", confirming(made["sessionId"], early))


async def test_another_process_takes_the_token_as_well(service: Service) -> None:
    made = await service.create()
    token = await token_for(service, made["sessionId"])
    another = create_app(service.services())

    deleted = await done(service, "delete_session", confirming(made["sessionId"], token), app=another)

    assert deleted["permanent"] is True


async def test_nobody_makes_up_a_token(service: Service) -> None:
    made = await service.create()
    session = service.sessions.held[SessionId(made["sessionId"])]
    caller = Caller(OWN.client_id, ORGANISATION, audit(datetime.now(UTC)))
    forged = ConfirmationTokens(b"another key").issue(caller, session).confirmation_token

    for token in (forged, "", "x", "WzFd.x", forged.partition(".")[0]):
        found = await refused(service, "delete_session", confirming(made["sessionId"], token))
        assert found["error"] == "CONFIRMATION_NOT_VALID"
