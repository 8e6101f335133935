"""Every code of Specification 7.4, each produced by the request of a client."""

from base64 import urlsafe_b64encode
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest

from adapters.database.tables.sessions import IdempotencyKeyRow
from adapters.rate_limit_counters import limit_in_memory
from api.body_limits import MAX_BODY
from domain.ports.database import DatabaseUnavailable
from domain.ports.limits import Quotas
from domain.session.session import Session
from domain.shared import errors
from domain.shared.ids import SessionId
from domain.shared.limits import MAX_IMAGE
from domain.shared.sending_limit import SendingLimit
from tests.api.service import OWN, Service, bearer, document, session_request
from tests.api.templates import VALUES, template_request
from tests.builders import identifier
from web.asgi.error_handlers import FRAMEWORK_ERRORS, STATUSES

UNKNOWN = f"Session/{identifier('x')}"
JSON = {"Content-Type": "application/json"}
KEY = {"Idempotency-Key": "order 7"}

Producer = Callable[[Service], Awaitable[httpx.Response]]


async def call(service: Service, method: str, path: str, **options: Any) -> httpx.Response:
    return await service.http().request(method, f"/api/v1/{path}", **options)


async def post(service: Service, path: str, json: Any = None, **options: Any) -> httpx.Response:
    return await call(service, "POST", path, json=json, **options)


async def act(service: Service, path: str, json: Any = None, **settings: Any) -> httpx.Response:
    """Posts to `path` of a new session."""
    return await post(service, f"Session/{(await service.create(**settings))['sessionId']}/{path}", json)


async def twice(service: Service, method: str, path: str, **options: Any) -> httpx.Response:
    await call(service, method, path, **options)
    return await call(service, method, path, **options)


async def send_changed(service: Service, **members: Any) -> httpx.Response:
    """Sends a draft that was changed in a way that the API does not offer."""
    session = await service.create()
    held = service.sessions.held[SessionId(session["sessionId"])]
    nameless = tuple(recipient.model_copy(update={"name": ""}) for recipient in held.recipients)
    await service.sessions.become(held.model_copy(update={"recipients": nameless, **members}))
    return await post(service, f"Session/{session['sessionId']}/Send")


async def send_limited(service: Service, per_day: int | None, *domains: str) -> httpx.Response:
    await service.budgets.set(OWN.client_id, SendingLimit(recipients_per_day=per_day, domains=domains))
    return await act(service, "Send")


async def create_from_template(service: Service, **changes: Any) -> httpx.Response:
    made = (await post(service, "Template", template_request(**changes))).json()
    recipients = [{"name": "Ada", "email": "ada@example.com"}]
    return await post(service, "SessionFromTemplate", {"templateId": made["templateId"], "recipients": recipients})


async def act_on_batch(service: Service, method: str, act: str, until: int | None = None) -> httpx.Response:
    """Acts on a batch that is being checked, or whose rows before `until` are done."""
    made = (await post(service, "Template", template_request())).json()
    row = {"recipients": [{"email": "ada@example.com"}], "variableValues": VALUES}
    path, body = "SessionFromTemplate/Batch", {"templateId": made["templateId"], "name": "Leases", "rows": [row]}
    batch = (await post(service, path, body)).json()
    if until is not None:
        await service.batch_runs.work(batch["batchId"], until)
    return await call(service, method, f"{path}/{batch['batchId']}{act}")


async def create_invalid_batch(service: Service) -> httpx.Response:
    made = (await post(service, "Template", template_request())).json()
    body = {"templateId": made["templateId"], "name": "Leases", "rows": [{}]}
    return await post(service, "SessionFromTemplate/Batch", body)


async def activate_archived(service: Service) -> httpx.Response:
    made = (await post(service, "Template", template_request())).json()
    await call(service, "DELETE", f"Template/{made['templateId']}")
    return await post(service, f"Template/{made['templateId']}/Activate")


async def archive_twice(service: Service) -> httpx.Response:
    return await twice(service, "DELETE", f"Session/{(await service.create())['sessionId']}")


async def list_documents(service: Service, *, complete: bool) -> httpx.Response:
    session_id = (await service.create(sendImmediately=True))["sessionId"]
    if complete:
        await service.complete(session_id)
    return await call(service, "GET", f"Session/{session_id}/Documents")


async def certify_without_document(service: Service) -> httpx.Response:
    created = await service.create(sendImmediately=True)
    session = await service.generate(await service.complete(created["sessionId"]))
    assert session.files[0].signed
    del service.objects.objects[session.files[0].signed.name]
    return await call(service, "GET", f"Session/{session.session_id}/Certificate")


async def certify_without_event(service: Service) -> httpx.Response:
    session_id = (await service.create(sendImmediately=True))["sessionId"]
    completed = await service.complete(session_id)
    await service.sessions.become(completed.model_copy(update={"sequence": completed.sequence + 1}))
    return await call(service, "GET", f"Session/{session_id}/Certificate")


async def restore_overtaken(service: Service) -> httpx.Response:
    class Overtaken:
        """Sessions that change at the moment of a restore."""

        def __getattr__(self, name: str) -> Any:
            return getattr(service.sessions, name)

        async def act(self, *_: object) -> Session:
            raise errors.NotDue

    session = await service.create()
    service.app.state.services = service.services(sessions=Overtaken())
    return await post(service, f"Session/{session['sessionId']}/Restore")


async def repeat_unanswered(service: Service) -> httpx.Response:
    def lose_answer(row: IdempotencyKeyRow) -> None:
        row.answer = None

    await post(service, "Session", session_request(), headers=KEY)
    await service.database.edit(IdempotencyKeyRow, lose_answer)  # as if the first request were still running
    return await post(service, "Session", session_request(), headers=KEY)


async def reuse_key(service: Service) -> httpx.Response:
    await post(service, "Session", session_request(), headers=KEY)
    return await post(service, "Session", session_request(name="Another"), headers=KEY)


async def read_with(service: Service, *, times: int = 1, **services: Any) -> httpx.Response:
    service.app.state.services = service.services(**services)
    return [await call(service, "GET", UNKNOWN) for _ in range(times)][-1]


async def upload_into_full_storage(service: Service) -> httpx.Response:
    service.app.state.services = service.services(upload_quota=3)
    return await post(service, "Image", files={"file": ("logo.png", b"xxxx")})


class NoDatabase:
    async def find_client(self, client_id: str) -> None:
        raise DatabaseUnavailable


TOO_LONG = [{"type": "blocks", "document": document(title="T" * 90)}]
UNIQUE = session_request(externalId="order-7", externalIdUnique=True)
GRACE, NOBODY = {"recipientEmail": "grace@example.com"}, {"recipientEmail": "nobody@example.com"}
OUTDATED = urlsafe_b64encode(b"7:0123456789abcdef").decode().rstrip("=")
PRODUCERS: dict[tuple[int, str], Producer] = {
    (400, "INVALID_REQUEST"): lambda s: post(s, "Session", {}),
    (400, "DOCUMENT_VALIDATION_FAILED"): lambda s: post(s, "Session", session_request(files=TOO_LONG)),
    (400, "NOT_A_DRAFT"): lambda s: act(s, "Send", sendImmediately=True),
    (400, "NO_RECIPIENTS"): lambda s: send_changed(s, recipients=()),
    (400, "INCOMPLETE_RECIPIENTS"): send_changed,
    (400, "ALREADY_ARCHIVED"): archive_twice,
    (400, "NOT_ARCHIVED"): lambda s: act(s, "Restore"),
    (400, "SESSION_NOT_ACTIVE"): lambda s: act(s, "SendInvitation"),
    (400, "RECIPIENT_NOT_ACTIVE"): lambda s: act(s, "SendInvitation", GRACE, sendImmediately=True),
    (400, "TEMPLATE_NOT_ACTIVE"): lambda s: create_from_template(s, activate=False),
    (400, "INVALID_VARIABLE_VALUES"): create_from_template,
    (400, "INVALID_BASE64"): lambda s: post(s, "Image", {"fileName": "logo.png", "data": "no base64!"}),
    (400, "INVALID_FILE_TYPE"): lambda s: post(s, "Image", files={"file": ("logo.png", b"<svg/>")}),
    (401, "UNAUTHORIZED"): lambda s: s.http(None).get(f"/api/v1/{UNKNOWN}"),
    (403, "INSUFFICIENT_SCOPE"): lambda s: call(s, "GET", UNKNOWN, headers=bearer(OWN, ("write:files",))),
    (403, "RECIPIENT_DOMAIN_NOT_ALLOWED"): lambda s: send_limited(s, None, "elsewhere.example"),
    (404, "NOT_FOUND"): lambda s: call(s, "GET", UNKNOWN),
    (404, "RECIPIENT_NOT_FOUND"): lambda s: act(s, "SendInvitation", NOBODY, sendImmediately=True),
    (405, "METHOD_NOT_ALLOWED"): lambda s: call(s, "PUT", UNKNOWN),
    (406, "NOT_ACCEPTABLE"): lambda s: post(s, "Document/Preview", {}, headers={"Accept": "text/html"}),
    (409, "CONFLICT"): restore_overtaken,
    (409, "DOCUMENTS_DIFFER"): certify_without_document,
    (409, "DOCUMENT_NOT_READY"): lambda s: list_documents(s, complete=True),
    (409, "EXTERNAL_ID_TAKEN"): lambda s: twice(s, "POST", "Session", json=UNIQUE),
    (409, "IDEMPOTENCY_IN_PROGRESS"): repeat_unanswered,
    (409, "SESSION_NOT_COMPLETED"): lambda s: list_documents(s, complete=False),
    (409, "TEMPLATE_ARCHIVED"): activate_archived,
    (400, "INVALID_BATCH"): create_invalid_batch,
    (409, "BATCH_BEING_CHECKED"): lambda service: act_on_batch(service, "POST", "/Pause"),
    (409, "BATCH_ENDED"): lambda service: act_on_batch(service, "POST", "/Pause", until=1),
    (409, "BATCH_NOT_ENDED"): lambda service: act_on_batch(service, "DELETE", ""),
    (410, "CURSOR_OUTDATED"): lambda s: call(s, "GET", "Events", params={"after": OUTDATED}),
    (413, "BODY_TOO_LARGE"): lambda s: post(s, "Session", content=b" " * (MAX_BODY + 1), headers=JSON),
    (413, "FILE_TOO_LARGE"): lambda s: post(s, "Image", files={"file": ("logo.png", b"x" * (MAX_IMAGE + 1))}),
    (413, "STORAGE_FULL"): upload_into_full_storage,
    (415, "UNSUPPORTED_MEDIA_TYPE"): lambda s: post(
        s, "Session", content=b"<a/>", headers={"Content-Type": "text/xml"}
    ),
    (422, "IDEMPOTENCY_KEY_REUSED"): reuse_key,
    (429, "RATE_LIMITED"): lambda s: read_with(s, times=2, rate_limits=limit_in_memory(), quotas=Quotas(reads=1)),
    (429, "RECIPIENT_BUDGET_SPENT"): lambda s: send_limited(s, 0),
    (500, "HISTORY_NOT_WHOLE"): certify_without_event,
    (500, "INTERNAL_ERROR"): lambda s: read_with(s, rows=None),
    (503, "UNAVAILABLE"): lambda s: read_with(s, organisations=NoDatabase()),
}


RETRIED = {"DOCUMENT_NOT_READY", "IDEMPOTENCY_IN_PROGRESS", "RATE_LIMITED", "RECIPIENT_BUDGET_SPENT", "UNAVAILABLE"}
CHALLENGED = {"UNAUTHORIZED", "INSUFFICIENT_SCOPE"}
OF_TOOLS = {(400, "CONFIRMATION_NOT_VALID")}
"""Codes of assistant tools only; see `tests/api/mcp/test_deleting.py`."""
MORE = {
    **{
        code: {"issues"}
        for code in (
            "INVALID_REQUEST",
            "DOCUMENT_VALIDATION_FAILED",
            "INVALID_VARIABLE_VALUES",
            "INVALID_BATCH",
            "INVALID_BASE64",
        )
    },
    "EXTERNAL_ID_TAKEN": {"sessionId"},
}
"""Further members of errors, by code."""


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
    known = {(status.value, code) for code, status in STATUSES.items()}
    known |= {(status, code) for status, (code, _) in FRAMEWORK_ERRORS.items()}
    assert known == set(PRODUCERS) | OF_TOOLS
