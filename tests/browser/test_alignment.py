"""Nothing lies over its neighbour or is cut off, and what stands beside one another stands in lines."""

import pytest
from playwright.async_api import FloatRect, Locator, expect

from cli.demo.examples import Example
from tests.browser.app import enter, path_of
from tests.browser.house import House
from tests.browser.scenes.app import draft_of_three_documents
from tests.browser.scenes.batches import batch_preview
from tests.browser.scenes.changes import draft_with_mistakes
from tests.browser.scenes.front import outbox_mail
from tests.browser.scenes.identity import branded_signing
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.installation]


async def box(element: Locator) -> FloatRect:
    found = await element.bounding_box()
    assert found
    return found


async def test_the_outline_begins_below_the_bar_of_the_sender(house: House, desk: Visitor) -> None:
    await branded_signing(house, desk)
    bar, outline = await box(desk.page.locator(".sender")), await box(desk.page.locator("#outline"))
    assert outline["y"] >= bar["y"] + bar["height"]


async def test_the_menu_of_a_session_covers_no_text(house: House, phone: Visitor) -> None:
    made = house.send(Example.NEW_STARTER, expiryDays=30)
    made.link("starter")
    page = await enter(house, phone, path_of(made))
    menu, sentence = await box(page.locator("#more summary")), await box(page.locator(".waits-for"))
    assert sentence["y"] >= menu["y"] + menu["height"]


async def test_several_documents_stand_in_a_row_and_the_review_begins_within_the_second_screen(
    house: House, desk: Visitor
) -> None:
    await draft_of_three_documents(house, desk)
    tops = {(await box(document))["y"] for document in await desk.page.locator(".files li").all()}
    assert len(tops) == 1
    assert (await box(desk.page.locator("#review-title")))["y"] < 900


async def test_labels_of_a_row_are_level_when_one_entry_is_wrong(house: House, desk: Visitor) -> None:
    await draft_with_mistakes(house, desk)
    row = desk.page.locator(".person-inputs", has=desk.page.locator(".problem")).locator(".side-by-side")
    tops = {(await box(label))["y"] for label in await row.locator("label").all()}
    assert len(tops) == 1


async def test_both_buttons_of_a_batch_are_equal(house: House, desk: Visitor) -> None:
    await batch_preview(house, desk)
    send, keep = [await box(desk.page.get_by_role("button", name=f"Create {how}")) for how in ("and send", "as drafts")]
    assert (send["y"], send["height"]) == (keep["y"], keep["height"])
    assert keep["x"] - send["x"] - send["width"] >= 8


async def test_an_email_in_the_outbox_is_shown_whole(house: House, visitor: Visitor) -> None:
    await outbox_mail(house, visitor)
    content = visitor.page.frame_locator(".mail-html").locator("html")
    assert await content.evaluate("page => page.scrollHeight - page.clientHeight") <= 0


async def test_the_details_keep_the_lines_of_the_message(house: House, desk: Visitor) -> None:
    page = await enter(house, desk, path_of(house.create(message="Dear both,\nplease sign.")))
    await expect(page.locator(".as-typed")).to_have_text("Dear both,\nplease sign.", use_inner_text=True)
