"""The sending limits of a client, by each way of sending."""

from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from domain.shared.sending_limit import InvalidDomain, SendingLimit, parse_domains
from tests.api.mcp.assistant import refused
from tests.api.service import OWN, Service, client_of, document, session_request
from tests.builders import ORGANISATION

OTHER = client_of(ORGANISATION, "another client")


async def limit(service: Service, number: int | None = None, *domains: str) -> None:
    await service.budgets.set(OWN.client_id, SendingLimit(recipients_per_day=number, domains=domains))


async def charged(service: Service) -> int:
    return await service.budgets.count_charged(OWN.client_id, datetime.now(UTC).date())


async def send(service: Service, session_id: str, **headers: str) -> httpx.Response:
    return await service.http().post(f"/api/v1/Session/{session_id}/Send", headers=headers)


async def create(service: Service, **changes: Any) -> httpx.Response:
    return await service.http().post("/api/v1/Session", json=session_request(**changes))


async def invite(service: Service, session_id: str) -> httpx.Response:
    return await service.http().post(f"/api/v1/Session/{session_id}/SendInvitation")


async def test_sending_a_draft_charges_all_recipients(service: Service) -> None:
    await limit(service, 4)
    drafts = [(await service.create())["sessionId"] for _ in range(3)]

    answers = [await send(service, draft) for draft in drafts]

    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[2].json()["error"] == "RECIPIENT_BUDGET_SPENT"
    assert 0 < int(answers[2].headers["retry-after"]) <= 86_400
    assert "4 recipients a day" in answers[2].json()["message"]
    assert (await service.http().get(f"/api/v1/Session/{drafts[2]}")).json()["status"] == "draft"


async def test_a_session_that_exceeds_the_limit_is_not_created(service: Service) -> None:
    await limit(service, 3)

    first, second = await create(service, sendImmediately=True), await create(service, sendImmediately=True)

    assert (first.status_code, second.status_code) == (200, 429)
    assert (await service.http().get("/api/v1/Sessions")).json()["pagination"]["total"] == 1
    assert len(service.sessions.held) == 1


async def test_sessions_from_templates_are_charged_and_a_limit_of_others_is_not(service: Service) -> None:
    await limit(service, 1)
    recipients = session_request()["recipients"]
    made = {"name": "Agreement", "document": document(), "recipients": recipients, "activate": True}
    template = (await service.http().post("/api/v1/Template", json=made)).json()
    asked = {"templateId": template["templateId"], "sendImmediately": True}
    await service.organisations.add_client(OTHER)

    own = await service.http().post("/api/v1/SessionFromTemplate", json=asked)
    other = await service.http(OTHER).post("/api/v1/SessionFromTemplate", json=asked)

    assert (own.status_code, own.json()["error"], other.status_code) == (429, "RECIPIENT_BUDGET_SPENT", 200)
    assert "Send to fewer at once" in own.json()["message"]


async def test_each_further_invitation_charges_one(service: Service) -> None:
    await limit(service, 3)
    sent = (await create(service, sendImmediately=True)).json()["sessionId"]

    assert [(await invite(service, sent)).status_code for _ in range(2)] == [200, 429]


async def test_drafts_repeated_and_refused_requests_are_not_charged(service: Service) -> None:
    await limit(service, 0, "nowhere.example")
    draft = (await create(service)).json()["sessionId"]
    assert await charged(service) == 0
    await limit(service, 10)

    for _ in range(2):
        assert (await send(service, draft, **{"Idempotency-Key": "once"})).status_code == 200
    assert (await send(service, draft)).json()["error"] == "NOT_A_DRAFT"
    long = document(title="A title that is far too long for one line of the header of a page")
    answer = await create(service, sendImmediately=True, files=[{"type": "blocks", "document": long}])
    assert answer.json()["error"] == "DOCUMENT_VALIDATION_FAILED"

    assert await charged(service) == 2


async def test_recipients_at_other_domains_are_refused(service: Service) -> None:
    draft = (await service.create())["sessionId"]
    sent = (await create(service, sendImmediately=True)).json()["sessionId"]
    await limit(service, None, "northwind.example")

    answers = [await send(service, draft), await create(service, sendImmediately=True), await invite(service, sent)]

    for answer in answers:
        assert (answer.status_code, answer.json()["error"]) == (403, "RECIPIENT_DOMAIN_NOT_ALLOWED")
        assert "northwind.example only, not at example.com" in answer.json()["message"]
        assert "ada@" not in answer.text


async def test_a_domain_matches_in_any_case_and_without_its_subdomains(service: Service) -> None:
    await limit(service, None, "example.com")
    below = [{"key": "ada", "name": "Ada", "email": "ada@mail.example.com"}]

    assert (await create(service, sendImmediately=True)).status_code == 200
    assert (await create(service, sendImmediately=True, recipients=below)).status_code == 403


async def test_the_tool_answers_like_the_api(service: Service) -> None:
    await limit(service, 1)
    draft = (await service.create())["sessionId"]

    refusal = await refused(service, "send_session", {"sessionId": draft})

    assert refusal == (await send(service, draft)).json()
    assert refusal["error"] == "RECIPIENT_BUDGET_SPENT"


@pytest.mark.parametrize("text", ["nowhere", "a..example.com", "http://x.example", "ada@x.example", "x/.example", "-"])
def test_an_invalid_domain_is_refused(text: str) -> None:
    with pytest.raises(InvalidDomain):
        parse_domains(f"example.com, {text}")


def test_domains_are_normalised() -> None:
    assert parse_domains(" Example.com,@example.org;example.COM\n bücher.example ") == (
        "example.com",
        "example.org",
        "bücher.example",
    )


def test_the_first_domain_beyond_the_maximum_is_named() -> None:
    with pytest.raises(InvalidDomain) as raised:
        parse_domains(" ".join(f"d{number}.example" for number in range(51)))

    assert raised.value.text == "d50.example"
