"""The front door and the outbox."""

from tests.browser.house import House
from tests.browser.visitor import Visitor


async def start(house: House, visitor: Visitor) -> None:
    await visitor.page.goto(house.url)


async def help_page(house: House, visitor: Visitor) -> None:
    await visitor.page.goto(f"{house.url}/help")


async def help_with_tables(house: House, visitor: Visitor) -> None:
    await visitor.page.goto(f"{house.url}/help/block-documents")


async def outbox(house: House, visitor: Visitor) -> None:
    house.send().link("client")
    await visitor.page.goto(f"{house.url}/outbox")


async def outbox_mail(house: House, visitor: Visitor) -> None:
    await outbox(house, visitor)
    await visitor.page.click(".mails a")
    await visitor.page.wait_for_url("**/outbox/*.eml")


async def nothing_here(house: House, visitor: Visitor) -> None:
    await visitor.page.goto(f"{house.url}/outbox/none.eml")


async def no_such_page(house: House, visitor: Visitor) -> None:
    await visitor.page.goto(f"{house.url}/nothing")
