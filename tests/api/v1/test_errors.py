"""One shape for every error, a request id on every response, a limit for every body (Specification 7.4, 8.2, 10.3)."""

import re
from collections.abc import AsyncIterator
from gzip import compress

import httpx
import pytest
import structlog
from fastapi import Request
from structlog.testing import capture_logs

from api.body_limits import MAX_BODY
from application.errors import ServiceError
from application.validation_issues import issues_of
from domain.ports.database import DatabaseUnavailable, LastAdministrator
from domain.ports.limits import Quotas
from domain.ports.object_store import ObjectMissing
from domain.shared.errors import CodedError, Outage, SigningError, Unavailable
from tests.api.operations import DESCRIPTION
from tests.api.service import GRANT, OWN, SECRET, Service, document, issues_by_path, session_request
from tests.builders import identifier
from web.asgi.error_handlers import STATUSES, body_of


class UnreadBody:
    """A body that knows whether anybody read it."""

    def __init__(self) -> None:
        self.was_read = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        self.was_read = True
        yield b" "


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nowhere", 404, "NOT_FOUND"),
        ("GET", "/api/v1/Session", 405, "METHOD_NOT_ALLOWED"),
        ("PUT", f"/api/v1/Session/{identifier('x')}", 405, "METHOD_NOT_ALLOWED"),
        ("POST", "/api/v1/Sessionn", 404, "NOT_FOUND"),
        ("POST", "/api/v1/session", 404, "NOT_FOUND"),
    ],
)
async def test_errors_of_the_framework_have_the_shape(
    service: Service, method: str, path: str, status: int, code: str
) -> None:
    answer = await service.http().request(method, path)

    assert (answer.status_code, answer.json()["error"]) == (status, code)
    assert set(answer.json()) == {"message", "error"}
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-request-id"]


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        (f"/api/v1/Session/{identifier('x')}", "DELETE, GET, HEAD, OPTIONS, PATCH"),
        ("/api/v1/Session", "OPTIONS, POST"),
        ("/oidc/token", "OPTIONS, POST"),
    ],
)
async def test_405_lists_the_methods_of_the_address(service: Service, path: str, methods: str) -> None:
    answer = await service.http().request("TRACE", path)
    assert (answer.status_code, answer.headers["allow"]) == (405, methods)


@pytest.mark.parametrize("error", [DatabaseUnavailable("dsn with a password"), ObjectMissing("name"), Unavailable()])
async def test_an_engine_that_is_away_is_a_503_that_says_when_to_come_back(service: Service, error: Exception) -> None:
    class Broken:
        async def find_client(self, client_id: str) -> None:
            raise error

    service.app.state.services = service.services(organisations=Broken())

    answer = await service.http().get(f"/api/v1/Session/{identifier('x')}")

    assert (answer.status_code, answer.json()) == (503, {"message": Unavailable.default, "error": "UNAVAILABLE"})
    assert int(answer.headers["retry-after"]) > 0


async def test_an_unexpected_error_shows_only_its_request_id(service: Service) -> None:
    @service.app.get("/broken")
    async def broken(request: Request) -> None:
        raise ZeroDivisionError("an internal secret")

    with capture_logs(processors=[structlog.contextvars.merge_contextvars]) as logged:
        answer = await service.http().get("/broken", headers={"X-Request-Id": "find me"})

    assert (answer.status_code, answer.json()["error"]) == (500, "INTERNAL_ERROR")
    assert "secret" not in answer.text
    assert answer.headers["x-request-id"] == "find me"
    (error,) = [line for line in logged if line["log_level"] == "error"]
    assert (error["request_id"], error["route"], error["exc_info"]) == ("find me", "/broken", True)


async def test_a_log_line_names_the_route_and_not_the_secret_in_the_path(service: Service) -> None:
    with capture_logs(processors=[structlog.contextvars.merge_contextvars]) as logged:
        await service.http().get("/objects/a-secret-token")
        await service.http().get(f"/api/v1/Session/{identifier('x')}")

    download, read = [line for line in logged if line["event"] == "request"]
    assert (download["route"], download["status"]) == ("/objects/{token}", 404)
    assert read["route"] == "/api/v1/Session/{sessionId}"
    assert "a-secret-token" not in str(logged)


@pytest.mark.parametrize("given", ["abc", "x" * 128, "order 7/2026 ~!"])
async def test_a_request_id_of_the_caller_is_kept(service: Service, given: str) -> None:
    answer = await service.http().get("/healthz", headers={"X-Request-Id": given})
    assert answer.headers["x-request-id"] == given


@pytest.mark.parametrize("given", [b"", b"x" * 129, b"caf\xe9", b"tab\there"])
async def test_a_request_id_that_cannot_be_kept_is_replaced(service: Service, given: bytes) -> None:
    first = await service.http().get("/healthz", headers={b"X-Request-Id": given})
    second = await service.http().get("/healthz")

    assert len(first.headers["x-request-id"]) == 36
    assert first.headers["x-request-id"] != second.headers["x-request-id"]


async def test_a_body_that_announces_too_much_is_counted_but_not_read(service: Service) -> None:
    service.app.state.services = service.services(quotas=Quotas(writes=5))
    headers, body = {"Content-Type": "application/json", "Content-Length": str(MAX_BODY + 1)}, UnreadBody()

    known = await service.http().post("/api/v1/Session", content=body, headers=headers)
    unknown = await service.http(None).post("/api/v1/Session", content=UnreadBody(), headers=headers)

    assert (known.status_code, known.json()["error"], body.was_read) == (413, "BODY_TOO_LARGE", False)
    assert known.headers["x-request-id"]
    assert known.headers["ratelimit"].startswith('"writes";r=4;')
    assert (unknown.status_code, "ratelimit" in unknown.headers) == (401, False)


@pytest.mark.parametrize(
    ("path", "kind"), [("/api/v1/Session", "application/json"), ("/oidc/token", "application/x-www-form-urlencoded")]
)
async def test_a_body_that_turns_out_to_be_too_much_is_broken_off(service: Service, path: str, kind: str) -> None:
    read = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal read
        while True:
            read += 1_000_000
            yield b" " * 1_000_000

    answer = await service.http().post(path, content=endless(), headers={"Content-Type": kind})

    assert (answer.status_code, answer.json()["error"]) == (413, "BODY_TOO_LARGE")
    assert read <= MAX_BODY + 1_000_000


async def test_a_body_of_just_the_limit_is_read(service: Service) -> None:
    body = httpx.Request("POST", "http://x", json=session_request()).content

    answer = await service.http(OWN).post(
        "/api/v1/Session", content=body.ljust(MAX_BODY), headers={"Content-Type": "application/json"}
    )

    assert answer.status_code == 200


def kinds_of(base: type[CodedError]) -> set[type[CodedError]]:
    """Returns the classes of errors below `base` that are raised."""
    return {kind for child in base.__subclasses__() for kind in {child, *kinds_of(child)} if hasattr(kind, "code")}


def test_every_error_of_a_request_has_a_status() -> None:
    raised = kinds_of(SigningError) | kinds_of(ServiceError) | kinds_of(Outage)

    assert {kind.code for kind in raised} <= STATUSES.keys()


def test_every_code_of_the_table_is_one_of_an_error() -> None:
    assert STATUSES.keys() == {kind.code for kind in kinds_of(CodedError)} & STATUSES.keys()


def test_every_error_without_a_code_is_a_base_of_others() -> None:
    def below(base: type[CodedError]) -> set[type[CodedError]]:
        return {kind for child in base.__subclasses__() for kind in {child, *below(child)}}

    assert {kind.__name__ for kind in below(CodedError) if not hasattr(kind, "code") and not below(kind)} == set()


def test_texts_of_backends_are_not_shown() -> None:
    body = body_of(DatabaseUnavailable("the host db-7 does not answer"))

    assert body
    assert (body.error, body.message) == ("UNAVAILABLE", Unavailable.default)
    assert body_of(ValueError("a secret")) is None
    assert body_of(LastAdministrator()) is None


PATTERNS = set(re.findall(r"'pattern': '(\^\[[^']*\]\+\$|\^#[^']*\$)'", str(DESCRIPTION["components"]["schemas"])))


@pytest.mark.parametrize("pattern", sorted(PATTERNS))
def test_every_pattern_is_said_in_words(pattern: str) -> None:
    error = {"type": "string_pattern_mismatch", "loc": ("x",), "msg": "should match", "ctx": {"pattern": pattern}}

    (issue,) = issues_of([error], {})

    assert pattern not in issue.message
    assert issue.message.endswith(".")


async def test_a_colour_that_is_none_is_answered_with_how_to_write_one(service: Service) -> None:
    files = [{"type": "blocks", "document": document(theme={"primaryColor": "teal"})}]

    answer = await service.http().post("/api/v1/Session", json=session_request(files=files))

    assert issues_by_path(answer) == {
        "/files/0/document/theme/primaryColor": "Write a colour as # and six hexadecimal digits, as in #0f6a73."
    }


async def test_a_time_without_a_zone_is_answered_with_one_that_has_it(service: Service) -> None:
    answer = await service.http().get("/api/v1/Sessions?createdAfter=2026-06-12T10:30:00")
    assert "with its zone: 2026-06-12T10:30:00Z" in issues_by_path(answer)["/createdAfter"]


async def test_a_form_without_a_boundary_is_refused(service: Service) -> None:
    answer = await service.http().post("/api/v1/Image", content=b"--x", headers={"Content-Type": "multipart/form-data"})
    assert (answer.status_code, answer.json()["error"]) == (400, "INVALID_REQUEST")
    assert "boundary" in issues_by_path(answer)[""]


async def test_a_token_request_in_json_is_refused(service: Service) -> None:
    answer = await service.http(None).post("/oidc/token", json=GRANT, auth=(OWN.client_id, SECRET))

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")
    assert "application/x-www-form-urlencoded" in answer.json()["error_description"]
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("value", ["undefined", "{sessionId}", "17", "3F0B1C9A-5D7E-4A64-9F0E-0A1B2C3D4E5F"])
async def test_a_parameter_that_is_no_identifier_is_named(service: Service, value: str) -> None:
    answer = await service.http().get(f"/api/v1/Session/{value}")

    assert (answer.status_code, answer.json()["error"]) == (404, "NOT_FOUND")
    assert f"“{value}” is no sessionId, which is a UUID in lower case." in answer.json()["message"]


async def test_the_key_of_a_recipient_in_place_of_the_id_is_explained(service: Service) -> None:
    made = await service.create()
    session, recipient = made["sessionId"], made["recipients"][0]
    there = f"/api/v1/Session/{session}/Recipient/{recipient['key']}"
    answers = [
        await service.http().patch(there, json={"name": "Ada"}),
        await service.http().post(f"{there}/SigningUrl"),
        await service.http().post(f"/api/v1/Session/{session}/SendInvitation", json={"recipientId": recipient["key"]}),
    ]

    told = f"“{recipient['key']}” is the key of a recipient, whose recipientId is {recipient['recipientId']}."
    assert [answer.json()["message"] for answer in answers[:2]] == [told] * 2
    assert answers[2].status_code in {400, 404}


async def test_another_content_type_is_named(service: Service) -> None:
    answer = await service.http().post("/api/v1/Session", content=b"{}", headers={"Content-Type": "text/plain"})

    assert (answer.status_code, answer.json()["error"]) == (415, "UNSUPPORTED_MEDIA_TYPE")
    assert answer.json()["message"] == "Send the body as application/json, not as “text/plain”."


@pytest.mark.parametrize("path", ["/api/v1/Session", "/api/v1/File", "/api/v1/Template"])
async def test_a_compressed_body_is_refused_by_its_coding(service: Service, path: str) -> None:
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    answer = await service.http().post(path, content=compress(b"{}"), headers=headers)
    assert answer.status_code == 415
    assert "without Content-Encoding “gzip”" in answer.text
