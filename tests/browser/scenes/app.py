"""The app: the way in, and every page in every state."""

import json
import sqlite3
from contextlib import closing

from playwright.async_api import Page

from cli.demo.examples import Example
from tests import http_requests
from tests.browser.app import enter, make_template, newcomer, path_of, request_link
from tests.browser.house import House, Sent
from tests.browser.visitor import Visitor
from tests.end_to_end.waiting import eventually

DEAD = "http://127.0.0.1:9/hooks"
"""No server listens there."""


async def sign_in(house: House, visitor: Visitor) -> None:
    await visitor.page.goto(f"{house.url}/app/sessions/x")


async def sign_in_again(house: House, visitor: Visitor) -> None:
    await sign_in(house, visitor)
    await visitor.page.get_by_role("button").click()
    await visitor.page.wait_for_selector("#email-problem")


async def sign_in_refused(house: House, visitor: Visitor) -> None:
    await sign_in(house, visitor)
    house.provider.error = "access_denied"
    await visitor.page.get_by_role("link", name="Continue with Acme").click()
    await visitor.page.get_by_role("alert").wait_for()
    house.provider.error = None


async def link_sent(house: House, visitor: Visitor) -> None:
    await sign_in(house, visitor)
    await visitor.page.get_by_label("Email address").fill("nobody@example.com")
    await visitor.page.get_by_role("button").click()
    await visitor.page.get_by_role("heading", name="Check your email").wait_for()


async def link_opened(house: House, visitor: Visitor) -> None:
    await sign_in(house, visitor)
    await visitor.page.goto(await request_link(house, visitor.page, newcomer(house)))


async def link_of_two_organisations(house: House, visitor: Visitor) -> None:
    email = "ivo@newcomers.example"
    if email not in house.kept:
        house.kept[email] = True
        for name in ("Harbour", "Finch"):
            added = house.installation.run("organisation", "add", name, "--json")
            house.installation.run("user", "add", json.loads(added.stdout)["organisationId"], email, "Ivo Newcomer")
    await sign_in(house, visitor)
    await visitor.page.goto(await request_link(house, visitor.page, email))


async def link_used(house: House, visitor: Visitor) -> None:
    await visitor.page.goto(f"{house.url}/app/sign-in/used")


async def no_sessions(house: House, visitor: Visitor) -> None:
    await enter(house, visitor, email=newcomer(house))


async def sessions(house: House, visitor: Visitor) -> None:
    _make_sessions(house)
    await enter(house, visitor)


async def sessions_chosen(house: House, visitor: Visitor) -> None:
    _make_sessions(house)
    page = await enter(house, visitor)
    for number in range(2):
        await page.get_by_role("checkbox", name="Select “").nth(number).check()
    await page.get_by_text("2 selected").wait_for()


async def several_archived(house: House, visitor: Visitor) -> None:
    sent = house.send()
    sent.link(sent.session.recipients[0].key)
    await enter(house, visitor, f"/app/bulk/archive?session={sent.id}&session={house.create().id}")


async def several_reminded(house: House, visitor: Visitor) -> None:
    sent = house.send()
    sent.link(sent.session.recipients[0].key)
    await enter(house, visitor, f"/app/bulk/remind?session={sent.id}&session={house.create().id}")


async def several_restored(house: House, visitor: Visitor) -> None:
    put_away = house.create()
    house.client.delete_session(put_away.id)
    await enter(house, visitor, f"/app/bulk/restore?session={put_away.id}")


async def several_not_done(house: House, visitor: Visitor) -> None:
    await enter(house, visitor, f"/app?bulk=archive&count=2&left={house.create().id}.already-archived")


def _make_sessions(house: House) -> None:
    """Sessions of each kind, once."""
    if "sessions" in house.kept:
        return
    house.kept["sessions"] = True
    house.completed()
    house.send(Example.NEW_STARTER, name="New starter form").sign("starter")
    house.send(name="Framework agreement for the supply of furniture", expiryDays=2)
    house.send(name="Agreement with Harbour & Finch", expiryDays=30)
    house.create(name="Draft to review")


async def sessions_not_found(house: House, visitor: Visitor) -> None:
    house.create()
    await enter(house, visitor, "/app?search=no+such+name&since=2026-01-01")


async def sessions_archived(house: House, visitor: Visitor) -> None:
    house.client.delete_session(house.create(name="Put away").id)
    await enter(house, visitor, "/app?tab=archived")


async def draft(house: House, visitor: Visitor) -> None:
    made = house.create(Example.NEW_STARTER, name="Draft to review", expiryDays=30)
    page = await enter(house, visitor, path_of(made))
    await page.locator(".asked summary").first.click()
    await _load_pictures(page)


async def draft_of_three_documents(house: House, visitor: Visitor) -> None:
    [file] = house.request(Example.AGREEMENT)["files"]
    made = house.create(name="Three documents", files=[file, file, file])
    await _load_pictures(await enter(house, visitor, path_of(made)))


async def _load_pictures(page: Page) -> None:
    """Loads all pictures, including lazy ones."""
    await page.evaluate(
        "Promise.all([...document.images].map((picture) => { picture.loading = 'eager'; return picture.decode(); }))"
    )


async def sent(house: House, visitor: Visitor) -> None:
    made = house.send(Example.NEW_STARTER, reminderEnabled=True, expiryDays=30)
    made.link("starter")
    await enter(house, visitor, path_of(made))


async def menu_opened(house: House, visitor: Visitor) -> None:
    await sent(house, visitor)
    await visitor.page.locator("#more summary").click()


async def menu_of_a_recipient(house: House, visitor: Visitor) -> None:
    await sent(house, visitor)
    await visitor.page.locator(".stepper .menu summary").first.click()


async def partly_signed(house: House, visitor: Visitor) -> None:
    made = house.send(Example.NEW_STARTER)
    made.sign("starter")
    await enter(house, visitor, path_of(made))


async def completed(house: House, visitor: Visitor) -> None:
    await enter(house, visitor, path_of(house.completed()))


async def entered_values(house: House, visitor: Visitor) -> None:
    await enter(house, visitor, f"{path_of(house.completed())}/values")


async def archived(house: House, visitor: Visitor) -> None:
    made = house.send()
    house.client.delete_session(made.id)
    await enter(house, visitor, f"{path_of(made)}?done=archived")


async def declined(house: House, visitor: Visitor) -> None:
    made = house.send()
    page = await visitor.open_link(made.link("client"))
    await page.click(".instead a")
    await page.fill("#reason", "The fee is too low.")
    await page.click("main button")
    await page.wait_for_url("**/signing/*")
    await enter(house, visitor, path_of(made))


async def conflict(house: House, visitor: Visitor) -> None:
    await enter(house, visitor, f"{path_of(house.send())}?error=not-a-draft")


async def pages(house: House, visitor: Visitor) -> None:
    made = house.send(Example.NEW_STARTER)
    await _load_pictures(await enter(house, visitor, f"{path_of(made)}/pages/{made.session.files[0].file_id}"))


async def deleting(house: House, visitor: Visitor) -> None:
    await enter(house, visitor, f"{path_of(house.create())}/delete")


async def deleting_by_another_name(house: House, visitor: Visitor) -> None:
    await deleting(house, visitor)
    await visitor.page.get_by_label("type the session’s name").fill("another")
    await visitor.page.get_by_role("button", name="Delete permanently").click()
    await visitor.page.wait_for_selector("#typed-problem")


def pause_receiver(house: House) -> Sent:
    """A session whose receiver is paused."""
    file = house.installation.data_dir / "undersign.db"

    def ask(question: str, *values: str) -> bool:
        with closing(sqlite3.connect(file, timeout=http_requests.PATIENCE)) as database, database:
            return database.execute(question, values).fetchone() is not None

    house.send(callbackUrl=DEAD)
    eventually(lambda: ask("SELECT 1 FROM callback_receivers"), "the receiver has failed")
    ask("UPDATE callback_receivers SET paused_since = failing_since WHERE paused_since IS NULL")
    held = house.send(callbackUrl=DEAD)
    question = "SELECT 1 FROM callbacks WHERE session_id = ? AND is_held"
    eventually(lambda: ask(question, held.id), "the next callback is held")
    return held


async def callbacks(house: House, visitor: Visitor) -> None:
    await enter(house, visitor, path_of(pause_receiver(house)))


async def templates(house: House, visitor: Visitor) -> None:
    make_template(house, active=True)
    await enter(house, visitor, "/app/templates")


async def no_templates(house: House, visitor: Visitor) -> None:
    await enter(house, visitor, "/app/templates", email=newcomer(house))


async def template_draft(house: House, visitor: Visitor) -> None:
    await _load_pictures(await enter(house, visitor, make_template(house, active=False)))


async def template_active(house: House, visitor: Visitor) -> None:
    await _load_pictures(await enter(house, visitor, make_template(house, active=True)))


async def organisation(house: House, visitor: Visitor) -> None:
    pause_receiver(house)
    await enter(house, visitor, "/app/organisation")


async def nothing_here(house: House, visitor: Visitor) -> None:
    await enter(house, visitor, "/app/sessions/none")
