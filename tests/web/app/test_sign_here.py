"""A person of the organisation opens the documents for a recipient, here or by a link."""

from datetime import UTC, datetime

import httpx
import pytest

from domain.shared.ids import SessionId
from tests.api.service import BASE_URL
from tests.builders import ORGANISATION
from tests.web.app.office import ADA, Made, Office, Visitor
from tests.web.app.test_session_actions import held
from tests.web.app.test_session_page import path_of
from tests.web.html import Page


def page_for(made: Made, who: int = 0) -> str:
    return path_of(made, "recipients", made["recipients"][who]["recipientId"], "sign-here")


async def press(visitor: Visitor, made: Made, way: str) -> httpx.Response:
    return await visitor.press(page_for(made), on=page_for(made), way=way)


async def test_the_documents_open_in_this_browser(office: Office, sent: Made, ada: Visitor) -> None:
    assert page_for(sent) in (await ada.look(path_of(sent))).links()

    answer = await press(ada, sent, "here")
    opened = await ada.browser.get(answer.headers["location"])

    assert opened.headers["location"].startswith("/signing/")
    assert (await ada.browser.get(opened.headers["location"])).status_code == 200
    events = await office.service.rows.events(ORGANISATION, SessionId(sent["sessionId"]))
    assert events[-1].details["program"] == ADA.user_id


async def test_the_link_opens_by_a_button_so_that_a_preview_does_not_use_it_up(
    office: Office, sent: Made, ada: Visitor
) -> None:
    page = Page((await press(ada, sent, "link")).text)
    [link] = [word for word in page.words.split() if word.startswith(f"{BASE_URL}/open/")]
    phone = office.browser(Origin=BASE_URL)

    previews = [await phone.get(link) for _ in range(2)]
    [form] = Page(previews[1].text).all("form")
    opened = await phone.post(str(form["action"]))
    again = await phone.get(link)

    assert [preview.status_code for preview in previews] == [200, 200]
    assert held(office, sent).recipients[0].viewed_at is not None
    assert opened.headers["location"].startswith("/signing/")
    assert again.status_code == 410


async def test_a_link_ends_with_the_user(office: Office, sent: Made, ada: Visitor) -> None:
    answer = await press(ada, sent, "here")
    await office.service.users.disable(ADA.user_id, datetime.now(UTC))

    assert (await office.browser().get(answer.headers["location"])).status_code == 410


@pytest.mark.parametrize("who", [0, 1])
async def test_only_a_recipient_whose_turn_it_is_has_the_page(
    office: Office, draft: Made, ada: Visitor, who: int
) -> None:
    made = draft if who == 0 else await office.service.create(sendImmediately=True)

    assert page_for(made, who) not in (await ada.look(path_of(made))).links()
    answer = await ada.browser.get(page_for(made, who))

    assert answer.headers["location"] == f"{path_of(made)}?error=not-opened"
    posted = await ada.press(page_for(made, who), on=path_of(made), way="here")
    assert posted.headers["location"] == f"{path_of(made)}?error=not-opened"
    assert "can’t be opened for them" in (await ada.look(posted.headers["location"])).words
