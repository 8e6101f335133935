"""Every form of the app: posted twice it takes effect once, and a wrong entry is shown again, with what is wrong.

The forms are found by following the links of the app, of an organisation that has something in each state.
"""

import re
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
from fastapi.routing import iter_route_contexts

from api import app
from domain.session.session import Session
from domain.shared.ids import SessionId, UserId
from domain.shared.roles import Role
from tests.api.service import Service
from tests.api.templates import make
from tests.builders import NOON, ORGANISATION, audit, identifier
from tests.web.app.office import ADA, Office, Visitor
from tests.web.app.test_batch_pages import FILE
from tests.web.app.test_batch_pages import create as create_batch
from tests.web.app.test_new_session import FILLED
from tests.web.app.test_organisation_page import pause
from tests.web.forms import Entries, Form, read_forms
from tests.web.html import Page

ELSEWHERE = {
    "/app/sign-in",  # without a user
    "/app/sign-in/{secret}",
    "/app/sign-in/provider/organisation",
    "/app/authorize",  # asked by programs
    "/app/organisation/end",
    "/app/new/json/preview",  # posted by a script
    "/app/templates/preview",
    "/app/batches/new/{template_id}",  # after an upload
    "/app/organisation/appearance/logo/remove",
    "/app/organisation/webhooks/redeliver",  # after an attempt of a callback
    "/app/sessions/{session_id}/resume",  # of a receiver of this session
}
"""Routes whose forms no link leads to. Their own tests post them."""

REPEATED = "/sign-here"
"""Each post makes an address with a secret of its own, which is stored nowhere. One that is not opened expires."""

LONG, CONTROL = "x" * 30_000, "\0a"
PAGES_OF_A_KIND = 8


async def furnish(office: Office, ada: Visitor) -> None:
    """Has the organisation possess sessions, templates, batches and users in each state."""
    service = office.service
    await pause(office, ORGANISATION)
    await service.create()
    await service.create(callbackUrl="https://hooks.example.com/x", expiryDays=30, sendImmediately=True)
    lost, declined, archived = [await _sent(service) for _ in range(3)]
    first = lost.recipients[0].recipient_id
    await service.sessions.take(lost.fail_invitation(first, 1, "550 no such user", audit()))
    await service.sessions.take(declined.decline(declined.recipients[0].recipient_id, "no", audit()))
    await service.sessions.take(archived.archive(audit()))
    lease, _, former = [str((await make(service, activate=active))["templateId"]) for active in (True, False, True)]
    edit = f"/app/templates/{lease}/edit"
    await ada.browser.post(edit, data={**(await ada.look(edit)).form(), "do": "create"})
    await ada.press(f"/app/templates/{former}/archive")
    for act in ("pause", "cancel"):
        rows = f"{FILE}{act},x,2026-07-01,g@example.com\n"  # another batch
        await ada.press(f"{await create_batch(ada, lease, rows)}/{act}")
    await ada.press("/app/organisation/users/new", name="New One", email="new@example.com", role="sender")
    bob = replace(ADA, user_id=UserId(identifier("bob")), email="bob@northwind.example", name="Bob", role=Role.SENDER)
    carol = replace(bob, user_id=UserId(identifier("carol")), email="carol@northwind.example", disabled_at=NOON)
    for user in (bob, carol):
        await service.users.add(user)
    for user in (ADA, bob):
        await office.come_in(user)


async def _sent(service: Service) -> Session:
    return service.sessions.held[SessionId((await service.create(sendImmediately=True))["sessionId"])]


@pytest.fixture
async def furnished(office: Office, ada: Visitor) -> Office:
    await furnish(office, ada)
    return office


async def find_forms(office: Office, ada: Visitor) -> AsyncIterator[tuple[str, Form]]:
    """Each form of the app, and the page that it was found on."""
    chosen = "&".join(f"session={session_id}" for session_id in office.service.sessions.held)
    paths = deque(["/app", *(f"/app/bulk/{act}?{chosen}" for act in ("archive", "remind", "restore"))])
    known, counts, found = set(paths), dict[str, int](), set[tuple[str, ...]]()
    while paths:
        path = paths.popleft()
        kind = _kind(path.partition("?")[0])
        counts[kind] = counts.get(kind, 0) + 1
        if counts[kind] > PAGES_OF_A_KIND:
            continue
        answer = await ada.browser.get(path, follow_redirects=path == "/app")
        if answer.status_code != 200 or "text/html" not in answer.headers.get("content-type", ""):
            continue
        for form in read_forms(answer.text):
            name = (_kind(form.path), *form.texts, str(len(form.presses)))
            if name not in found and not form.has_file:
                found.add(name)
                yield path, form
        links = [link.partition("#")[0] for link in Page(answer.text).links()]
        fresh = [link for link in dict.fromkeys(links) if link.startswith("/app") and link not in known]
        known.update(fresh)
        paths.extend(fresh)


def _kind(path: str) -> str:
    return re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "ID", path)


async def _post(ada: Visitor, form: Form, entries: Entries) -> httpx.Response:
    headers = {"content-type": "application/x-www-form-urlencoded"}
    return await ada.browser.post(form.path, content=urlencode(entries), headers=headers)


def _state(service: Service) -> Any:
    """All that is stored and mailed."""
    content = service.database.save()
    tables = content.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'session_names%'")
    rows = {name: sorted(map(str, content.execute(f'SELECT * FROM "{name}"'))) for (name,) in tables.fetchall()}  # noqa: S608
    return rows, len(service.mailer.sent), dict(service.sessions.held), str(vars(service.deliveries))


async def _open(ada: Visitor, page: str, form: Form) -> Form:
    """The same form, opened anew."""
    forms = read_forms((await ada.browser.get(page)).text)
    return next(one for one in forms if (one.path, one.texts, one.presses) == (form.path, form.texts, form.presses))


async def test_every_form_posted_twice_takes_effect_once(furnished: Office, ada: Visitor) -> None:
    service, posted, effects = furnished.service, set[str](), 0
    forms = [found async for found in find_forms(furnished, ada)]
    saved = service.save()
    for page, form in forms:
        posted.add(form.path)
        for press in form.presses:
            if form.path.endswith(REPEATED):
                continue
            service.load(saved)
            opened, before = await _open(ada, page, form), _state(service)
            entries = opened.entries + press
            first = await _post(ada, form, entries)
            once = _state(service)
            again = await _post(ada, form, entries)

            assert _state(service) == once, f"{form.path} {press} took effect twice"
            effects += once != before
            if first.status_code == 303 and form.path != "/app/sign-out":
                assert again.headers.get("location") == first.headers["location"], f"{form.path} {press}"

    routes = {route.path for route in iter_route_contexts(app.ROUTES) if "POST" in (route.methods or ())}
    missed = {path for path in routes if path.startswith("/app") and not _is_posted(path, posted)} - ELSEWHERE
    uploads = {"/app/organisation/appearance/logo", "/app/batches/preview/{template_id}"}
    assert missed <= uploads
    assert effects > 40


def _is_posted(route: str, posted: set[str]) -> bool:
    pattern = re.compile(re.sub(r"\\{[^}]*\\}", "[^/]+", re.escape(route)))
    return any(pattern.fullmatch(path.partition("?")[0]) for path in posted)


async def test_every_form_keeps_its_entries_and_says_which_is_wrong(furnished: Office, ada: Visitor) -> None:
    tried = 0
    for page, form in [found async for found in find_forms(furnished, ada)]:
        for name in (each for each in form.texts if each != "value-note"):  # no text of the template has this value
            for wrong in (LONG, CONTROL):
                opened = await _open(ada, page, form)
                entries = [(each, value or FILLED.get(each, "Ada")) for each, value in opened.entries]
                entries = [(each, wrong if each == name else value) for each, value in entries]
                before, what = _state(furnished.service), f"{form.path} {name} {wrong[:5]!r}"

                answer = await _post(ada, form, entries + form.presses[0])

                assert answer.status_code == 422, what
                assert _state(furnished.service) == before, what
                [shown] = [one for one in read_forms(answer.text) if one.path == form.path and one.texts == form.texts]
                assert {**dict(shown.entries), "form": ""} == {**dict(entries), "form": ""}, what
                assert _is_marked(Page(answer.text), name), what
                tried += 1
    assert tried > 40


def _is_marked(page: Page, name: str) -> bool:
    """Whether the input is marked as wrong and described; for a value, the text that it is filled into is."""
    if name.startswith("value-"):
        return "Please correct:" in page.words
    control = page.input(name)
    return control.get("aria-invalid") == "true" and bool(control.get("aria-describedby"))
