"""The pages of administrators, and what others see there."""

import json

from tests.browser.app import enter, fresh_link, newcomer, request_link
from tests.browser.house import House
from tests.browser.scenes.app import DEAD, pause_receiver
from tests.browser.visitor import Visitor

HERE = "/app/organisation"


async def users(house: House, visitor: Visitor) -> None:
    page = await enter(house, visitor, f"{HERE}/users", email=newcomer(house))
    if await page.get_by_text("grace@newcomers.example").count():
        return
    await page.get_by_role("link", name="Invite a user").click()
    await page.get_by_label("Full name").fill("Grace Hopper")
    await page.get_by_label("Email address").fill("grace@newcomers.example")
    await page.get_by_label("Viewer").check()
    await page.get_by_role("button", name="Send invitation").click()
    await page.get_by_role("status").wait_for()  # the script takes `done` out of the address
    fresh_link(house)  # so that nobody else signs in with it


async def invitation(house: House, visitor: Visitor) -> None:
    await enter(house, visitor, f"{HERE}/users/new", email=newcomer(house))


async def invitation_refused(house: House, visitor: Visitor) -> None:
    await invitation(house, visitor)
    await visitor.page.get_by_label("Email address").fill("nowhere")
    await visitor.page.get_by_role("button", name="Send invitation").click()
    await visitor.page.wait_for_selector("#email-problem")


async def user(house: House, visitor: Visitor) -> None:
    await users(house, visitor)
    await visitor.page.get_by_role("listitem").filter(has_text="Grace Hopper").get_by_role("link").click()
    await visitor.page.get_by_role("heading", name="Grace Hopper").wait_for()


async def choice_with_invitation(house: House, visitor: Visitor) -> None:
    """A user of one organisation whom another one of the same name has invited."""
    email = "robin@twins.example"
    if email not in house.kept:
        for number in (1, 2):
            added = house.installation.run("organisation", "add", "Twins & Sons", "--same-name", "--json")
            owner = json.loads(added.stdout)["organisationId"]
            if number == 2:
                house.installation.run("user", "add", owner, "joan@twins.example", "Joan Twin")
            house.installation.run("user", "add", owner, email, "Robin Twin")
        house.kept[email] = True
    page = visitor.page
    await page.goto(f"{house.url}/app/sign-in")
    await page.goto(await request_link(house, page, email))
    await page.get_by_role("button", name="Decline").wait_for()


async def sign_ins(house: House, visitor: Visitor) -> None:
    await enter(house, visitor, "/app/sign-ins")


async def own_user(house: House, visitor: Visitor) -> None:
    page = await enter(house, visitor, f"{HERE}/users")
    await page.get_by_role("listitem").filter(has_text="you").get_by_role("link").click()
    await page.get_by_role("heading", name="Signed-in browsers").wait_for()


async def clients(house: House, visitor: Visitor) -> None:
    await enter(house, visitor, f"{HERE}/clients")


async def no_clients(house: House, visitor: Visitor) -> None:
    await enter(house, visitor, f"{HERE}/clients", email=newcomer(house))


async def new_client(house: House, visitor: Visitor) -> None:
    await enter(house, visitor, f"{HERE}/clients/new")


async def new_client_refused(house: House, visitor: Visitor) -> None:
    await new_client(house, visitor)
    for box in await visitor.page.get_by_role("checkbox").all():
        await box.uncheck()
    await visitor.page.get_by_role("button", name="Create").click()
    await visitor.page.wait_for_selector("#scope-problem")


async def client_secret(house: House, visitor: Visitor) -> None:
    await new_client(house, visitor)
    await visitor.page.get_by_label("Name").fill("Payroll")
    await visitor.page.get_by_role("button", name="Create").click()
    await visitor.page.get_by_role("heading", name="Save the secret now").wait_for()


async def client(house: House, visitor: Visitor) -> None:
    await client_secret(house, visitor)
    await visitor.page.get_by_role("link", name="I’ve saved it").click()
    await visitor.page.get_by_role("heading", name="Payroll").wait_for()


async def client_refused(house: House, visitor: Visitor) -> None:
    await client(house, visitor)
    await visitor.page.locator("[value='write:sessions']").check()  # a client that sends may have a limit
    await visitor.page.get_by_role("button", name="Save").first.click()
    await visitor.page.get_by_role("status").wait_for()
    await visitor.page.get_by_label("Only to addresses at these domains").fill("nowhere")
    await visitor.page.get_by_role("button", name="Save").nth(1).click()
    await visitor.page.wait_for_selector("#domains-problem")


async def client_revoked(house: House, visitor: Visitor) -> None:
    await client(house, visitor)
    await visitor.page.get_by_role("button", name="Revoke permanently").click()
    await visitor.page.get_by_role("status").wait_for()


async def webhooks(house: House, visitor: Visitor) -> None:
    pause_receiver(house)
    page = await enter(house, visitor, f"{HERE}/webhooks")
    await page.get_by_label("Address of the receiver").fill(DEAD)
    await page.get_by_role("button", name="Send test").click()
    await page.get_by_text("The test failed:").wait_for()


async def webhook_secrets(house: House, visitor: Visitor) -> None:
    page = await enter(house, visitor, f"{HERE}/webhooks", email=newcomer(house))
    await page.get_by_role("button", name="Create a new secret").click()
    await page.get_by_role("status").wait_for()


async def settings(house: House, visitor: Visitor) -> None:
    await enter(house, visitor, f"{HERE}/settings")


async def settings_refused(house: House, visitor: Visitor) -> None:
    await settings(house, visitor)
    await visitor.page.get_by_label("Name of the organisation").fill(" ")
    await visitor.page.get_by_role("button", name="Save").click()
    await visitor.page.wait_for_selector("#name-problem")


async def not_allowed(house: House, visitor: Visitor) -> None:
    await enter(house, visitor, f"{HERE}/users", email=viewer(house))


async def overview_of_a_viewer(house: House, visitor: Visitor) -> None:
    await enter(house, visitor, HERE, email=viewer(house))


def viewer(house: House) -> str:
    """The address of a user who may only look."""
    email = "vera@harbourfinch.example"
    if email not in house.kept:
        owner = house.installation.dev_info.organisation_id
        house.installation.run("user", "add", owner, email, "Vera Viewer", "--role", "viewer")
        house.kept[email] = True
    return email
