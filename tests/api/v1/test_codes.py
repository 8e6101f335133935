"""Every code of Specification 7.4, each produced by the request of a client."""

from base64 import urlsafe_b64encode
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest

from adapters.database.tables.sessions import IdempotencyKeyRow
from adapters.rate_limiter import limit_in_memory
from api.body_limits import MAX_BODY
from application.uploads.images.store import MAX_UPLOAD
from asgi.error_handlers import ERROR_MAPPINGS, FRAMEWORK_ERRORS
from domain.session.session import Session
from domain.shared import errors
from domain.shared.ids import SessionId
from domain.shared.sending_limits import SendingLimit
from ports.database import DatabaseUnavailable
from ports.limits import Quotas
from tests.api.service import OWN, Service, bearer, document, session_request
from tests.api.templates import template_request
from tests.builders import identifier

UNKNOWN = f"/api/v1/Session/{identifier('x')}"
SESSION, IMAGE, TEMPLATE = "/api/v1/Session", "/api/v1/Image", "/api/v1/Template"
PREVIEW = "/api/v1/Document/Preview"
KEY = {"Idempotency-Key": "order 7"}


def lose_answer(row: IdempotencyKeyRow) -> None:
    row.answer = None


Producer = Callable[[Service], Awaitable[httpx.Response]]
PRODUCERS: dict[tuple[int, str], Producer] = {}


def produces(status: int, code: str) -> Callable[[Producer], Producer]:
    def kept(producer: Producer) -> Producer:
        PRODUCERS[status, code] = producer
        return producer

    return kept


async def act(service: Service, session: dict[str, Any], path: str, **options: Any) -> httpx.Response:
    return await service.http().request("POST", f"{SESSION}/{session['sessionId']}/{path}", **options)


async def changed(service: Service, **members: Any) -> dict[str, Any]:
    """A draft that was made and then lost something, which the API itself lets nobody do."""
    session = await service.create()
    held = service.sessions.held[SessionId(session["sessionId"])]
    await service.sessions.become(held.model_copy(update=members))
    return session


@produces(400, "INVALID_REQUEST")
async def _(service: Service) -> httpx.Response:
    return await service.http().post(SESSION, json={})


@produces(403, "RECIPIENT_DOMAIN_NOT_ALLOWED")
async def _(service: Service) -> httpx.Response:
    await service.budgets.set(OWN.client_id, SendingLimit(recipients_per_day=None, domains=("elsewhere.example",)))
    return await act(service, await service.create(), "Send")


@produces(429, "RECIPIENT_BUDGET_SPENT")
async def _(service: Service) -> httpx.Response:
    await service.budgets.set(OWN.client_id, SendingLimit(recipients_per_day=0, domains=()))
    return await act(service, await service.create(), "Send")


@produces(400, "DOCUMENT_VALIDATION_FAILED")
async def _(service: Service) -> httpx.Response:
    files = [{"type": "blocks", "document": document(title="T" * 90)}]
    return await service.http().post(SESSION, json=session_request(files=files))


@produces(400, "NOT_A_DRAFT")
async def _(service: Service) -> httpx.Response:
    return await act(service, await service.create(sendImmediately=True), "Send")


@produces(400, "NO_RECIPIENTS")
async def _(service: Service) -> httpx.Response:
    return await act(service, await changed(service, recipients=()), "Send")


@produces(400, "INCOMPLETE_RECIPIENTS")
async def _(service: Service) -> httpx.Response:
    session = await changed(service)
    held: Session = service.sessions.held[SessionId(session["sessionId"])]
    nameless = tuple(recipient.model_copy(update={"name": ""}) for recipient in held.recipients)
    await service.sessions.become(held.model_copy(update={"recipients": nameless}))
    return await act(service, session, "Send")


@produces(400, "ALREADY_ARCHIVED")
async def _(service: Service) -> httpx.Response:
    address = f"{SESSION}/{(await service.create())['sessionId']}"
    await service.http().delete(address)
    return await service.http().delete(address)


@produces(400, "NOT_ARCHIVED")
async def _(service: Service) -> httpx.Response:
    return await act(service, await service.create(), "Restore")


@produces(400, "SESSION_NOT_ACTIVE")
async def _(service: Service) -> httpx.Response:
    return await act(service, await service.create(), "SendInvitation")


@produces(400, "RECIPIENT_NOT_ACTIVE")
async def _(service: Service) -> httpx.Response:
    session = await service.create(sendImmediately=True)
    return await act(service, session, "SendInvitation", json={"recipientEmail": "grace@example.com"})


@produces(400, "TEMPLATE_NOT_ACTIVE")
async def _(service: Service) -> httpx.Response:
    made = await service.http().post(TEMPLATE, json=template_request(activate=False))
    return await service.http().post("/api/v1/SessionFromTemplate", json={"templateId": made.json()["templateId"]})


@produces(409, "TEMPLATE_ARCHIVED")
async def _(service: Service) -> httpx.Response:
    made = (await service.http().post(TEMPLATE, json=template_request())).json()
    await service.http().delete(f"{TEMPLATE}/{made['templateId']}")
    return await service.http().post(f"{TEMPLATE}/{made['templateId']}/Activate")


@produces(409, "EXTERNAL_ID_TAKEN")
async def _(service: Service) -> httpx.Response:
    request = session_request(externalId="order-7", externalIdUnique=True)
    await service.http().post("/api/v1/Session", json=request)
    return await service.http().post("/api/v1/Session", json=request)


@produces(400, "INVALID_VARIABLE_VALUES")
async def _(service: Service) -> httpx.Response:
    made = await service.http().post(TEMPLATE, json=template_request())
    recipients = [{"name": "Ada", "email": "ada@example.com"}]
    body = {"templateId": made.json()["templateId"], "recipients": recipients}
    return await service.http().post("/api/v1/SessionFromTemplate", json=body)


@produces(400, "INVALID_BASE64")
async def _(service: Service) -> httpx.Response:
    return await service.http().post(IMAGE, json={"fileName": "logo.png", "data": "no base64!"})


@produces(400, "INVALID_FILE_TYPE")
async def _(service: Service) -> httpx.Response:
    return await service.http().post(IMAGE, files={"file": ("logo.png", b"<svg/>")})


@produces(401, "UNAUTHORIZED")
async def _(service: Service) -> httpx.Response:
    return await service.http(None).get(UNKNOWN)


@produces(403, "INSUFFICIENT_SCOPE")
async def _(service: Service) -> httpx.Response:
    return await service.http(None).get(UNKNOWN, headers=bearer(OWN, ("write:files",)))


@produces(404, "NOT_FOUND")
async def _(service: Service) -> httpx.Response:
    return await service.http().get(UNKNOWN)


@produces(404, "RECIPIENT_NOT_FOUND")
async def _(service: Service) -> httpx.Response:
    session = await service.create(sendImmediately=True)
    return await act(service, session, "SendInvitation", json={"recipientEmail": "nobody@example.com"})


@produces(405, "METHOD_NOT_ALLOWED")
async def _(service: Service) -> httpx.Response:
    return await service.http().put(UNKNOWN)


@produces(406, "NOT_ACCEPTABLE")
async def _(service: Service) -> httpx.Response:
    return await service.http().post(PREVIEW, json={}, headers={"Accept": "text/html"})


@produces(409, "SESSION_NOT_COMPLETED")
async def _(service: Service) -> httpx.Response:
    return await service.http().get(f"{SESSION}/{(await service.create())['sessionId']}/Documents")


@produces(409, "DOCUMENT_NOT_READY")
async def _(service: Service) -> httpx.Response:
    session = await service.create(sendImmediately=True)
    await service.complete(session["sessionId"])
    return await service.http().get(f"{SESSION}/{session['sessionId']}/Documents")


@produces(409, "DOCUMENTS_DIFFER")
async def _(service: Service) -> httpx.Response:
    created = await service.create(sendImmediately=True)
    session = await service.generate(await service.complete(created["sessionId"]))
    assert session.files[0].signed
    del service.objects.objects[session.files[0].signed.name]
    return await service.http().get(f"{SESSION}/{session.session_id}/Certificate")


@produces(409, "CONFLICT")
async def _(service: Service) -> httpx.Response:
    class Overtaken:
        """A session that something else changes at the same moment."""

        def __getattr__(self, name: str) -> Any:
            return getattr(service.sessions, name)

        async def restore(self, *_: object) -> Session:
            raise errors.NotDue

    session = await service.create()
    service.app.state.services = service.services(sessions=Overtaken())
    return await act(service, session, "Restore")


@produces(409, "IDEMPOTENCY_IN_PROGRESS")
async def _(service: Service) -> httpx.Response:
    await service.http().post(SESSION, json=session_request(), headers=KEY)
    await service.database.edit(IdempotencyKeyRow, lose_answer)  # as if the first one were still at work
    return await service.http().post(SESSION, json=session_request(), headers=KEY)


@produces(422, "IDEMPOTENCY_KEY_REUSED")
async def _(service: Service) -> httpx.Response:
    await service.http().post(SESSION, json=session_request(), headers=KEY)
    return await service.http().post(SESSION, json=session_request(name="Another"), headers=KEY)


@produces(410, "CURSOR_OUTDATED")
async def _(service: Service) -> httpx.Response:
    cursor = urlsafe_b64encode(b"7:0123456789abcdef").decode().rstrip("=")
    return await service.http().get("/api/v1/Events", params={"after": cursor})


@produces(413, "BODY_TOO_LARGE")
async def _(service: Service) -> httpx.Response:
    return await service.http().post(
        SESSION, content=b" " * (MAX_BODY + 1), headers={"Content-Type": "application/json"}
    )


@produces(413, "FILE_TOO_LARGE")
async def _(service: Service) -> httpx.Response:
    return await service.http().post(IMAGE, files={"file": ("logo.png", b"x" * (MAX_UPLOAD + 1))})


@produces(415, "UNSUPPORTED_MEDIA_TYPE")
async def _(service: Service) -> httpx.Response:
    return await service.http().post(SESSION, content=b"<session/>", headers={"Content-Type": "text/xml"})


@produces(429, "RATE_LIMITED")
async def _(service: Service) -> httpx.Response:
    service.app.state.services = service.services(rate_limits=limit_in_memory(), quotas=Quotas(reads=1))
    await service.http().get(UNKNOWN)
    return await service.http().get(UNKNOWN)


@produces(500, "INTERNAL_ERROR")
async def _(service: Service) -> httpx.Response:
    service.app.state.services = service.services(rows=None)
    return await service.http().get(UNKNOWN)


@produces(500, "HISTORY_NOT_WHOLE")
async def _(service: Service) -> httpx.Response:
    session = await service.create(sendImmediately=True)
    completed = await service.complete(session["sessionId"])
    await service.sessions.become(completed.model_copy(update={"sequence": completed.sequence + 1}))
    return await service.http().get(f"{SESSION}/{session['sessionId']}/Certificate")


@produces(503, "UNAVAILABLE")
async def _(service: Service) -> httpx.Response:
    class Away:
        async def find_client(self, client_id: str) -> None:
            raise DatabaseUnavailable

    service.app.state.services = service.services(organisations=Away())
    return await service.http().get(UNKNOWN)


RETRIED = {"DOCUMENT_NOT_READY", "IDEMPOTENCY_IN_PROGRESS", "RATE_LIMITED", "RECIPIENT_BUDGET_SPENT", "UNAVAILABLE"}
CHALLENGED = {"UNAUTHORIZED", "INSUFFICIENT_SCOPE"}
OF_TOOLS = {(400, "CONFIRMATION_NOT_VALID")}
"""What only tools for assistants answer; `tests/api/mcp/test_deleting.py` has it produced."""
MORE = {
    **{code: {"issues"} for code in ("INVALID_REQUEST", "DOCUMENT_VALIDATION_FAILED", "INVALID_VARIABLE_VALUES")},
    "EXTERNAL_ID_TAKEN": {"sessionId"},
}
"""What an error of such a code has beside its message and code."""


@pytest.mark.parametrize(("status", "code"), PRODUCERS, ids=str)
async def test_every_code_is_produced_in_the_one_shape(service: Service, status: int, code: str) -> None:
    answer = await PRODUCERS[status, code](service)

    body = answer.json()
    assert (answer.status_code, body["error"]) == (status, code)
    assert body["message"]
    assert set(body) == {"message", "error"} | MORE.get(code, set())
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-request-id"]
    assert ("retry-after" in answer.headers) == (code in RETRIED)
    assert ("www-authenticate" in answer.headers) == (code in CHALLENGED)


def test_there_is_no_code_that_nothing_here_produces() -> None:
    known = {(problem.status.value, problem.code) for problem in ERROR_MAPPINGS.values()}
    known |= {(status, code) for status, (code, _) in FRAMEWORK_ERRORS.items()}

    assert known == set(PRODUCERS) | OF_TOOLS
