"""Pages of documents in the app, of drafts and of sent sessions."""

import gzip
from typing import Any

import pytest

from domain.shared.ids import SessionId
from tests.api.service import document, session_request
from tests.application.uploads import pdfs
from tests.builders import audit, submission
from tests.web.app.office import Made, Office, Visitor
from tests.web.app.test_session_page import path_of

PICTURE = "/pages/"


def pictures(links: list[Any]) -> list[str]:
    return [str(image["src"]) for image in links if PICTURE in str(image["src"]) and image["alt"]]  # without thumbnails


async def test_the_address_of_a_draft_leads_to_its_pages_with_what_each_fills_in(ada: Visitor, draft: Made) -> None:
    path = draft["draftUrl"].removeprefix("http://sign.example.com")

    page = await ada.look(path)

    words = " ".join(page.words.split())
    assert len(pictures(page.all("img"))) == 1
    assert len(page.all("rect")) == 4  # the input, and name, date and signature
    assert "Filled in by Ada Lovelace" in words
    assert "Purchase order text, required, page 1 Ada Lovelace" in words
    assert "For the client signature, required, page 1" in words


async def test_a_page_is_a_picture_that_the_browser_may_keep(ada: Visitor, draft: Made) -> None:
    [address] = pictures((await ada.look(path_of(draft))).all("img"))

    answer = await ada.browser.get(address)

    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.content.startswith((b"<svg", b"<?xml")) or gzip.decompress(answer.content)
    assert answer.headers["cache-control"] == "private, max-age=43200, immutable"
    assert "default-src 'none'" in answer.headers["content-security-policy"]


async def test_a_sent_session_has_a_separate_page_for_its_documents(ada: Visitor, sent: Made) -> None:
    file_id = sent["files"][0]["fileId"]
    assert not pictures((await ada.look(path_of(sent))).all("img"))
    assert path_of(sent, "pages", file_id) in (await ada.look(path_of(sent))).links()
    assert len(pictures((await ada.look(path_of(sent, "pages", file_id))).all("img"))) == 1


async def test_fields_of_recipients_who_have_signed_are_not_marked(office: Office, ada: Visitor, sent: Made) -> None:
    session = office.service.sessions.held[SessionId(sent["sessionId"])]
    await office.service.sessions.take(session.sign(session.recipients[0].recipient_id, submission("ada"), audit()))
    assert not (await ada.look(path_of(sent, "pages", sent["files"][0]["fileId"]))).all("rect")


async def test_an_uploaded_pdf_is_looked_at_without_places(office: Office, ada: Visitor) -> None:
    terms = {"file": ("terms.pdf", pdfs.pdf(), "application/pdf")}
    uploaded = (await office.service.http().post("/api/v1/File", files=terms)).json()
    files = [{"type": "blocks", "document": document()}, {"type": "uploadedPdf", "fileId": uploaded["fileId"]}]
    made = (await office.service.http().post("/api/v1/Session", json=session_request(files=files))).json()

    page = await ada.look(path_of(made, "pages", made["files"][1]["fileId"]))
    [address] = pictures(page.all("img"))

    assert not page.all("rect")
    assert (await ada.browser.get(address)).headers["content-type"] == "image/png"


@pytest.mark.parametrize("number", ["0", "2", "-1", "x"])
async def test_there_is_no_other_page(number: str, ada: Visitor, draft: Made) -> None:
    answer = await ada.browser.get(path_of(draft, "pages", draft["files"][0]["fileId"], number))
    assert answer.status_code == 404
