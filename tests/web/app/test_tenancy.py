"""Every route of the app: it requires a sign-in, and foreign resources look like missing ones."""

import re
from itertools import product

import pytest
from fastapi.routing import iter_route_contexts

from api import app
from domain.ports.database import ClientCredentials
from tests.api.belongings import make_belongings
from tests.api.service import OWN, STRANGER
from tests.builders import identifier
from tests.web.app.office import ADA, EVE, Office, Visitor
from tests.web.html import Page

BY_PROVIDER = "/app/sign-in/provider"
OPEN = {
    "/app/sign-in",
    "/app/sign-in/{secret}",
    BY_PROVIDER,
    f"{BY_PROVIDER}/callback",
    f"{BY_PROVIDER}/organisation",
}
"""Routes without a sign-in."""

NAMES = {
    "session_id": "sessionId",
    "file_id": "fileId",
    "recipient_id": "recipientId",
    "event_id": "eventId",
    "template_id": "templateId",
    "batch_id": "batchId",
    "client_id": "clientId",
    "user_id": "userId",
}
"""The identifiers in paths, and their names in belongings."""

ROUTES = [
    (method, route.path)
    for route in iter_route_contexts(app.ROUTES)
    if route.path.startswith("/app") and route.path not in OPEN
    for method in sorted((route.methods or set()) - {"HEAD"})
    if (method, route.path) != ("GET", "/app/authorize")  # without a question of a program there is nothing to go to
]
OWNED = [(method, path) for method, path in ROUTES if "_id}" in path]


def filled(path: str, things: dict[str, str]) -> str:
    return re.sub(":[a-z]+}", "}", path).format(**things, number=1, rest="nothing", act="archive")


def unknown() -> dict[str, str]:
    return {name: identifier(f"nobody's {name}") for name in NAMES}


async def belongings(office: Office, owner: ClientCredentials) -> dict[str, str]:
    [user] = [each for each in (ADA, EVE) if each.organisation_id == owner.organisation_id]
    found = {
        **await make_belongings(office.service, owner),
        "clientId": owner.client_id,
        "userId": user.user_id,
    }
    return {name: found[kind] for name, kind in NAMES.items()}


def test_the_routes_are_seen() -> None:
    assert ("POST", "/app/sessions/{session_id}/send") in ROUTES
    assert len(ROUTES) > 15


@pytest.mark.parametrize(("method", "path"), ROUTES)
async def test_visitors_without_sign_in_are_redirected_to_it(office: Office, method: str, path: str) -> None:
    path = filled(path, await belongings(office, OWN))
    form = {"data": {"form": "x"}} if method == "POST" else {}

    answer = await office.browser().request(method, path, **form)  # type: ignore[arg-type]

    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/app/sign-in?to=%2Fapp")
    assert not answer.content


@pytest.mark.parametrize(("method", "path"), OWNED)
async def test_foreign_and_missing_resources_have_equal_responses(
    office: Office, method: str, path: str, ada: Visitor
) -> None:
    theirs, none, ours = await belongings(office, STRANGER), unknown(), await belongings(office, OWN)
    token = str((await ada.look("/app")).input("form")["value"])
    form = {"data": {"form": token, "name": "Consulting agreement"}} if method == "POST" else {}
    inner = [name for name in NAMES if f"{{{name}}}" in path]
    answers = []
    for owner in product((theirs, none, dict.fromkeys(NAMES, "no-identifier"), ours), repeat=len(inner)):
        if all(whose is ours for whose in owner):
            continue
        things = {**ours, **{name: whose[name] for name, whose in zip(inner, owner, strict=True)}}
        answers.append(await ada.browser.request(method, filled(path, things), **form))  # type: ignore[arg-type]

    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.content for answer in answers}) == 1
    assert {tuple(sorted(_steady(answer.headers).items())) for answer in answers} == {
        tuple(sorted(_steady(answers[0].headers).items()))
    }
    assert "Page not found" in Page(answers[0].text).words
    for session in office.service.sessions.held.values():
        assert not session.is_erased


def _steady(headers: object) -> dict[str, str]:
    return {name: value for name, value in dict(headers).items() if name != "x-request-id"}  # type: ignore[call-overload]
