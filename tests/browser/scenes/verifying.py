"""The page that checks PDFs."""

from pathlib import Path
from tempfile import TemporaryDirectory

from tests.browser.house import House
from tests.browser.visitor import Visitor


async def verify(house: House, visitor: Visitor) -> None:
    await visitor.page.goto(f"{house.url}/verify")


async def _check(visitor: Visitor, house: House, pdf: bytes) -> None:
    await verify(house, visitor)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "certificate.pdf"
        file.write_bytes(pdf)
        await visitor.page.set_input_files("#file", file)
        await visitor.page.click(".drop + button")
        await visitor.page.wait_for_selector(".verdict")


async def verify_genuine(house: House, visitor: Visitor) -> None:
    await _check(visitor, house, house.client.get_certificate(house.completed().id))


async def verify_changed(house: House, visitor: Visitor) -> None:
    pdf = house.client.get_certificate(house.completed().id)
    await _check(visitor, house, pdf[:9000] + b"x" + pdf[9001:])


async def verify_not_readable(house: House, visitor: Visitor) -> None:
    await _check(visitor, house, b"no pdf")
