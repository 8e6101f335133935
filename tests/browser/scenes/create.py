"""New sessions and templates in the app: the choice, the form, the JSON editor, and versions of templates."""

import json

from cli.demo.examples import Example
from tests.browser.app import enter, make_template, newcomer
from tests.browser.house import House
from tests.browser.visitor import Visitor


async def new_session(house: House, visitor: Visitor) -> None:
    make_template(house, active=True)
    await enter(house, visitor, "/app/new")


async def new_session_without_templates(house: House, visitor: Visitor) -> None:
    await enter(house, visitor, "/app/new", email=newcomer(house))


async def new_session_form(house: House, visitor: Visitor) -> None:
    await enter(house, visitor, make_template(house, active=True).replace("/templates/", "/new/"))


async def new_session_form_refused(house: House, visitor: Visitor) -> None:
    await new_session_form(house, visitor)
    await visitor.page.get_by_label("Monthly rent").fill("much")
    await visitor.page.get_by_role("button", name="Create draft").click()
    await visitor.page.get_by_role("alert").wait_for()


async def new_json(house: House, visitor: Visitor) -> None:
    page = await enter(house, visitor, "/app/new/json")
    await page.get_by_label("JSON", exact=True).fill(
        json.dumps(json.loads(Example.NEW_STARTER.request.read_text(encoding="utf-8")), indent=2)
    )
    await page.get_by_role("button", name="Preview").click()
    await page.get_by_role("button", name="Next page").wait_for()


async def new_json_refused(house: House, visitor: Visitor) -> None:
    page = await enter(house, visitor, "/app/new/json")
    text = page.get_by_label("JSON", exact=True)
    wrong = (await text.input_value()).replace('"title": "Consulting agreement"', '"title": ""')
    await text.fill(wrong.replace('"recipient": "client"', '"recipient": "nobody"').replace('"ada@', '"ada'))
    await page.get_by_role("button", name="Create draft").click()
    await page.get_by_role("heading", name="issues to correct").wait_for()


async def template_edited(house: House, visitor: Visitor) -> None:
    await enter(house, visitor, f"{make_template(house, active=True)}/edit")


async def template_edited_refused(house: House, visitor: Visitor) -> None:
    await template_edited(house, visitor)
    text = visitor.page.get_by_label("JSON", exact=True)
    await text.fill((await text.input_value()).replace("Residential Lease", ""))
    await visitor.page.get_by_role("button", name="Save").click()
    await visitor.page.get_by_role("heading", name="to correct").wait_for()


async def template_archived(house: House, visitor: Visitor) -> None:
    page = await enter(house, visitor, make_template(house, active=True))
    await page.get_by_role("button", name="Archive").click()
    await page.get_by_role("status").first.wait_for()


async def template_next_version(house: House, visitor: Visitor) -> None:
    page = await enter(house, visitor, f"{make_template(house, active=True)}/edit")
    await page.get_by_role("button", name="Save").click()
    await page.get_by_role("status").first.wait_for()


async def template_with_next_version(house: House, visitor: Visitor) -> None:
    await template_next_version(house, visitor)
    await visitor.page.goto(visitor.page.url.partition("/next")[0])


async def template_deleted(house: House, visitor: Visitor) -> None:
    await enter(house, visitor, f"{make_template(house, active=True)}/delete")


async def template_renamed_to_nothing(house: House, visitor: Visitor) -> None:
    page = await enter(house, visitor, make_template(house, active=True))
    await page.locator("summary", has_text="Rename").click()
    await page.get_by_label("New name").fill(" ")
    await page.get_by_role("button", name="Rename").click()
    await page.get_by_role("alert").wait_for()
