"""The page that checks PDFs, by hand and by dropping."""

from base64 import b64encode
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.browser.house import House
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.installation]

_DROP = """([content, name]) => {
  const bytes = Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0));
  const dropped = new DataTransfer();
  dropped.items.add(new File([bytes], name, { type: "application/pdf" }));
  for (const kind of ["dragenter", "dragover", "drop"]) {
    const event = new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: dropped });
    document.querySelector("footer").dispatchEvent(event);
  }
}"""


async def test_a_document_and_its_certificate_that_are_dropped_anywhere_are_checked(
    house: House, desk: Visitor
) -> None:
    certificate = house.client.get_certificate(house.completed().id)
    await desk.page.goto(f"{house.url}/verify")

    await desk.page.evaluate(_DROP, [b64encode(certificate).decode(), "Certificate.pdf"])

    await expect(desk.page.get_by_role("heading", name="Genuine")).to_be_visible()
    await expect(desk.page.locator(".verdict .file")).to_have_text("Certificate.pdf")


async def test_a_file_that_is_too_large_is_refused_before_it_is_sent(
    house: House, desk: Visitor, tmp_path: Path
) -> None:
    large = tmp_path / "a.pdf"
    large.write_bytes(bytes(25_000_001))
    await desk.page.goto(f"{house.url}/verify")
    await desk.page.set_input_files("#file", large)

    await desk.page.get_by_role("button", name="Check").click()

    await expect(desk.page.get_by_role("alert")).to_contain_text("25")
    await expect(desk.page.locator("#file")).to_have_attribute("aria-invalid", "true")
    assert desk.page.url.endswith("/verify")
