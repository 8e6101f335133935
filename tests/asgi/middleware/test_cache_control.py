"""No cache keeps what the API answers, whatever the answer is."""

from adapters.rate_limiter import limit_in_memory
from asgi.middleware.body_limit import MAX_BODY
from ports.limits import Quotas
from tests.api.service import GRANT, OWN, SECRET, Service, session_request
from tests.builders import identifier

AUTH = (OWN.client_id, SECRET)


async def test_sessions_and_refusals_are_not_kept(service: Service) -> None:
    made = await service.http().post("/api/v1/Session", json=session_request())
    path = f"/api/v1/Session/{made.json()['sessionId']}"
    answers = {
        200: made,
        400: await service.http().post("/api/v1/Session", json={}),
        401: await service.http(None).get(path),
        404: await service.http().get(f"/api/v1/Session/{identifier('x')}"),
        405: await service.http().put(path),
    }

    assert {status: answer.status_code for status, answer in answers.items()} == {status: status for status in answers}
    assert {answer.headers["cache-control"] for answer in answers.values()} == {"no-store"}


async def test_tokens_and_their_refusals_are_not_kept(service: Service) -> None:
    service.app.state.services = service.services(rate_limits=limit_in_memory(), quotas=Quotas(tokens=2))
    large = {"grant_type": "x" * (MAX_BODY + 1)}

    answers = [await service.http(None).post("/oidc/token", data=form, auth=AUTH) for form in (large, GRANT, GRANT)]

    assert [answer.status_code for answer in answers] == [413, 200, 429]
    assert {answer.headers["cache-control"] for answer in answers} == {"no-store"}


async def test_public_keys_may_be_kept(service: Service) -> None:
    answer = await service.http(None).get("/.well-known/jwks.json")

    assert "no-store" not in answer.headers["cache-control"]
