"""How an organisation appears on recipients' pages."""

from domain.ports.sender_identity import SenderIdentity
from domain.session.session import Session
from tests.activities.sample_mails import IDENTITY
from tests.builders import ORGANISATION, audit
from tests.web.desk import Desk, filled_in
from tests.web.html import Page

ACCENT = "/accents/c2410c/page.css"


async def pages(desk: Desk, session: Session) -> dict[str, Page]:
    """The pages of Ada in the order in which she meets them, then those of a session that ended."""
    shown = {"invitation": await desk.browser().get(desk.link(session))}
    ada = await desk.come_in(session)
    shown["signing"] = await ada.browser.get(ada.path)
    shown["decline"] = await ada.browser.get(f"{ada.path}/decline")
    shown["review"] = await ada.post({**filled_in(session), "act": "review"})
    await ada.post(filled_in(session))
    shown["signed"] = await ada.browser.get(ada.path)
    grace = desk.recipient(session, "grace").recipient_id
    declined = desk.session(session).decline(grace, "The fee is wrong.", audit()).session
    await desk.change(declined)
    shown["declined"] = await desk.browser().get(desk.link(session, "grace"))
    await desk.change(session.archive(audit()).session)
    shown["withdrawn"] = await desk.browser().get(desk.link(session))
    return {name: Page(answer.text) for name, answer in shown.items()}


def styles(page: Page) -> list[str]:
    return [str(link["href"]) for link in page.all("link") if link["rel"] == "stylesheet"]


async def test_every_page_of_a_recipient_shows_bar_colour_and_links(desk: Desk, session: Session) -> None:
    await desk.identities.store(ORGANISATION, IDENTITY)
    for name, page in (await pages(desk, session)).items():
        assert ACCENT in styles(page), name
        assert styles(page).index(ACCENT) == 1, name  # after the pages' own, before the themes of documents
        logos = [img for img in page.all("img") if str(img["src"]).startswith("/logos/")]
        assert [(logo["width"], logo["height"], logo["alt"]) for logo in logos] == [("120", "32", "")], name
        links = [str(a["href"]) for a in page.all("a")]
        assert {IDENTITY.imprint_url, IDENTITY.privacy_url} <= set(links), name
        assert "Powered by Undersign" in page.words


async def test_without_settings_pages_are_as_they_were(desk: Desk, session: Session) -> None:
    for name, page in (await pages(desk, session)).items():
        assert not [style for style in styles(page) if "/accents/" in style], name
        assert not [one for one in page.all("section") if one.get("class") == "sender"], name
        assert "Imprint" not in page.words


async def test_legal_links_alone_show_no_bar(desk: Desk, session: Session) -> None:
    await desk.identities.store(ORGANISATION, SenderIdentity(imprint_url="https://northwind.example/imprint"))
    page = Page((await desk.browser().get(desk.link(session))).text)
    assert not [one for one in page.all("section") if one.get("class") == "sender"]
    assert "Imprint" in page.words
    assert "Privacy" not in page.words
