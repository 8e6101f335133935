"""Pages as they are looked at in the app: the draft before it is sent, and any session's documents later."""

import gzip
from typing import Any

import pytest

from domain.shared.ids import SessionId
from tests.api.service import document, session_request
from tests.application.uploads import pdfs
from tests.builders import audit, submission
from tests.web.app.office import Office
from tests.web.app.test_session_page import path_of

PICTURE = "/pages/"


async def draft(office: Office, **changes: Any) -> dict[str, Any]:
    return await office.service.create(**changes)


def pictures(links: list[Any]) -> list[str]:
    return [str(image["src"]) for image in links if PICTURE in str(image["src"])]


async def test_the_address_of_a_draft_leads_to_its_pages_with_what_each_fills_in(office: Office) -> None:
    made = await draft(office)
    path = made["draftUrl"].removeprefix("http://sign.example.com")

    page = await (await office.come_in()).look(path)

    words = " ".join(page.words.split())
    assert len(pictures(page.all("img"))) == 1
    assert len(page.all("rect")) == 4  # the input, and name, date and signature
    assert "Filled in by Ada Lovelace" in words
    assert "Purchase order text, required, page 1 Ada Lovelace" in words
    assert "For the client signature, required, page 1" in words


async def test_a_page_is_a_picture_that_the_browser_may_keep(office: Office) -> None:
    made = await draft(office)
    ada = await office.come_in()
    [address] = pictures((await ada.look(path_of(made))).all("img"))

    answer = await ada.browser.get(address)

    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.content.startswith((b"<svg", b"<?xml")) or gzip.decompress(answer.content)
    assert answer.headers["cache-control"] == "private, max-age=43200, immutable"
    assert "default-src 'none'" in answer.headers["content-security-policy"]


async def test_what_is_sent_has_its_pages_on_a_page_of_their_own(office: Office) -> None:
    made = await draft(office, sendImmediately=True)
    ada = await office.come_in()
    file_id = made["files"][0]["fileId"]

    assert not pictures((await ada.look(path_of(made))).all("img"))
    assert path_of(made, "pages", file_id) in (await ada.look(path_of(made))).links()
    assert len(pictures((await ada.look(path_of(made, "pages", file_id))).all("img"))) == 1


async def test_places_of_whoever_has_signed_are_not_marked_any_more(office: Office) -> None:
    made = await draft(office, sendImmediately=True)
    session = office.service.sessions.held[SessionId(made["sessionId"])]
    await office.service.sessions.take(session.sign(session.recipients[0].recipient_id, submission("ada"), audit()))

    page = await (await office.come_in()).look(path_of(made, "pages", made["files"][0]["fileId"]))

    assert not page.all("rect")


async def test_an_uploaded_pdf_is_looked_at_without_places(office: Office) -> None:
    terms = {"file": ("terms.pdf", pdfs.pdf(), "application/pdf")}
    uploaded = (await office.service.http().post("/api/v1/File", files=terms)).json()
    files = [
        {"type": "blocks", "document": document()},
        {"type": "uploadedPdf", "fileId": uploaded["fileId"]},
    ]
    made = (await office.service.http().post("/api/v1/Session", json=session_request(files=files))).json()
    ada = await office.come_in()

    page = await ada.look(path_of(made, "pages", made["files"][1]["fileId"]))
    [address] = pictures(page.all("img"))

    assert not page.all("rect")
    assert (await ada.browser.get(address)).headers["content-type"] == "image/png"


@pytest.mark.parametrize("number", ["0", "2", "-1", "x"])
async def test_there_is_no_other_page(office: Office, number: str) -> None:
    made = await draft(office)
    ada = await office.come_in()

    answer = await ada.browser.get(path_of(made, "pages", made["files"][0]["fileId"], number))

    assert answer.status_code == 404
