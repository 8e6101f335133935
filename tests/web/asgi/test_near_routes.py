"""Requests to addresses that do not exist are answered with the operation that is probably meant."""

import re

import pytest

from tests.api.operations import OPERATIONS, Operation
from tests.api.service import Service
from tests.builders import identifier

IDS = {name: identifier(name) for operation in OPERATIONS for name in operation.identifiers}
ASKED = [o for o in OPERATIONS if o.path.startswith("/api/v1/")]


@pytest.mark.parametrize(
    ("method", "path", "meant"),
    [
        ("GET", "/api/v1/Session", "GET /api/v1/Sessions"),
        ("GET", "/api/v1/sessions", "GET /api/v1/Sessions"),
        ("POST", "/api/v1/sessions", "POST /api/v1/Session"),
        ("GET", "/Sessions", "GET /api/v1/Sessions"),
        ("GET", "/api/v2/Sessions", "GET /api/v1/Sessions"),
        ("GET", "//api/v1//sessions", "GET /api/v1/Sessions"),
        ("POST", "/oauth/token", "POST /oidc/token"),
        ("GET", "/api/v1/templates", "GET /api/v1/Templates"),
        ("GET", "/api/v1/sessions/17/documents", "GET /api/v1/Session/17/Documents"),
        ("POST", "/api/v1/session/17/send-reminder", "POST /api/v1/Session/17/SendReminder"),
        ("POST", "/token", "POST /oidc/token"),
        ("POST", "/connect/token", "POST /oidc/token"),
        ("POST", "/api/v1/SessionsFromTemplate", "POST /api/v1/SessionFromTemplate"),
        ("POST", "/api/v1/Sessions/FromTemplate", "POST /api/v1/SessionFromTemplate"),
        ("GET", "/api/v1/Session//Documents", "GET /api/v1/Session/{sessionId}/Documents"),
        ("GET", "/api/v1/Session/17/send", "POST /api/v1/Session/17/Send"),
        ("GET", "/api/v1/Session/17/files", "GET /api/v1/Session/17/Documents"),
        ("GET", "/api/v1/Session/17/history", "GET /api/v1/Session/17/Events"),
        ("GET", "/api/v1/Session/17/fields", "GET /api/v1/Session/17/Values"),
        ("GET", "/api/v1/Session/17/webhooks", "GET /api/v1/Session/17/Callbacks"),
        ("GET", "/api/v1/Session/17/status", "GET /api/v1/Session/17"),
        ("POST", "/api/v1/Session/17/Cancel", "DELETE /api/v1/Session/17"),
        ("POST", "/api/v1/Session/17/Remind", "POST /api/v1/Session/17/SendReminder"),
        ("GET", "/swagger.json", "GET /openapi.json"),
        ("GET", "/openapi.yaml", "GET /openapi.json"),
        ("POST", "/api/v1/envelopes", "POST /api/v1/Session"),
        ("PUT", "/api/v1/Session/17", "PATCH /api/v1/Session/17"),
        ("GET", "/api/v1/Image", "POST /api/v1/Image"),
    ],
)
async def test_a_usual_mistake_is_answered_with_the_right_address(
    service: Service, method: str, path: str, meant: str
) -> None:
    answer = await service.http().request(method, f"http://sign.example.com{path}")

    assert answer.status_code in {404, 405}
    if path in {"/api/v1/Image", "/api/v1/Session/17"}:
        assert f", but {answer.headers['allow']}." in answer.json()["message"]
    else:
        assert f"perhaps {meant} is meant. The reference is at /docs." in answer.json()["message"]


@pytest.mark.parametrize(
    ("path", "allowed"),
    [("/oidc/token", "POST"), ("/api/v1/File/17", "DELETE"), ("/api/v1/Session/17/Send", "POST"),
     ("/api/v1/Session/17/Recipient/18", "PATCH")],
)  # fmt: skip
async def test_another_method_is_answered_with_those_of_the_address(service: Service, path: str, allowed: str) -> None:
    answer = await service.http().get(path)

    assert answer.status_code == 405
    assert answer.json()["message"].endswith(
        f"not accept GET, but {', '.join(sorted((allowed, 'OPTIONS')))}. The reference is at /docs."
    )


@pytest.mark.parametrize("operation", ASKED, ids=str)
async def test_another_spelling_of_each_address_leads_to_it(service: Service, operation: Operation) -> None:
    for change in (str.lower, _in_snake_case, lambda path: path.removeprefix("/api/v1")):
        path = change(operation.url(IDS))
        answer = await service.http().request(operation.method, path)

        assert answer.status_code in {404, 405}, path
        assert f"perhaps {operation.method} {operation.url(IDS)} is meant" in answer.json()["message"], path


@pytest.mark.parametrize("path", ["Session/17/Embed", "Session/17/Comments", "Webhooks", "Session/17/Recipient/18/Sms"])
async def test_what_does_not_exist_is_not_taken_for_something_else(service: Service, path: str) -> None:
    answer = await service.http().get(f"/api/v1/{path}")
    assert answer.json()["message"] == "There is nothing at this address. The reference is at /docs."


@pytest.mark.parametrize("path", ["/nowhere", "/wp-login.php", "/" + "a/" * 500, "/" + "Sessions" * 200, "/.env"])
async def test_other_addresses_are_answered_without_a_guess(service: Service, path: str) -> None:
    answer = await service.http().get(path)

    assert answer.json()["message"] == "There is nothing at this address. The reference is at /docs."


def _in_snake_case(path: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", path).lower()
