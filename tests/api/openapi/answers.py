"""What a service answers to every operation, once: the examples of the description, and what they are held against.

`python -m tests.api.openapi.answers` writes `api/openapi/answers.json` again. Identifiers, times and secrets become the
same ones each time.
"""

import asyncio
import json
import re
from base64 import b64encode
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import httpx
import rfc8785

from adapters.database.tables.callbacks import CallbackAttemptRow
from api.openapi.responses import EXAMPLES as ANSWERS
from application.schemas.batches import BATCH_EXAMPLE as BATCH
from application.schemas.session_create import EXAMPLE as SESSION
from application.schemas.session_from_template import EXAMPLE as FROM_TEMPLATE
from application.schemas.template_create import EXAMPLE as TEMPLATE
from domain.session.session import Session
from domain.shared.ids import EventId, SessionId
from domain.shared.object_names import digest
from domain.shared.times import rfc3339
from tests.api.service import BASE_URL, GRANT, OWN, SECRET, Service
from tests.application.uploads import pdfs
from tests.application.uploads.test_logos import picture
from tests.builders import ORGANISATION, audit, submit

REGISTRATION = {"client_name": "Contract assistant", "redirect_uris": ["https://assistant.example.com/callback"]}
PREVIEWED = {"kind": "session", "document": SESSION["files"][0]["document"], "recipients": [{"key": "client"}]}  # type: ignore[index,call-overload]

_UUID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
_DEADLINE = re.compile(r"\b\d+ \w+ \d{4} \d\d:\d\d UTC")
_SIGNED = re.compile(r"\bsigned-[0-9a-f]{64}")
_TIME = re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
BEGINS, ADDRESS = datetime(2026, 6, 12, 10, 30, tzinfo=UTC), "https://sign.example.com"
RFC_7517 = {
    "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
    "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM",
    "kid": "1",
}
"""The public key of its appendix A.1."""


class Recorder:
    """Records the answers of a service by operation."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.answers: dict[str, Any] = {}

    async def record(self, operation: str, method: str, path: str, **body: Any) -> Any:
        of_api = path.startswith("/api/")
        answer = await self.service.http(OWN if of_api else None).request(method, path, **body)
        assert answer.is_success, answer.text
        self.answers[operation] = answer.json()
        return answer.json()


async def answers(service: Service) -> dict[str, Any]:
    """What `service` answers to each operation that answers JSON, in the life of a session, a template and uploads."""
    recorder = Recorder(service)
    await _record_access(recorder)
    await _record_uploads(recorder)
    await _record_a_session(recorder)
    await _record_a_template(recorder)
    await _record_a_batch(recorder)
    await recorder.record("getHealth", "GET", "/healthz")
    await recorder.record("getReadiness", "GET", "/readyz")
    return recorder.answers


async def _record_access(recorder: Recorder) -> None:
    own = httpx.BasicAuth(OWN.client_id, SECRET)
    await recorder.record("createToken", "POST", "/oidc/token", data=GRANT, auth=own)
    program = await recorder.record("registerApplication", "POST", "/oidc/register", json=REGISTRATION)
    ended = {"token": "a token", "client_id": program["client_id"], "client_secret": program["client_secret"]}
    await recorder.record("revokeToken", "POST", "/oidc/revoke", data=ended)
    await recorder.record("getPublicKeys", "GET", "/.well-known/jwks.json")
    await recorder.record("getMetadata", "GET", "/.well-known/oauth-authorization-server")
    await recorder.record("getToolsMetadata", "GET", "/.well-known/oauth-protected-resource/mcp")
    await recorder.record("getApiMetadata", "GET", "/.well-known/oauth-protected-resource/api/v1")


async def _record_uploads(recorder: Recorder) -> None:
    for kind, name, content in (("Image", "logo.png", picture((640, 320))), ("File", "terms.pdf", pdfs.pdf())):
        body = {"fileName": name, "data": b64encode(content).decode()}
        upload = await recorder.record(f"upload{kind}", "POST", f"/api/v1/{kind}", json=body)
        await recorder.record(f"delete{kind}", "DELETE", f"/api/v1/{kind}/{upload['fileId']}")
    await recorder.record("previewDocument", "POST", "/api/v1/Document/Preview", json=PREVIEWED)


async def _record_a_session(recorder: Recorder) -> None:
    created = await recorder.record(
        "createSession", "POST", "/api/v1/Session", json={**SESSION, "sendImmediately": False}
    )
    path, session_id = f"/api/v1/Session/{created['sessionId']}", SessionId(created["sessionId"])
    await recorder.record("updateSession", "PATCH", path, json={"expiryDays": 60})
    await recorder.record("sendSession", "POST", f"{path}/Send")
    await recorder.record("sendInvitation", "POST", f"{path}/SendInvitation")
    await recorder.record("sendReminder", "POST", f"{path}/SendReminder")
    first = created["recipients"][0]
    recipient = f"{path}/Recipient/{first['recipientId']}"
    await recorder.record("updateRecipient", "PATCH", recipient, json={"email": first["email"]})
    origins = {"frameOrigins": ["https://app.example.com"]}
    await recorder.record("saveFrameOrigins", "PUT", "/api/v1/FrameOrigins", json=origins)
    await recorder.record("listFrameOrigins", "GET", "/api/v1/FrameOrigins")
    framed = {"origin": origins["frameOrigins"][0]}
    await recorder.record("createSigningUrl", "POST", f"{recipient}/SigningUrl", json=framed)
    await recorder.record("getSession", "GET", path)
    await recorder.record("duplicateSession", "POST", f"{path}/Duplicate")
    await recorder.record("deleteSession", "DELETE", path)
    await recorder.record("restoreSession", "POST", f"{path}/Restore")
    await _sign(recorder.service, session_id)
    await recorder.record("listSessions", "GET", "/api/v1/Sessions")
    await recorder.record("listDocuments", "GET", f"{path}/Documents")
    await recorder.record("getDocument", "GET", f"{path}/Document/{created['files'][0]['fileId']}")
    await recorder.record("getValues", "GET", f"{path}/Values")
    await recorder.record("listEvents", "GET", f"{path}/Events?limit=3")
    await recorder.record("getFeed", "GET", "/api/v1/Events?limit=3")
    event = (await recorder.service.callbacks.log(ORGANISATION, session_id))[0].event_id
    await recorder.service.database.add(_failed(session_id, event))
    await recorder.record("listCallbacks", "GET", f"{path}/Callbacks")
    await recorder.record("redeliverCallback", "POST", f"{path}/Callback/{event}/Redeliver")


async def _sign(service: Service, session_id: SessionId) -> None:
    session: Session = service.sessions.held[session_id]
    for recipient in sorted(session.recipients, key=lambda recipient: recipient.signing_order):
        submission = await submit(service.objects, session, recipient.key, {"purchase-order": ["PO-7731"]})
        session = await service.sessions.take(
            service.sessions.held[session_id].sign(recipient.recipient_id, submission, audit(datetime.now(UTC)))
        )
    await service.generate(session)


async def _record_a_template(recorder: Recorder) -> None:
    template = await recorder.record("createTemplate", "POST", "/api/v1/Template", json={**TEMPLATE, "activate": False})
    path = f"/api/v1/Template/{template['templateId']}"
    await recorder.record("getTemplate", "GET", path)
    await recorder.record("activateTemplate", "POST", f"{path}/Activate")
    await recorder.record("listTemplates", "GET", "/api/v1/Templates")
    session = {**FROM_TEMPLATE, "templateId": template["templateId"], "sendImmediately": False}
    await recorder.record("saveNextVersion", "PUT", f"{path}/NextVersion", json={**TEMPLATE, "activate": False})
    await recorder.record("getNextVersion", "GET", f"{path}/NextVersion")
    await recorder.record("deleteNextVersion", "DELETE", f"{path}/NextVersion")
    await recorder.record("duplicateTemplate", "POST", f"{path}/Duplicate")
    await recorder.record("updateTemplate", "PATCH", path, json={"name": template["name"]})
    await recorder.record("createSessionFromTemplate", "POST", "/api/v1/SessionFromTemplate", json=session)
    await recorder.record("deleteTemplate", "DELETE", path)
    await recorder.record("restoreTemplate", "POST", f"{path}/Restore")


async def _record_a_batch(recorder: Recorder) -> None:
    http, path = recorder.service.http(OWN), "/api/v1/SessionFromTemplate/Batch"
    template = (await http.post("/api/v1/Template", json={**TEMPLATE, "activate": True})).json()
    body = {**BATCH, "templateId": template["templateId"]}
    batch = await recorder.record("createBatch", "POST", path, json=body)
    one = f"{path}/{batch['batchId']}"
    await recorder.service.batch_runs.work(batch["batchId"], until=0)
    await recorder.record("getBatch", "GET", one)
    await recorder.record("pauseBatch", "POST", f"{one}/Pause")
    await recorder.record("resumeBatch", "POST", f"{one}/Resume")
    await recorder.record("listBatches", "GET", f"{path}es")
    await recorder.service.batch_runs.work(batch["batchId"])
    await recorder.record("listResults", "GET", f"{one}/Results")
    other = (await http.post(path, json=body)).json()
    await recorder.record("cancelBatch", "POST", f"{path}/{other['batchId']}/Cancel")
    await recorder.record("deleteBatch", "DELETE", one)


def _failed(session_id: SessionId, event: EventId) -> CallbackAttemptRow:
    """A try of the callback that the receiver answered with 500."""
    return CallbackAttemptRow(
        organisation_id=ORGANISATION,
        event_id=event,
        run_id="run",
        number=1,
        session_id=session_id,
        at=datetime.now(UTC),
        status_code=500,
        error="the receiver answered 500",
        duration_ms=182,
    )


def steady(recorded: dict[str, Any]) -> dict[str, Any]:
    """`recorded` with the same identifiers, times and secrets whenever it is recorded; chains of hashes hold."""
    text = json.dumps(recorded, ensure_ascii=False)
    identifiers = {found: str(uuid5(NAMESPACE_URL, f"{ADDRESS}/{n}")) for n, found in enumerate(_UUID.findall(text))}
    first = datetime.fromisoformat(recorded["createSession"]["createdAt"])

    def moved(found: re.Match[str]) -> str:
        after = max(datetime.fromisoformat(found[0]) - first, timedelta(0))
        return rfc3339((BEGINS + after).replace(microsecond=0))

    text = _UUID.sub(lambda found: identifiers[found[0]], text)
    text = _DEADLINE.sub("12 July 2026 10:30 UTC", _TIME.sub(moved, text))
    text = (
        _SIGNED.sub(f"signed-{digest(b'example')}", text)
        .replace(BASE_URL, ADDRESS)
        .replace(f"python-httpx/{httpx.__version__}", "curl/8.14.1")
    )
    answers: dict[str, Any] = json.loads(text)
    answers["createToken"]["access_token"] = "eyJhbGciOiJFUzI1NiJ9..."
    answers["registerApplication"] |= {"client_id_issued_at": int(BEGINS.timestamp()), "client_secret": "..."}
    answers["getPublicKeys"]["keys"][0] |= RFC_7517
    answers["createSigningUrl"]["url"] = f"{ADDRESS}/open/AbC123"
    answers["getFeed"]["cursor"] = "MzpjNDg4NTI3NmYzNzY3ZjRm"
    answers["getReadiness"]["dependencies"] = [{"name": "database", "ready": True, "needed": True, "advice": None}]
    for operation in ("listEvents", "getFeed"):
        _chain(answers[operation]["events"])
    return answers


def _chain(events: list[dict[str, Any]]) -> None:
    """Computes the hashes of `events`, in place, as List Events describes them."""
    for before, event in zip([None, *events], events, strict=False):
        if before is not None:
            event["previousHash"] = before["hash"]
        facts = {
            name: event[name]
            for name in ("sequence", "at", "type", "actor", "ip", "userAgent", "details", "previousHash")
        }
        event["hash"] = digest(rfc8785.dumps(facts))


if __name__ == "__main__":

    async def record() -> None:
        service = Service()
        await service.seed()
        ANSWERS.write_text(json.dumps(steady(await answers(service)), indent=2, ensure_ascii=False) + "\n", "utf-8")

    asyncio.run(record())
