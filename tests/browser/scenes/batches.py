"""Batches in the app: the upload of a CSV file, its issues, the progress and the results."""

from playwright.async_api import Page

from tests.browser.app import enter, make_template, newcomer
from tests.browser.house import House
from tests.browser.visitor import Visitor

_HEADS = "tenantName,tenant.email,address,startDate,rent\n"
_LINES = (
    'Ingrid Solheim,ingrid@example.com,"Nordnesveien 12, Bergen",2026-09-01,"1,250.00"\n'
    'Tomás Rivera,tomas@example.com,"Nordnesveien 14, Bergen",2026-10-01,"1,310.00"\n'
)


async def batch_new(house: House, visitor: Visitor) -> None:
    await enter(house, visitor, make_template(house, active=True).replace("/templates/", "/batches/new/"))


async def batch_preview(house: House, visitor: Visitor) -> None:
    await _upload(house, visitor, _HEADS + _LINES)
    await visitor.page.get_by_role("button", name="Create and send").wait_for()


async def batch_preview_refused(house: House, visitor: Visitor) -> None:
    await _upload(house, visitor, _HEADS + _LINES.replace("2026-09-01", "soon").replace("tomas@", ""))
    await visitor.page.get_by_role("alert").wait_for()


async def batch_completed(house: House, visitor: Visitor) -> None:
    await batch_preview(house, visitor)
    await visitor.page.get_by_role("button", name="Create as drafts").click()
    await visitor.page.get_by_text("2 of 2 sessions created").wait_for(timeout=60_000)


async def batch_refused(house: House, visitor: Visitor) -> None:
    await _upload(house, visitor, _HEADS + _LINES.replace("Ingrid Solheim", "\U000105c0 Solheim"))
    await visitor.page.get_by_role("button", name="Create and send").click()
    await visitor.page.get_by_text("No session was created").wait_for(timeout=60_000)


async def batches(house: House, visitor: Visitor) -> None:
    await batch_completed(house, visitor)
    await visitor.page.get_by_role("link", name="All batches").click()
    await visitor.page.get_by_role("table").wait_for()


async def no_batches(house: House, visitor: Visitor) -> None:
    await enter(house, visitor, "/app/batches", email=newcomer(house))


async def _upload(house: House, visitor: Visitor, file: str) -> Page:
    await batch_new(house, visitor)
    content = {"name": "leases.csv", "mimeType": "text/csv", "buffer": file.encode()}
    await visitor.page.get_by_label("CSV file").set_input_files(content)
    await visitor.page.get_by_role("button", name="Check the file").click()
    return visitor.page
