"""What clients are held to when they mail people: by each way of sending."""

from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from domain.shared.limits import InvalidDomain, SendingLimit, parse_domains
from tests.api.mcp.assistant import assistant
from tests.api.service import OWN, Service, client_of, document, session_request
from tests.builders import ORGANISATION

OTHER = client_of(ORGANISATION, "another client")


async def hold(service: Service, number: int | None = None, *domains: str) -> None:
    await service.budgets.set(OWN.client_id, SendingLimit(recipients_per_day=number, domains=domains))


async def spent(service: Service) -> int:
    return await service.budgets.count_charged(OWN.client_id, datetime.now(UTC).date())


async def send(service: Service, session_id: str, **headers: str) -> httpx.Response:
    return await service.http().post(f"/api/v1/Session/{session_id}/Send", headers=headers)


async def create(service: Service, **changes: Any) -> httpx.Response:
    return await service.http().post("/api/v1/Session", json=session_request(**changes))


async def test_all_recipients_count_when_a_draft_is_sent(service: Service) -> None:
    await hold(service, 4)
    drafts = [(await service.create())["sessionId"] for _ in range(3)]

    answers = [await send(service, draft) for draft in drafts]

    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[2].json()["error"] == "RECIPIENT_BUDGET_SPENT"
    assert 0 < int(answers[2].headers["retry-after"]) <= 86_400
    assert "4 recipients a day" in answers[2].json()["message"]
    assert (await service.http().get(f"/api/v1/Session/{drafts[2]}")).json()["status"] == "draft"


async def test_what_is_sent_at_once_counts_and_nothing_remains_of_what_was_too_much(service: Service) -> None:
    await hold(service, 3)

    first, second = await create(service, sendImmediately=True), await create(service, sendImmediately=True)

    assert (first.status_code, second.status_code) == (200, 429)
    assert (await service.http().get("/api/v1/Sessions")).json()["pagination"]["total"] == 1
    assert len(service.sessions.held) == 1


async def test_a_session_from_a_template_counts_as_any(service: Service) -> None:
    await hold(service, 1)
    recipients = session_request()["recipients"]
    made = {"name": "Agreement", "document": document(), "recipients": recipients, "activate": True}
    template = (await service.http().post("/api/v1/Template", json=made)).json()

    answer = await service.http().post(
        "/api/v1/SessionFromTemplate", json={"templateId": template["templateId"], "sendImmediately": True}
    )

    assert (answer.status_code, answer.json()["error"]) == (429, "RECIPIENT_BUDGET_SPENT")


async def test_each_invitation_that_is_asked_for_counts_one(service: Service) -> None:
    await hold(service, 3)
    sent = (await create(service, sendImmediately=True)).json()["sessionId"]

    answers = [await service.http().post(f"/api/v1/Session/{sent}/SendInvitation") for _ in range(2)]

    assert [answer.status_code for answer in answers] == [200, 429]


async def test_drafts_are_held_to_nothing(service: Service) -> None:
    await hold(service, 0, "nowhere.example")

    assert (await create(service)).status_code == 200
    assert await spent(service) == 0


async def test_a_request_that_comes_again_counts_once(service: Service) -> None:
    await hold(service, 10)
    draft = (await service.create())["sessionId"]

    for _ in range(2):
        assert (await send(service, draft, **{"Idempotency-Key": "once"})).status_code == 200

    assert await spent(service) == 2


async def test_a_request_that_is_refused_for_another_reason_counts_nothing(service: Service) -> None:
    await hold(service, 10)
    sent = (await create(service, sendImmediately=True)).json()["sessionId"]

    assert (await send(service, sent)).json()["error"] == "NOT_A_DRAFT"
    long = document(title="A title that is far too long for one line of the header of a page")
    refused = await create(service, sendImmediately=True, files=[{"type": "blocks", "document": long}])

    assert refused.json()["error"] == "DOCUMENT_VALIDATION_FAILED"
    assert await spent(service) == 2


async def test_recipients_at_other_domains_are_refused_by_each_way_of_sending(service: Service) -> None:
    draft = (await service.create())["sessionId"]
    sent = (await create(service, sendImmediately=True)).json()["sessionId"]
    await hold(service, None, "northwind.example")

    answers = [
        await send(service, draft),
        await create(service, sendImmediately=True),
        await service.http().post(f"/api/v1/Session/{sent}/SendInvitation"),
    ]

    for answer in answers:
        assert (answer.status_code, answer.json()["error"]) == (403, "RECIPIENT_DOMAIN_NOT_ALLOWED")
        assert "northwind.example only, not at example.com" in answer.json()["message"]
        assert "ada@" not in answer.text


async def test_a_domain_allows_itself_whatever_the_case_and_not_those_below_it(service: Service) -> None:
    await hold(service, None, "example.com")
    below = [{"key": "ada", "name": "Ada", "email": "ada@mail.example.com"}]

    assert (await create(service, sendImmediately=True)).status_code == 200
    assert (await create(service, sendImmediately=True, recipients=below)).status_code == 403


async def test_other_clients_of_the_organisation_are_held_to_their_own(service: Service) -> None:
    await hold(service, 0)
    await service.organisations.add_client(OTHER)

    answer = await service.http(OTHER).post("/api/v1/Session", json=session_request(sendImmediately=True))

    assert answer.status_code == 200


async def test_what_can_never_be_sent_in_a_day_is_told_so(service: Service) -> None:
    await hold(service, 1)

    message = (await create(service, sendImmediately=True)).json()["message"]

    assert "Send to fewer at once" in message


@pytest.mark.parametrize("text", ["nowhere", "a..example.com", "http://x.example", "ada@x.example", "x/.example", "-"])
def test_what_is_no_domain_is_refused(text: str) -> None:
    with pytest.raises(InvalidDomain):
        parse_domains(f"example.com, {text}")


def test_domains_are_read_in_any_case_once_and_with_any_sign_between() -> None:
    assert parse_domains(" Example.com,@example.org;example.COM\n bücher.example ") == (
        "example.com",
        "example.org",
        "bücher.example",
    )


def test_of_too_many_domains_the_first_beyond_is_named() -> None:
    with pytest.raises(InvalidDomain) as refused:
        parse_domains(" ".join(f"d{number}.example" for number in range(51)))

    assert refused.value.text == "d50.example"


async def test_assistants_are_told_by_the_tool_what_the_api_would_tell(service: Service) -> None:
    await hold(service, 1)
    draft = (await service.create())["sessionId"]

    async with assistant(service) as connected:
        refused = await connected.call_tool("send_session", {"sessionId": draft})

    answer = await send(service, draft)
    assert refused.is_error
    assert refused.structured_content == answer.json()
    assert answer.json()["error"] == "RECIPIENT_BUDGET_SPENT"
