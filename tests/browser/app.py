"""People of organisations in their browsers: signed in to the app of a running installation."""

import asyncio
import json
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from playwright.async_api import Page

from cli.demo.examples import Example
from tests.browser.house import House, Sent
from tests.browser.visitor import Visitor
from tests.end_to_end.access import sign_in_link
from tests.end_to_end.waiting import eventually

_KEPT: dict[tuple[str, str], list[Any]] = {}
"""The cookies of signed-in users, by installation and address."""

_USED: set[str] = set()


def fresh_link(house: House) -> str:
    """The link of the latest sign-in mail, as soon as it has arrived."""

    def find() -> str | None:
        link = sign_in_link(house.installation.dev_info.outbox_dir)
        return link if link not in _USED else None

    link = eventually(find, "the link is there")
    _USED.add(link)
    return link


async def request_link(house: House, page: Page, email: str | None = None) -> str:
    """Fills in the form for signing in, which the page shows; the link. Waits while one address has had too many."""
    form = page.url
    while True:
        await page.get_by_label("Email address").fill(email or house.installation.dev_info.user_email)
        async with page.expect_response(lambda answer: answer.request.method == "POST") as posted:
            await page.get_by_role("button", name="Send me a link").click()
        answer = await posted.value
        if answer.status != HTTPStatus.TOO_MANY_REQUESTS:
            break
        await asyncio.sleep(int(answer.headers["retry-after"]))
        await page.goto(form)
    await page.get_by_role("heading", name="Check your email").wait_for()
    return fresh_link(house)


async def enter(house: House, visitor: Visitor, path: str = "/app", email: str | None = None) -> Page:
    """The page at `path` for a signed-in user."""
    page, who = visitor.page, (house.url, email or house.installation.dev_info.user_email)
    if who in _KEPT:
        await page.context.add_cookies(_KEPT[who])
    else:
        await page.goto(f"{house.url}/app/sign-in")
        await page.goto(await request_link(house, page, email))
        await page.get_by_role("button").first.click()  # signs in, or accepts the invitation
        await page.wait_for_url("**/app")
        _KEPT[who] = await page.context.cookies()
    await page.goto(f"{house.url}{path}")
    return page


def path_of(sent: Sent) -> str:
    return f"/app/sessions/{sent.id}"


def newcomer(house: House) -> str:
    """The address of a user in an empty organisation."""
    email = "ida@newcomers.example"
    if email not in house.kept:
        added = house.installation.run("organisation", "add", "Newcomers", "--json")
        owner = json.loads(added.stdout)["organisationId"]
        house.installation.run("user", "add", owner, email, "Ida Newcomer")
        house.kept[email] = owner
    return email


def make_template(house: House, *, active: bool) -> str:
    """The path of a template."""
    lease = json.loads(Example.AGREEMENT.request.with_name("lease-template.json").read_text(encoding="utf-8"))
    answer = house.http.post("/api/v1/Template", json={**lease, "activate": active})
    return f"/app/templates/{quote(answer.raise_for_status().json()['templateId'])}"
