"""What is pressed is what happens: while errors appear, without a connection, on a phone, and in the page view."""

from typing import Any

import pytest
from playwright.async_api import Page, expect

from cli.demo.examples import Example
from tests.browser.accessibility import violations
from tests.browser.house import Body, House
from tests.browser.visitor import Visitor
from tests.browser.writing import choose, photograph

pytestmark = [pytest.mark.browser, pytest.mark.installation]

PRESS = 90
"""Milliseconds between the press and the release of a mouse button."""


def _column(label: str, kind: str, **more: Any) -> dict[str, Any]:
    return {"fieldType": kind, "label": label, "recipient": "client", **more}


def _field(label: str, kind: str, **more: Any) -> dict[str, Any]:
    return {"type": "field", **_column(label, kind, **more)}


BLOCKS = [
    _field("Length", "number", required=True),
    _field("Ready on", "date", required=True),
    _field("Electricity", "radio", options=["Yes", "No"], required=True),
    _field("Extras", "checkbox", options=["Water", "Heating"]),
    _field("Remarks", "multilineText", required=False),
    _field("Client", "initials", required=False),
    {"type": "signatureBlock", "recipient": "client", "label": "For the client"},
]


def request_of(house: House, **document: Any) -> Body:
    """A request for one recipient and one document."""
    body = house.request()
    content = {"format": "blocks", "title": "Site", "blocks": BLOCKS, **document}
    return {**body, "files": [{"type": "blocks", "document": content}], "recipients": body["recipients"][:1]}


async def open_form(house: House, visitor: Visitor, **document: Any) -> Page:
    return await visitor.open_link(house.send_of(request_of(house, **document)).link("client"))


async def _box(page: Page, selector: str) -> dict[str, float]:
    box = await page.locator(selector).first.bounding_box()
    assert box is not None
    return dict(box)


async def test_a_click_is_not_lost_while_an_error_appears(house: House, desk: Visitor) -> None:
    page = await open_form(house, desk)
    await page.get_by_label("Length").fill("three")
    await expect(page.locator("#saved")).to_have_text("Saved")  # the server has answered what is wrong
    yes = page.locator("#text-view").get_by_label("Yes")
    await yes.scroll_into_view_if_needed()
    box = await yes.bounding_box()
    assert box is not None

    await page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    await page.mouse.down()
    await page.wait_for_timeout(PRESS)
    await page.mouse.up()

    await expect(yes).to_be_checked()
    await expect(page.locator("#text-view .problem")).to_have_count(1)


async def test_a_tap_is_not_lost_while_an_error_appears(house: House, phone: Visitor) -> None:
    page = await open_form(house, phone)
    await page.get_by_label("Length").fill("three")
    await expect(page.locator("#saved")).to_have_text("Saved")

    await page.locator("#text-view").get_by_label("Yes").tap()

    await expect(page.locator("#text-view").get_by_label("Yes")).to_be_checked()
    await expect(page.locator("#text-view .problem")).to_have_count(1)


async def test_progress_counts_what_is_wrong_and_leads_to_it(house: House, desk: Visitor) -> None:
    page = await open_form(house, desk)
    await page.get_by_label("Length").fill("three")
    await page.get_by_label("Ready on").first.fill("29/02/2028")
    await page.locator("#text-view").get_by_label("Yes").check()

    status = page.locator("#progress [role=status]")
    await expect(status).to_have_text("2 of 3 filled in · 1 to correct")
    await page.click("#progress a")
    await expect(page.get_by_label("Length")).to_be_focused()
    await page.get_by_label("Length").fill("3")
    await page.get_by_label("Length").blur()
    await expect(status).to_have_text("All required fields are filled in")


async def test_tick_boxes_lie_over_their_printed_boxes(house: House, desk: Visitor) -> None:
    page = await open_form(house, desk)
    printed = (await page.locator("[data-box]").first.get_attribute("data-box") or "").split()
    await page.click("[data-view=pages-view]")

    paper, shown = await _box(page, "#pages-view .page"), await _box(page, "#pages-view .place[type=radio]")

    left, top, width, height = (float(part) / 1000 for part in printed)
    assert shown["x"] == pytest.approx(paper["x"] + left * paper["width"], abs=1)
    assert shown["y"] == pytest.approx(paper["y"] + top * paper["height"], abs=1)
    assert (shown["width"], shown["height"]) == pytest.approx((width * paper["width"], height * paper["height"]), abs=1)


async def test_inputs_of_the_page_view_open_in_a_sheet_on_a_phone(house: House, phone: Visitor) -> None:
    page = await open_form(house, phone)
    await page.click("[data-view=pages-view]")
    papers, sheet = page.locator("#pages-view"), page.locator("#field-sheet")
    for button in await papers.locator("button.place").all():
        box = await button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 24
    assert await violations(page) == []

    await papers.get_by_role("button", name="Electricity").tap()
    await sheet.get_by_label("No").check()
    await sheet.get_by_role("button", name="Done").tap()
    await papers.get_by_role("button", name="Length").tap()
    await sheet.get_by_label("Length").fill("12")
    await sheet.get_by_role("button", name="Done").tap()

    await expect(papers.get_by_role("button", name="Electricity: No")).to_be_visible()
    await expect(papers.get_by_role("button", name="Length: 12")).to_be_visible()
    assert await page.evaluate("new FormData(document.getElementById('signing')).getAll('Electricity').length") in (
        0,
        1,
    )


async def test_the_calendar_opens_at_the_day_that_is_entered(house: House, desk: Visitor) -> None:
    page = await open_form(house, desk)
    await page.get_by_label("Ready on").first.fill("7/3/2026")

    await page.get_by_role("button", name="Choose “Ready on” in a calendar").click()

    assert await page.locator(".calendar").first.input_value() == "2026-03-07"


async def test_the_calendar_of_a_date_without_a_day_chooses_a_month(house: House, desk: Visitor) -> None:
    page = await desk.open_link(house.send(Example.NEW_STARTER).link("starter"))
    valid = page.get_by_label("Barista certificate valid until").first
    await valid.fill("3/27")

    await page.get_by_role("button", name="Choose “Barista certificate valid until” in a calendar").click()
    calendar = page.locator(".calendar[type=month]")
    assert await calendar.input_value() == "2027-03"
    await calendar.evaluate(
        "picker => { picker.value = '2028-11'; picker.dispatchEvent(new Event('change', { bubbles: true })); }"
    )

    await expect(valid).to_have_value("11/28")


async def test_without_a_connection_nothing_is_sent_and_the_page_says_so(house: House, desk: Visitor) -> None:
    page = await open_form(house, desk)
    await page.context.set_offline(True)

    await page.click("#submit")

    await expect(page.get_by_role("alert").filter(has_text="You’re offline")).to_be_visible()
    await expect(page.locator("#submit")).to_have_text("Review and sign")
    await page.context.set_offline(False)
    await page.click("#submit")
    await expect(page.get_by_role("alert").filter(has_text="Not signed yet")).to_be_visible()
    desk.errors[:] = [error for error in desk.errors if "ERR_INTERNET_DISCONNECTED" not in error]


async def test_an_uploaded_signature_is_cropped_to_its_ink(house: House, desk: Visitor) -> None:
    page = await open_form(house, desk)
    await choose(page, "uploaded")
    await page.set_input_files("#signature-file", photograph())

    picture = page.locator("[data-uploaded] [data-preview] img")
    await expect(picture).to_be_visible()
    # Of 900 × 500 pixels, the line takes 700 × 260 and its own width.
    assert await picture.evaluate("image => [image.naturalWidth, image.naturalHeight]") == pytest.approx(
        [714, 274], abs=20
    )


async def test_the_progress_leaves_a_short_window_to_the_document(house: House, desk: Visitor) -> None:
    page = await open_form(house, desk)
    await page.set_viewport_size({"width": 320, "height": 200})

    assert (await _box(page, "#progress"))["height"] <= 0.25 * 200


async def test_the_progress_hides_no_half_of_a_line(house: House, desk: Visitor) -> None:
    page = await open_form(house, desk)
    beside, sheet = await _box(page, "#progress"), await _box(page, "#document-1")
    assert beside["x"] >= sheet["x"] + sheet["width"]

    await page.set_viewport_size({"width": 1000, "height": 700})

    below, sheet = await _box(page, "#progress"), await _box(page, "#document-1")
    assert (below["x"], below["width"]) == (sheet["x"], sheet["width"])


async def test_stacked_fields_of_a_row_are_as_high_as_each_needs(house: House, phone: Visitor) -> None:
    body = house.request()
    initials = [
        {"fieldType": "initials", "label": f"Initials of {key}", "recipient": key} for key in ("client", "consultant")
    ]
    signatures = [
        {"type": "signatureBlock", "recipient": key, "label": f"For the {key}"} for key in ("client", "consultant")
    ]
    blocks = [{"type": "fieldRow", "fields": initials}, *signatures]
    content = {"format": "blocks", "title": "Site", "blocks": blocks}
    sent = house.send_of({**body, "files": [{"type": "blocks", "document": content}]})
    page = await phone.open_link(sent.link("client"))

    own, other = await _box(page, ".row > .input.yours"), await _box(page, ".row > :not(.yours)")

    assert other["y"] > own["y"]
    assert other["height"] < 0.6 * own["height"]


ARABIC = [
    {"type": "bulletList", "items": ["البند الأول", "البند الثاني"]},
    {"type": "fieldRow", "fields": [_column("الاسم", "text"), _column("المدينة", "text")]},
    _field("الكهرباء", "radio", options=["نعم", "لا"]),
    _field("أوافق", "checkbox"),
    {"type": "signatureBlock", "recipient": "client", "label": "توقيع العميل"},
]


async def test_the_reading_view_runs_from_right_to_left_where_the_pages_do(house: House, visitor: Visitor) -> None:
    page = await open_form(house, visitor, title="اتفاقية عدم إفصاح", blocks=ARABIC)
    sheet, item = await _box(page, ".sheet"), await _box(page, ".bullets")
    assert item["x"] >= sheet["x"]
    assert item["x"] + item["width"] <= sheet["x"] + sheet["width"]
    tick, label = await _box(page, ".tick:not(.consent) input"), await _box(page, ".tick:not(.consent) label")
    assert tick["x"] > label["x"]
    options = page.locator("#text-view .option")
    first, second = await options.nth(0).bounding_box(), await options.nth(1).bounding_box()
    assert first is not None
    assert second is not None
    assert first["x"] > second["x"]
    if page.viewport_size and page.viewport_size["width"] > 1000:
        names = [await page.get_by_label(name).bounding_box() for name in ("الاسم", "المدينة")]
        assert names[0] is not None
        assert names[1] is not None
        assert names[0]["x"] > names[1]["x"]
    assert await violations(page) == []


async def test_our_sentences_run_from_left_to_right_in_fields_that_do_not(house: House, desk: Visitor) -> None:
    required = _field("المبلغ", "number", required=True)
    page = await open_form(house, desk, title="اتفاقية", blocks=[required, *ARABIC])
    problem = page.locator("#text-view .problem").first
    sides = "line => [getComputedStyle(line).direction, getComputedStyle(line).textAlign]"

    await page.get_by_label("المبلغ").fill("كثير")
    await page.get_by_label("المبلغ").blur()
    await expect(problem).to_contain_text("المبلغ")
    assert await problem.evaluate(sides) == ["ltr", "right"]
    await page.click("#submit")
    await page.wait_for_selector("#problems")
    assert await problem.evaluate(sides) == ["ltr", "right"]


async def test_a_title_from_right_to_left_does_not_reorder_its_number_of_pages(house: House, desk: Visitor) -> None:
    sent = house.send_of({**request_of(house, title="اتفاقية عدم إفصاح"), "message": "يرجى التوقيع."})
    page = desk.page
    await page.goto(sent.link("client"))

    title = page.locator("dd bdi").filter(has_text="اتفاقية").first
    pages = page.locator("dd .quiet").filter(has_text="1 page").first
    title_box, pages_box = await title.bounding_box(), await pages.bounding_box()
    assert title_box is not None
    assert pages_box is not None
    assert pages_box["x"] > title_box["x"]
    assert await page.locator("blockquote").evaluate("quote => getComputedStyle(quote).direction") == "rtl"
