"""What an organisation has: an object for every kind of identifier that paths and bodies hold.

A route with an identifier that is not here fails the tests of tenancy: say here how such an object is made.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple

from adapters.database.tables.sessions import EventRow, SessionRow
from adapters.database.tables.uploads import TemplateRow
from domain.callbacks.callback import CallbackStatus, event_id
from domain.callbacks.retries_and_pauses import CallbackLogEntry
from domain.shared.ids import SessionId
from ports.database import ClientCredentials
from tests.api.callback_log import keep_log
from tests.api.service import Service, document, session_request
from tests.application.uploads import pdfs
from tests.layout.pictures import encoded, shades

Belongings = Mapping[str, str]
"""Identifiers, by the kind of what they stand for. Kinds of things in paths are called as paths call them."""


async def make_belongings(service: Service, owner: ClientCredentials) -> Belongings:
    """One of everything, made through the API as `owner`."""
    found: dict[str, str] = {}
    for make in _MAKERS:
        found |= await make(service, owner)
    return found


async def stored(service: Service) -> list[Any]:
    """What there is of sessions, their histories and templates."""
    tables = (SessionRow, EventRow, TemplateRow)
    return [dict(service.sessions.held), *[await service.database.read(table) for table in tables]]


async def _session(service: Service, owner: ClientCredentials) -> Belongings:
    session = await _post(service, owner, "/api/v1/Session", json=session_request(sendImmediately=True))
    return {
        "sessionId": session["sessionId"],
        "fileId": session["files"][0]["fileId"],
        "recipientId": session["recipients"][0]["recipientId"],
        "eventId": await _log_callback(service, owner, SessionId(session["sessionId"])),
    }


async def _log_callback(service: Service, owner: ClientCredentials, session_id: SessionId) -> str:
    """The session has one in its log."""
    callback = CallbackLogEntry(
        event_id=event_id(session_id, "2"),
        type="session.sent",
        receiver="https://hooks.example.com:443",
        status=CallbackStatus.DELIVERED,
        attempts=(),
        next_attempt_at=None,
        paused_since=None,
    )
    await keep_log(service.database, owner.organisation_id, session_id, callback)
    return callback.event_id


async def _image(service: Service, owner: ClientCredentials) -> Belongings:
    picture = ("logo.png", encoded(shades(20, 20)), "image/png")
    return {"imageId": (await _post(service, owner, "/api/v1/Image", files={"file": picture}))["fileId"]}


async def _file(service: Service, owner: ClientCredentials) -> Belongings:
    terms = ("terms.pdf", pdfs.pdf(), "application/pdf")
    return {"uploadedFileId": (await _post(service, owner, "/api/v1/File", files={"file": terms}))["fileId"]}


async def _template(service: Service, owner: ClientCredentials) -> Belongings:
    template = await _post(service, owner, "/api/v1/Template", json={**_template_of(document()), "activate": True})
    return {"templateId": template["templateId"]}


def _template_of(made: dict[str, Any]) -> dict[str, Any]:
    return {"name": "Agreement", "document": made, "recipients": session_request()["recipients"]}


_MAKERS: tuple[Callable[[Service, ClientCredentials], Awaitable[Belongings]], ...] = (
    _session,
    _image,
    _file,
    _template,
)


async def _post(service: Service, owner: ClientCredentials, path: str, **content: Any) -> dict[str, Any]:
    answer = await service.http(owner).post(path, **content)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


class InBody(NamedTuple):
    """An identifier that the body of an operation may hold: where, of which kind, and a body with a given one."""

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


IN_BODIES = (
    InBody("POST /api/v1/Template", "Logo.fileId", "imageId", lambda name: _template_of(_with_logo(name))),
    InBody("POST /api/v1/Template", "Image.fileId", "imageId", lambda name: _template_of(_with_image(name))),
    InBody(
        "POST /api/v1/SessionFromTemplate",
        "SessionFromTemplate.templateId",
        "templateId",
        lambda name: {"templateId": name},
    ),
    InBody("POST /api/v1/Session", "Logo.fileId", "imageId", lambda name: _session_of(_with_logo(name))),
    InBody("POST /api/v1/Session", "Image.fileId", "imageId", lambda name: _session_of(_with_image(name))),
    InBody("POST /api/v1/Session", "UploadedFileCreate.fileId", "uploadedFileId", _session_with),
    InBody("POST /api/v1/Document/Preview", "Logo.fileId", "imageId", lambda name: _preview_of(_with_logo(name))),
    InBody("POST /api/v1/Document/Preview", "Image.fileId", "imageId", lambda name: _preview_of(_with_image(name))),
    InBody(
        "POST /api/v1/Session/{sessionId}/SendInvitation",
        "InvitationCreate.recipientId",
        "recipientId",
        lambda name: {"recipientId": name},
    ),
)
