"""Addresses that open the documents for a recipient, and the origins whose pages may frame them."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from application.scopes import Scope
from domain.session.recipients import RecipientStatus
from domain.session.signing_links import read_token
from domain.shared.ids import SessionId
from tests.api.service import BASE_URL, EVERYTHING, OWN, Service, bearer, issues_by_path, session_request
from tests.builders import identifier

SHOP = "https://shop.example.com"
BOTH = {"recipients": [
    {"key": "ada", "name": "Ada", "email": "ada@example.com", "delivery": "none"},
    {"key": "grace", "name": "Grace", "email": "grace@example.com"},
]}  # fmt: skip


async def create(service: Service, **members: Any) -> tuple[str, list[str]]:
    """Returns the path of a session that was sent to Ada and then Grace, and the ids of both."""
    request = session_request(**{**BOTH, "sendImmediately": True, **members})
    created = (await service.http().post("/api/v1/Session", json=request)).json()
    return f"/api/v1/Session/{created['sessionId']}", [one["recipientId"] for one in created["recipients"]]


async def open_for(service: Service, path: str, recipient: str, body: Any = None) -> httpx.Response:
    return await service.http().post(f"{path}/Recipient/{recipient}/SigningUrl", json=body)


async def list_origins(service: Service, *origins: str) -> httpx.Response:
    return await service.http().put("/api/v1/FrameOrigins", json={"frameOrigins": list(origins)})


async def test_an_address_is_for_one_recipient_and_ten_minutes(service: Service) -> None:
    path, (ada, _) = await create(service)
    await list_origins(service, SHOP)

    answer = await open_for(service, path, ada, {"origin": SHOP, "returnUrl": f"{SHOP}/orders?id=7"})

    made = answer.json()
    assert (answer.status_code, made["recipientId"], answer.headers["cache-control"]) == (200, ada, "no-store")
    stored = await service.signing_urls.find(read_token(made["url"].removeprefix(f"{BASE_URL}/open/")))
    assert stored
    assert (stored.recipient_id, stored.client_id, stored.origin) == (ada, OWN.client_id, SHOP)
    left = datetime.fromisoformat(made["expiresAt"]) - datetime.now(UTC)
    assert timedelta(minutes=9) < left <= timedelta(minutes=10)


async def test_each_request_gives_another_address(service: Service) -> None:
    path, (ada, _) = await create(service)
    urls = [(await open_for(service, path, ada)).json()["url"] for _ in range(2)]
    assert urls[0] != urls[1]


async def test_the_path_may_name_recipients_in_the_plural(service: Service) -> None:
    path, (ada, _) = await create(service)
    await list_origins(service, SHOP)
    answer = await service.http().post(f"{path}/Recipients/{ada}/SigningUrl", json={"origin": SHOP})
    assert (answer.status_code, answer.json()["recipientId"]) == (200, ada)


async def test_nobody_gets_an_address_before_their_turn_or_in_a_draft(service: Service) -> None:
    path, (_, grace) = await create(service)
    draft, (ada, _) = await create(service, sendImmediately=False)

    answers = [await open_for(service, path, grace), await open_for(service, draft, ada)]
    unknown = await open_for(service, path, identifier("nobody"))

    assert [answer.json()["error"] for answer in answers] == ["RECIPIENT_NOT_ACTIVE", "SESSION_NOT_ACTIVE"]
    assert unknown.json()["error"] == "NOT_FOUND"


async def test_whoever_has_signed_gets_an_address_of_the_copy(service: Service) -> None:
    path, (ada, _) = await create(service)
    await service.complete(path.rpartition("/")[2])
    assert (await open_for(service, path, ada)).status_code == 200


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("origin", "https://other.example.com"),
        ("origin", "https://shop.example.com/"),
        ("origin", "http://shop.example.com"),
        ("origin", "https://Shop.example.com"),
        ("origin", "https://shop.example.com:443"),
        ("origin", "*"),
        ("returnUrl", "http://shop.example.com/"),
        ("returnUrl", "javascript:alert(1)"),
        ("returnUrl", "https://a:b@shop.example.com/"),
        ("returnUrl", "/orders"),
    ],
)
async def test_other_origins_and_addresses_are_refused(service: Service, member: str, value: str) -> None:
    path, (ada, _) = await create(service)
    await list_origins(service, SHOP)
    answer = await open_for(service, path, ada, {member: value})
    assert answer.status_code == 400
    assert f"/{member}" in issues_by_path(answer)


async def test_addresses_and_origins_have_scopes_of_their_own(service: Service) -> None:
    path, (ada, _) = await create(service)
    for scope, method, where in (
        (Scope.WRITE_SIGNING_URLS, "POST", f"{path}/Recipient/{ada}/SigningUrl"),
        (Scope.WRITE_ORGANISATION, "GET", "/api/v1/FrameOrigins"),
        (Scope.WRITE_ORGANISATION, "PUT", "/api/v1/FrameOrigins"),
    ):
        headers = bearer(OWN, tuple(one for one in EVERYTHING if one != scope))
        answer = await service.http(None).request(method, where, headers=headers)
        assert (answer.status_code, scope in answer.text) == (403, True)


async def test_origins_are_saved_as_a_whole(service: Service) -> None:
    await list_origins(service, "https://old.example.com")
    saved = await list_origins(service, SHOP, "http://localhost:5173", SHOP)
    listed = await service.http().get("/api/v1/FrameOrigins")
    wrong = await list_origins(service, SHOP, "shop.example.com")

    assert saved.json() == listed.json() == {"frameOrigins": [SHOP, "http://localhost:5173"]}
    assert issues_by_path(wrong).keys() == {"/frameOrigins/1"}


async def test_a_recipient_without_emails_gets_none(service: Service) -> None:
    path, (ada, _) = await create(service, reminderEnabled=True)
    held = service.sessions.held[SessionId(path.rpartition("/")[2])]

    invited = await service.http().post(f"{path}/SendInvitation", json={"recipientId": ada})
    reminded = await service.http().post(f"{path}/SendReminder", json={"recipientId": ada})

    assert (held.recipients[0].status, held.recipients[0].invitation.delivered) == (RecipientStatus.PENDING, 0)
    assert {answer.json()["error"] for answer in (invited, reminded)} == {"RECIPIENT_NOT_ACTIVE"}
    assert "Create Signing Url" in invited.json()["message"]


async def test_delivery_is_kept_in_copies_and_may_be_given_for_sessions_from_templates(service: Service) -> None:
    path, _ = await create(service)
    copy = (await service.http().post(f"{path}/Duplicate")).json()
    assert [one.get("delivery") for one in copy["recipients"]] == ["none", None]
