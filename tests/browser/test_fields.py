"""Every type of input, right and wrong: said beside it, in the summary, and by where the focus goes."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.filling import NAME
from tests.browser.house import Body, House
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.installation]


class TextInput(NamedTuple):
    """A text input: its type, wrong values, part of the problem, and a right value."""

    kind: str
    wrong: tuple[str, ...]
    said: str
    right: str
    more: Mapping[str, Any] = {}


LINES = {
    "Due": TextInput("date", ("31/04/2026", "29/02/2027"), "does not exist", "29/02/2028"),
    "Made": TextInput("date", ("02/30/26",), "does not exist", "2/28/26", {"dateFormat": "MM/DD/YY"}),
    "Since": TextInput("date", ("2026-13-01",), "YYYY-MM-DD", "2026-12-01", {"dateFormat": "YYYY-MM-DD"}),
    "Valid until": TextInput("date", ("13/2028",), "MM/YYYY", "08/2028", {"dateFormat": "MM/YYYY"}),
    "Amount": TextInput("number", ("many",), "as a number", "1,250.50"),
    "Mail": TextInput("email", ("ada@",), "as an email address", "Ada@Example.com"),
    "Mobile": TextInput("auMobile", ("02 9374 4000",), "Australian mobile number", "+61491570156"),
}
TEXTS = {"Full name": ("text", NAME), "Remarks": ("multilineText", "In two\nlines")}
CHOICES = {"Size": ("radio", "M"), "Days": ("checkbox", "Tuesday")}
OPTIONS = {"radio": ["S", "M"], "checkbox": ["Monday", "Tuesday"], "dropdown": ["Hostplus", "UniSuper"]}
EMPTY = {
    **{label: f"Fill in “{label}”." for label in (*TEXTS, *LINES)},
    "Size": "Choose an option for “Size”.",
    "Days": "Tick at least one option of “Days”.",
    "Fund": "Choose an option for “Fund”.",
    "Initials": "Add your initials to “Initials”.",
    "I agree": "Tick “I agree” to continue.",
}
"""The problem of each empty input; signature and consent come after them."""


def request_of_all_types(house: House) -> Body:
    def field(label: str, kind: str, **more: Any) -> dict[str, Any]:
        asked = {"type": "field", "fieldType": kind, "label": label, "recipient": "client", "required": True}
        return {**asked, **({"options": OPTIONS[kind]} if kind in OPTIONS and label != "I agree" else {}), **more}

    blocks = [field(label, kind) for label, (kind, _) in TEXTS.items()]
    blocks += [field(label, line.kind, **line.more) for label, line in LINES.items()]
    blocks += [field(label, kind) for label, (kind, _) in CHOICES.items()]
    blocks += [field("Fund", "dropdown"), field("Initials", "initials"), field("I agree", "checkbox")]
    blocks.append({"type": "signatureBlock", "recipient": "client", "label": "For the client"})
    body = house.request()
    document = {"format": "blocks", "title": "All types", "blocks": blocks}
    return {**body, "files": [{"type": "blocks", "document": document}], "recipients": body["recipients"][:1]}


async def open_form(house: House, visitor: Visitor) -> Page:
    return await visitor.open_link(house.send_of(request_of_all_types(house)).link("client"))


def root_of(page: Page, label: str) -> Locator:
    """The input as a whole: its label, its control, and what is wrong with it."""
    named = page.locator("label, legend").filter(has_text=re.compile(rf"^{label}\s+\* required"))
    return page.locator("#text-view [data-input]", has=named)


def group_of(page: Page, label: str) -> Locator:
    return page.locator("#text-view").get_by_role("group", name=label).or_(page.get_by_role("radiogroup", name=label))


async def fill_rightly(page: Page) -> None:
    for label, (_, right) in TEXTS.items():
        await page.locator("#text-view").get_by_label(label).fill(right)
    for label, line in LINES.items():
        await page.locator("#text-view").get_by_label(label).first.fill(line.right)
    for label, (_, option) in CHOICES.items():
        await group_of(page, label).get_by_label(option, exact=True).check()
    await page.locator("#text-view").get_by_label("Fund").select_option("UniSuper")
    await group_of(page, "Initials").get_by_label("Initials", exact=True).fill("M.N.")
    await page.locator("#text-view").get_by_label("I agree").check()
    await page.fill("#signature-text", NAME)
    await page.check("#consent")


async def test_an_empty_form_lists_a_problem_with_a_link_for_every_type(house: House, visitor: Visitor) -> None:
    form = await open_form(house, visitor)

    await form.click("#submit")

    summary = form.get_by_role("alert").filter(has_text=f"Not signed yet: {len(EMPTY) + 1} things left")
    await expect(form.locator("[data-input]", has=form.locator(":focus")).locator(".problem")).to_have_text(
        next(iter(EMPTY.values()))
    )
    said = await summary.get_by_role("link").all_inner_texts()
    assert said[: len(EMPTY)] == list(EMPTY)
    assert [words.partition(" ")[0] for words in said[len(EMPTY) :]] == ["Tick"]  # the name is filled in
    for label, message in EMPTY.items():
        await expect(root_of(form, label).locator(".problem")).to_have_text(message)
    for label, message in EMPTY.items():
        await summary.get_by_role("link", name=label, exact=True).click()
        focused = form.locator("[data-input]", has=form.locator(":focus"))
        await expect(focused.locator(".problem")).to_have_text(message)


async def test_everything_right_is_taken_and_shown_as_it_will_be_kept(house: House, desk: Visitor) -> None:
    form = await open_form(house, desk)
    await fill_rightly(form)

    await form.click("#submit")

    values = form.locator(".review")
    for kept in (NAME, "29/02/2028", "02/28/26", "2026-12-01", "08/2028", "1250.50", "+61 491 570 156", "M", "Tuesday"):
        await expect(values).to_contain_text(kept)
    await form.click("#sign")
    await form.wait_for_selector(".seal")


async def test_a_problem_appears_beside_an_input_on_blur_and_disappears_when_it_is_right(
    house: House, desk: Visitor
) -> None:
    form = await open_form(house, desk)
    for label, line in LINES.items():
        control, problem = form.get_by_label(label).first, root_of(form, label).locator(".problem")
        for wrong in line.wrong:
            await control.fill(wrong)
            await control.blur()
            await expect(problem).to_contain_text(line.said)
            await expect(control).to_have_attribute("aria-invalid", "true")
        described = (await control.get_attribute("aria-describedby") or "").split()
        assert await problem.get_attribute("id") in described
        await control.fill(line.right)
        await expect(problem).to_have_count(0)
        assert await control.get_attribute("aria-invalid") is None


async def test_a_wrong_value_is_marked_again_after_a_reload(house: House, desk: Visitor) -> None:
    form = await open_form(house, desk)
    await form.get_by_label("Due").first.fill("31/04/2026")
    await form.get_by_label("Amount").first.focus()
    await expect(form.locator("#saved")).to_have_text("Saved")

    await form.reload()

    await expect(root_of(form, "Due").locator(".problem")).to_contain_text("does not exist")
    await expect(root_of(form, "Amount").locator(".problem")).to_have_count(0)


async def test_enter_leads_to_the_next_input(house: House, visitor: Visitor) -> None:
    form = await open_form(house, visitor)
    await form.get_by_label("Full name").first.fill(NAME)

    await form.keyboard.press("Enter")

    await expect(form.get_by_label("Remarks").first).to_be_focused()
    await form.get_by_label("Mobile").first.press("Enter")
    await expect(form.get_by_label("S", exact=True)).to_be_focused()
    await expect(form.locator("#problems")).to_have_count(0)


async def test_next_opens_one_input_after_the_other_over_the_pages(house: House, phone: Visitor) -> None:
    form = await open_form(house, phone)
    await form.click("[data-view='pages-view']")
    sheet, next_input = form.locator("#field-sheet"), form.locator("#progress a")

    await next_input.click()
    await sheet.get_by_label("Full name").fill(NAME)
    await form.keyboard.press("Enter")
    await sheet.get_by_label("Remarks").fill("None")
    await sheet.get_by_role("button", name="Done").click()
    await next_input.click()

    await expect(sheet.get_by_label("Due").first).to_be_visible()


async def test_wrong_values_are_shown_again_as_typed_with_all_problems(house: House, visitor: Visitor) -> None:
    form = await open_form(house, visitor)
    await fill_rightly(form)
    for label, line in LINES.items():
        await form.get_by_label(label).first.fill(line.wrong[0])

    await form.click("#submit")

    summary = form.get_by_role("alert").filter(has_text=f"Not signed yet: {len(LINES)} things left")
    await expect(summary.get_by_role("link")).to_have_count(len(LINES))
    for label, line in LINES.items():
        await expect(form.get_by_label(label).first).to_have_value(line.wrong[0])
        await expect(root_of(form, label).locator(".problem")).to_contain_text(line.said)
