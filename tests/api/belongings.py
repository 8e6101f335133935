"""An object of an organisation for every kind of identifier in paths and bodies.

A route with another kind of identifier fails the tests of tenancy until it is added here.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple

from adapters.database.tables.sessions import BatchRow, EventRow, SessionRow
from adapters.database.tables.uploads import TemplateRow
from domain.callbacks.callback import event_id
from domain.ports.database import ClientCredentials
from domain.shared.ids import SessionId
from tests.api.callback_log import held_callback, keep_log
from tests.api.service import Service, document, session_request
from tests.application.uploads import pdfs
from tests.layout.pictures import encoded, shades

Belongings = Mapping[str, str]
"""Identifiers by kind, which is the name of the path parameter."""


async def make_belongings(service: Service, owner: ClientCredentials) -> Belongings:
    """Creates one of everything through the API as `owner`."""

    return await service.prepare(f"belongings of {owner.name}", lambda: make_all(service, owner))


async def make_all(service: Service, owner: ClientCredentials) -> Belongings:
    """Creates the same in any database."""
    found: dict[str, str] = {}
    for make in _MAKERS:
        found |= await make(service, owner)
    return found


async def stored(service: Service) -> list[Any]:
    """Returns all sessions, events, templates and batches."""
    tables = (SessionRow, EventRow, TemplateRow, BatchRow)
    return [dict(service.sessions.held), *[await service.database.read(table) for table in tables]]


async def _session(service: Service, owner: ClientCredentials) -> Belongings:
    session = await _post(service, owner, "/api/v1/Session", json=session_request(sendImmediately=True))
    session_id = session["sessionId"]
    callback = held_callback(event_id(SessionId(session_id), "2"), "https://hooks.example.com:443")
    await keep_log(service.database, owner.organisation_id, session_id, callback)
    return {
        "sessionId": session_id,
        "fileId": session["files"][0]["fileId"],
        "recipientId": session["recipients"][0]["recipientId"],
        "eventId": callback.event_id,
    }


async def _frame_origin(service: Service, owner: ClientCredentials) -> Belongings:
    origin = f"https://{owner.client_id}.example.com"
    saved = await service.http(owner).put("/api/v1/FrameOrigins", json={"frameOrigins": [origin]})
    assert saved.status_code == 200, saved.text
    return {"frameOrigin": origin}


async def _image(service: Service, owner: ClientCredentials) -> Belongings:
    picture = ("logo.png", encoded(shades(20, 20)), "image/png")
    return {"imageId": (await _post(service, owner, "/api/v1/Image", files={"file": picture}))["fileId"]}


async def _file(service: Service, owner: ClientCredentials) -> Belongings:
    terms = ("terms.pdf", pdfs.pdf(), "application/pdf")
    return {"uploadedFileId": (await _post(service, owner, "/api/v1/File", files={"file": terms}))["fileId"]}


async def _template(service: Service, owner: ClientCredentials) -> Belongings:
    template = await _post(service, owner, "/api/v1/Template", json={**_template_of(document()), "activate": True})
    return {"templateId": template["templateId"]}


async def _batch(service: Service, owner: ClientCredentials) -> Belongings:
    body = _batch_of((await _template(service, owner))["templateId"])
    return {"batchId": (await _post(service, owner, "/api/v1/SessionFromTemplate/Batch", json=body))["batchId"]}


def _batch_of(template_id: str) -> dict[str, Any]:
    return {"templateId": template_id, "name": "Agreements", "rows": [{}]}


def _template_of(made: dict[str, Any]) -> dict[str, Any]:
    return {"name": "Agreement", "document": made, "recipients": session_request()["recipients"]}


_MAKERS: tuple[Callable[[Service, ClientCredentials], Awaitable[Belongings]], ...] = (
    _session,
    _frame_origin,
    _image,
    _file,
    _template,
    _batch,
)


async def _post(service: Service, owner: ClientCredentials, path: str, **content: Any) -> dict[str, Any]:
    answer = await service.http(owner).post(path, **content)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


class InBody(NamedTuple):
    """A member of kind `kind` in the body of an operation, and a function that makes a body with an identifier."""

    operation: str
    member: str
    kind: str
    body: Callable[[str], dict[str, Any]]


def _with_logo(file_id: str) -> dict[str, Any]:
    return document(logo={"fileId": file_id})


def _with_image(file_id: str) -> dict[str, Any]:
    return document(blocks=[*document()["blocks"], {"type": "image", "fileId": file_id}])


def _session_of(made: dict[str, Any]) -> dict[str, Any]:
    return session_request(files=[{"type": "blocks", "document": made}])


def _session_with(file_id: str) -> dict[str, Any]:
    terms = {"type": "uploadedPdf", "fileId": file_id}
    return session_request(files=[{"type": "blocks", "document": document()}, terms])


def _preview_of(made: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "session", "document": made, "recipients": [{"key": "ada"}]}


_SESSION, _TEMPLATE, _PREVIEW = "POST /api/v1/Session", "POST /api/v1/Template", "POST /api/v1/Document/Preview"
_FROM, _INVITE = "POST /api/v1/SessionFromTemplate", "POST /api/v1/Session/{sessionId}/SendInvitation"
_REMIND = "POST /api/v1/Session/{sessionId}/SendReminder"

_NEXT = "PUT /api/v1/Template/{templateId}/NextVersion"

IN_BODIES = (
    InBody(_NEXT, "Logo.fileId", "imageId", lambda name: _template_of(_with_logo(name))),
    InBody(_NEXT, "Image.fileId", "imageId", lambda name: _template_of(_with_image(name))),
    InBody(_TEMPLATE, "Logo.fileId", "imageId", lambda name: _template_of(_with_logo(name))),
    InBody(_TEMPLATE, "Image.fileId", "imageId", lambda name: _template_of(_with_image(name))),
    InBody(_FROM, "SessionFromTemplate.templateId", "templateId", lambda name: {"templateId": name}),
    InBody(f"{_FROM}/Batch", "BatchCreate.templateId", "templateId", _batch_of),
    InBody(f"{_FROM}/Batch", "BatchSettings.templateId", "templateId", _batch_of),
    InBody(_SESSION, "Logo.fileId", "imageId", lambda name: _session_of(_with_logo(name))),
    InBody(_SESSION, "Image.fileId", "imageId", lambda name: _session_of(_with_image(name))),
    InBody(_SESSION, "UploadedFileCreate.fileId", "uploadedFileId", _session_with),
    InBody(_PREVIEW, "Logo.fileId", "imageId", lambda name: _preview_of(_with_logo(name))),
    InBody(_PREVIEW, "Image.fileId", "imageId", lambda name: _preview_of(_with_image(name))),
    InBody(_REMIND, "ReminderCreate.recipientId", "recipientId", lambda name: {"recipientId": name}),
    InBody(_INVITE, "InvitationCreate.recipientId", "recipientId", lambda name: {"recipientId": name}),
)
