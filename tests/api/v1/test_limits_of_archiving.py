"""Archiving and restoring by clients: their mails count, and there is an end to both."""

from datetime import UTC, datetime

from domain.session.recipients import MAX_PER_HOUR
from domain.session.session import Transition
from domain.shared.ids import SessionId
from domain.shared.limits import SendingLimit
from tests.api.mcp.assistant import refused
from tests.api.service import OWN, Service


async def hold(service: Service, number: int | None = None, *domains: str) -> None:
    await service.budgets.set(OWN.client_id, SendingLimit(recipients_per_day=number, domains=domains))


async def spent(service: Service) -> int:
    return await service.budgets.count_charged(OWN.client_id, datetime.now(UTC).date())


async def informed(service: Service) -> str:
    """A session whose first recipient got the invitation."""
    made = await service.create(sendImmediately=True)
    session = service.sessions.held[SessionId(made["sessionId"])]
    await service.sessions.take(Transition(session.with_delivery(session.recipients[0].recipient_id, 1)))
    return str(made["sessionId"])


async def test_the_mails_of_archiving_count_for_the_client(service: Service) -> None:
    sessions = [await informed(service) for _ in range(3)]
    await hold(service, 2)

    answers = [await service.http().delete(f"/api/v1/Session/{session}") for session in sessions]

    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[2].json()["error"] == "RECIPIENT_BUDGET_SPENT"
    assert await spent(service) == 2
    assert (await service.http().get(f"/api/v1/Session/{sessions[2]}")).json()["status"] == "pending"


async def test_a_client_does_not_archive_what_tells_people_at_domains_that_it_may_not_mail(service: Service) -> None:
    session = await informed(service)
    await hold(service, None, "northwind.example")

    answer = await service.http().delete(f"/api/v1/Session/{session}")
    assisted = await refused(service, "archive_session", {"sessionId": session})

    assert (answer.status_code, answer.json()["error"]) == (403, "RECIPIENT_DOMAIN_NOT_ALLOWED")
    assert assisted["error"] == "RECIPIENT_DOMAIN_NOT_ALLOWED"


async def test_archiving_what_mails_nobody_counts_nothing(service: Service) -> None:
    draft = (await service.create())["sessionId"]
    session = await informed(service)
    await service.http().delete(f"/api/v1/Session/{session}")
    await service.http().post(f"/api/v1/Session/{session}/Restore")
    await hold(service, 0, "nowhere.example")

    answers = [await service.http().delete(f"/api/v1/Session/{one}") for one in (draft, session)]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert await spent(service) == 0


async def test_a_session_is_restored_only_so_often_within_an_hour(service: Service) -> None:
    session = await informed(service)

    for _ in range(MAX_PER_HOUR):
        await service.http().delete(f"/api/v1/Session/{session}")
        assert (await service.http().post(f"/api/v1/Session/{session}/Restore")).status_code == 200
    await service.http().delete(f"/api/v1/Session/{session}")
    answer = await service.http().post(f"/api/v1/Session/{session}/Restore")

    assert (answer.status_code, answer.json()["error"]) == (429, "RATE_LIMITED")
    assert answer.headers["retry-after"] == "3600"


async def test_one_recipient_gets_only_so_many_invitations_within_an_hour(service: Service) -> None:
    path = f"/api/v1/Session/{await informed(service)}/SendInvitation"

    answers = [await service.http().post(path) for _ in range(MAX_PER_HOUR)]

    assert [answer.status_code for answer in answers] == [200] * (MAX_PER_HOUR - 1) + [429]
    assert answers[-1].json()["error"] == "RATE_LIMITED"
