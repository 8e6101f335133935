"""Uploaded PDFs on the signing page."""

import pytest

from domain.session.session import FileType, Session, SessionFile
from domain.shared.ids import FileId
from tests.application.uploads import pdfs
from tests.builders import identifier
from tests.web.desk import Desk, Visitor, filled_in

TERMS = pdfs.of_pages(3)


@pytest.fixture
async def session(desk: Desk) -> Session:
    """A session with an agreement and the terms."""
    session = await desk.send()
    terms = SessionFile(
        type=FileType.UPLOADED_PDF,
        file_id=FileId(identifier("terms")),
        file_name="Terms & rules.pdf",
        title="Terms & rules.pdf",
        page_count=3,
        rendered=await desk.objects.put("session/terms.pdf", TERMS, "application/pdf"),
    )
    session = session.model_copy(update={"files": (*session.files, terms)})
    await desk.change(session)
    return session


def address(session: Session, number: int = 1) -> str:
    recipient = next(r for r in session.recipients if r.key == "ada")
    return f"/signing/{recipient.recipient_id}/reference/{session.files[number].file_id}"


async def test_the_page_leads_to_it_with_name_and_number_of_pages(desk: Desk, session: Session, ada: Visitor) -> None:
    page = await ada.look()

    (link,) = [link for link in page.all("a") if "/reference/" in link["href"]]
    assert link["href"] == address(session)
    assert (link["target"], link["rel"]) == ("_blank", "noopener")
    text = (await ada.browser.get(ada.path)).text
    assert "<bdi>Terms &amp; rules.pdf</bdi>" in text
    assert "3 pages" in text


async def test_a_session_without_one_says_nothing_of_it(desk: Desk) -> None:
    ada = await desk.come_in(await desk.send())
    assert "For reference" not in (await ada.browser.get(ada.path)).text


async def test_it_opens_in_the_browser_of_its_recipient_byte_for_byte_after_signing_too(
    desk: Desk, session: Session, ada: Visitor
) -> None:
    answer = await ada.browser.get(address(session))

    assert (answer.status_code, answer.content) == (200, TERMS)
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.headers["content-disposition"].startswith("inline; ")
    assert "Terms%20%26%20rules.pdf" in answer.headers["content-disposition"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert (await desk.browser().get(address(session))).status_code != 200
    assert (await ada.post(filled_in(session))).status_code == 303
    assert (await ada.browser.get(address(session))).content == TERMS


async def test_documents_of_blocks_and_unknown_ones_are_not_there(desk: Desk, session: Session, ada: Visitor) -> None:
    assert (await ada.browser.get(address(session, 0))).status_code == 404
    unknown = address(session).replace(session.files[1].file_id, identifier("another"))
    assert (await ada.browser.get(unknown)).status_code == 404
