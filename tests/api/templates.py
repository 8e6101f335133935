"""Templates of the tests, and calls about them."""

import json
from typing import Any

import httpx

from domain.ports.database import ClientCredentials
from domain.shared.ids import SessionId
from tests.api.service import OWN, Service


def lease(**changes: Any) -> dict[str, Any]:
    """The document of a lease with a token in some of its texts."""
    return {
        "format": "blocks",
        "title": "Lease",
        "subtitle": "{{{address}}}",
        "blocks": [
            {"type": "paragraph", "text": "{{{tenant}}} rents {{{ address }}} for {{{rent}}} from {{{start}}}."},
            {"type": "signatureBlock", "label": "For {{{tenant}}}", "recipient": "tenant"},
        ],
        **changes,
    }


def variables() -> list[dict[str, Any]]:
    return [
        {"name": "tenant", "displayName": "Tenant"},
        {"name": "address"},
        {"name": "rent", "type": "number", "defaultValue": "1,250.00"},
        {"name": "start", "type": "date"},
        {"name": "note", "required": False},
    ]


def template_request(**changes: Any) -> dict[str, Any]:
    """A request that creates an active template of a lease for a tenant and the landlord."""
    return {
        "name": "Lease",
        "document": lease(),
        "recipients": [
            {"key": "tenant", "name": "{{{tenant}}}", "email": ""},
            {"key": "landlord", "name": "Lena Lord", "email": "Lena@Example.com"},
        ],
        "variables": variables(),
        "activate": True,
        **changes,
    }


VALUES = {"tenant": "Ada Lovelace", "address": "12 Quay Street", "start": "2026-07-01"}


def session_request(template_id: str, **changes: Any) -> dict[str, Any]:
    """A request that creates a session from that template."""
    return {
        "templateId": template_id,
        "recipients": [{"email": "ada@example.com"}],
        "variableValues": VALUES,
        **changes,
    }


async def post(service: Service, path: str, body: Any = None, client: ClientCredentials = OWN) -> httpx.Response:
    return await service.http(client).post(f"/api/v1/{path}", json=body)


async def get(service: Service, path: str, client: ClientCredentials = OWN) -> httpx.Response:
    return await service.http(client).get(f"/api/v1/{path}")


async def make(service: Service, **changes: Any) -> dict[str, Any]:
    """A template that was made."""
    answer = await post(service, "Template", template_request(**changes))
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def use(service: Service, template: dict[str, Any], **changes: Any) -> httpx.Response:
    return await post(service, "SessionFromTemplate", session_request(template["templateId"], **changes))


async def create_from(service: Service, template: dict[str, Any], **changes: Any) -> dict[str, Any]:
    answer = await use(service, template, **changes)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def refuse_from(service: Service, template: dict[str, Any], **changes: Any) -> httpx.Response:
    """The answer to a request that must be refused, after a look at what it left behind."""
    answer = await use(service, template, **changes)
    assert answer.status_code == 400, answer.text
    assert not service.objects.objects
    assert not service.sessions.held
    return answer


async def source_of(service: Service, session: dict[str, Any]) -> Any:
    """The document of the session, as it is kept."""
    (file,) = service.sessions.held[SessionId(session["sessionId"])].files
    return json.loads(await service.objects.get(file.source))
