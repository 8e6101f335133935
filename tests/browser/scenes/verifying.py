"""The page that checks PDFs."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.browser.house import House
from tests.browser.scenes.scene import Scene
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


def _certificate(house: House) -> bytes:
    """Of a session that both have signed."""
    sent = house.send()
    sent.sign("client")
    sent.sign("consultant")
    sent.await_documents()
    return house.client.read_certificate(sent.id)


async def genuine(house: House, visitor: Visitor) -> None:
    await _check(visitor, house, _certificate(house))


async def changed(house: House, visitor: Visitor) -> None:
    pdf = _certificate(house)
    await _check(visitor, house, pdf[:9000] + b"x" + pdf[9001:])


async def not_readable(house: House, visitor: Visitor) -> None:
    await _check(visitor, house, b"no pdf")


SCENES: Mapping[str, Scene] = {
    "verify": verify,
    "verify-genuine": genuine,
    "verify-changed": changed,
    "verify-not-readable": not_readable,
}
