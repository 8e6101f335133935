"""Every route of the app, for each role: what a role does not allow is refused and not offered."""

import re
from typing import Any

import pytest

from domain.ports.database import User
from domain.shared.ids import UserId
from domain.shared.roles import Role
from tests.api.oauth.program import Program, parameters
from tests.api.service import OWN
from tests.builders import ORGANISATION, identifier
from tests.web.app.office import Made, Office, Visitor
from tests.web.app.test_tenancy import ROUTES, belongings, filled
from tests.web.html import Page

FOR_ALL = {"/app/sign-out", "/app/authorize", "/app/organisation/end", "/app/notifications", "/app/sign-ins/end"}
"""Forms that every user may post: their own sign-in and the apps that they approved."""

PAGES_OF_CHANGES = {"edit", "schedule", "correct", "sign-here", "archive", "restore", "delete", "new", "{act}"}

ADMINISTRATION = [
    (method, path) for method, path in ROUTES if path.startswith("/app/organisation/") and path not in FOR_ALL
]
FORMS = [path for method, path in ROUTES if method == "POST" and path not in FOR_ALL]


CHANGE_PAGES = [
    path
    for method, path in ROUTES
    if method == "GET" and (path.startswith("/app/new") or path.rpartition("/")[2] in PAGES_OF_CHANGES)
]
"""Pages with the form of a change."""


async def come_in_as(office: Office, role: Role) -> Visitor:
    user = User(UserId(identifier(role)), ORGANISATION, f"{role}@northwind.example", f"The {role}", role)
    await office.service.users.add(user)
    return await office.come_in(user)


async def post(visitor: Visitor, path: str) -> Any:
    token = str((await visitor.look("/app")).all("input")[0]["value"])
    return await visitor.browser.post(path, data={"form": token, "name": "Consulting agreement"})


@pytest.mark.parametrize("path", FORMS)
async def test_a_viewer_may_post_nothing(office: Office, path: str) -> None:
    viewer = await come_in_as(office, Role.VIEWER)

    answer = await post(viewer, filled(path, await belongings(office, OWN)))

    assert answer.status_code == 403
    assert "Your role doesn’t allow it" in Page(answer.text).words


@pytest.mark.parametrize("path", CHANGE_PAGES)
async def test_a_viewer_sees_no_page_of_a_change(office: Office, path: str) -> None:
    viewer = await come_in_as(office, Role.VIEWER)
    await viewer.look(filled(path, await belongings(office, OWN)), status=403)


@pytest.mark.parametrize(("method", "path"), ADMINISTRATION)
async def test_a_sender_administers_nothing(office: Office, method: str, path: str) -> None:
    sender, path = await come_in_as(office, Role.SENDER), filled(path, await belongings(office, OWN))

    answer = await (post(sender, path) if method == "POST" else sender.browser.get(path))

    assert answer.status_code == 403
    assert "Your role doesn’t allow it" in Page(answer.text).words


async def test_a_sender_sends(office: Office, draft: Made) -> None:
    sender = await come_in_as(office, Role.SENDER)
    answer = await post(sender, f"/app/sessions/{draft['sessionId']}/send")
    assert answer.headers["location"].endswith("?done=sent")


async def test_nobody_is_offered_what_their_role_does_not_allow(office: Office, draft: Made) -> None:
    things = await belongings(office, OWN)
    await office.service.http().delete(f"/api/v1/Session/{(await office.service.create())['sessionId']}")
    for role in Role:
        visitor = await come_in_as(office, role)
        shown = ["/app", "/app?tab=archived", "/app/organisation", "/app/templates"]
        shown += [f"/app/sessions/{session}" for session in (things["session_id"], draft["sessionId"])]
        shown.append(f"/app/templates/{things['template_id']}")
        for path in shown:
            page = await visitor.look(path)
            posted = {str(form["action"]) for form in page.all("form") if form.get("method") == "post"}
            if role is Role.VIEWER:
                assert posted <= FOR_ALL, path
            for link in page.links():
                if re.match(r"/app(?!/sign-in)", link):
                    assert (await visitor.browser.get(link)).status_code != 403, (role, path, link)


async def test_a_connected_app_gets_no_more_than_its_user_may(office: Office) -> None:
    program = await Program(office).register()
    viewer = await come_in_as(office, Role.VIEWER)

    tokens = await program.connect(viewer, form={"scope": ["read:sessions", "write:sessions"]})

    assert tokens["scope"] == "read:sessions"
    page = await viewer.look(program.question(scope="read:sessions write:sessions"))
    assert "Create and send sessions" not in page.words


async def test_an_app_that_asks_for_nothing_the_user_may_is_refused(office: Office) -> None:
    program = await Program(office).register()
    viewer = await come_in_as(office, Role.VIEWER)

    await viewer.look(program.question(scope="write:sessions"), status=400)

    await program.connect(viewer, form={"scope": ["read:sessions"]})
    answer = await viewer.browser.get(program.question(scope="write:sessions"))
    assert parameters(answer)["error"] == "access_denied"


async def test_a_connected_app_loses_access_when_the_role_of_its_user_changes(office: Office) -> None:
    program = await Program(office).register()
    sender = await come_in_as(office, Role.SENDER)
    user = next(one for one in await office.service.users.list(ORGANISATION) if one.role is Role.SENDER)
    tokens = await program.connect(sender)
    headers = {"Authorization": f"Bearer {tokens['access_token']}"}
    archive = f"/api/v1/Session/{identifier('none')}"
    assert (await program.http.delete(archive, headers=headers)).status_code == 404

    await office.service.users.change_role(user.user_id, Role.VIEWER)

    assert (await program.http.delete(archive, headers=headers)).status_code == 401
    assert await program.call(tokens) == 401
    assert (await program.refresh(tokens["refresh_token"])).json()["error"] == "invalid_grant"
