"""Pages of an organisation with a logo, a colour and links, and pages that say what withdrawing and restoring do."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cli.demo.examples import Example
from tests.browser.app import enter, newcomer, path_of
from tests.browser.house import House
from tests.browser.visitor import Visitor
from tests.layout.pictures import encoded, shades

APPEARANCE = "/app/organisation/appearance"
SETTINGS = {
    "accent": "#ffd400",
    "name": "Harbour & Finch Legal",
    "imprint": "https://harbourfinch.example/imprint",
    "privacy": "https://harbourfinch.example/privacy",
}


@contextmanager
def _identity(house: House) -> Iterator[None]:
    """The organisation of all scenes has an identity for the duration of the block."""
    organisation = house.installation.dev_info.organisation_id
    logo = Path(house.installation.data_dir) / "logo.png"
    logo.write_bytes(encoded(shades(960, 224)))
    run = house.installation.run
    run("organisation", "logo", organisation, str(logo))
    run("organisation", "appearance", organisation, *(f"{name}={value}" for name, value in SETTINGS.items()))
    try:
        yield
    finally:
        run("organisation", "logo", organisation, "--remove")
        run("organisation", "appearance", organisation, *(f"{name}=" for name in SETTINGS))


async def branded_invitation(house: House, visitor: Visitor) -> None:
    with _identity(house):
        await visitor.page.goto(house.send(Example.NEW_STARTER, expiryDays=30).link("starter"))


async def branded_signing(house: House, visitor: Visitor) -> None:
    with _identity(house):
        await visitor.open_link(house.send(Example.NEW_STARTER).link("starter"))


async def withdrawn_with_a_reason(house: House, visitor: Visitor) -> None:
    made = house.send()
    link = made.link("client")
    house.client.delete_session(made.id, reason="The fee was wrong. A new draft follows.")
    with _identity(house):
        await visitor.page.goto(link)


async def app_appearance(house: House, visitor: Visitor) -> None:
    page = await enter(house, visitor, APPEARANCE, email=newcomer(house))
    await page.fill("#accent", "#ffd400")
    await page.fill("#sender_name", "Newcomers Legal")
    await page.get_by_role("button", name="Save").click()
    await page.get_by_role("status").wait_for()


async def app_appearance_refused(house: House, visitor: Visitor) -> None:
    page = await enter(house, visitor, APPEARANCE, email=newcomer(house))
    await page.fill("#accent", "red")
    await page.fill("#imprint_url", "harbourfinch.example")
    await page.get_by_role("button", name="Save").click()
    await page.wait_for_selector("#imprint_url-problem")


async def app_notifications(house: House, visitor: Visitor) -> None:
    await enter(house, visitor, "/app/notifications")


async def app_notifications_saved(house: House, visitor: Visitor) -> None:
    await app_notifications(house, visitor)
    await visitor.page.get_by_role("button", name="Save").click()
    await visitor.page.get_by_role("status").wait_for()


async def app_withdrawing(house: House, visitor: Visitor) -> None:
    made = house.send(reminderEnabled=True)
    made.link("client")
    await enter(house, visitor, f"{path_of(made)}/archive")


async def app_withdrawing_with_too_long_a_reason(house: House, visitor: Visitor) -> None:
    await app_withdrawing(house, visitor)
    reason = visitor.page.get_by_label("Reason")
    await reason.evaluate("area => area.removeAttribute('maxlength')")
    await reason.fill("The fee was wrong. " * 60)
    await visitor.page.get_by_role("button", name="Withdraw").click()
    await visitor.page.wait_for_selector("#reason-problem")


async def app_restoring(house: House, visitor: Visitor) -> None:
    made = house.send()
    made.link("client")
    house.client.delete_session(made.id)
    await enter(house, visitor, f"{path_of(made)}/restore")


async def app_deleting_an_open_one(house: House, visitor: Visitor) -> None:
    made = house.send()
    made.link("client")
    await enter(house, visitor, f"{path_of(made)}/delete")
