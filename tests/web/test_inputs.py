"""Inputs of every type on the signing page: controls, checked in full, and nothing typed is lost. Specification 2.8."""

from base64 import b64decode
from collections.abc import Mapping
from http import HTTPStatus

import httpx
import pytest

from domain.session.consent_texts import CONSENT_VERSION
from domain.session.session import Session
from domain.session.submission import FieldValue, SubmittedContent
from tests.web.desk import Block, Desk, Visitor, field
from tests.web.html import Attributes, Page
from tests.web.signing.test_signing_page import drawing, submitted


def asked(kind: str, label: str, **members: object) -> Block:
    return {
        "type": "field", "fieldType": kind, "label": label, "recipient": "ada", "name": label.lower(), **members
    }  # fmt: skip


NAME = asked("text", "Name", placeholder="As in your passport")
NOTES = asked("multilineText", "Notes", required=False)
BORN = asked("date", "Born")
EXPIRES = asked("date", "Expires", dateFormat="MM/YY", required=False)
HOURS = asked("number", "Hours")
MAIL = asked("email", "Mail")
PHONE = asked("auMobile", "Phone")
TERMS = asked("checkbox", "Terms", required=True)
DAYS = asked("checkbox", "Days", options=["Monday", "Tuesday", "Friday"], required=True)
JOB = asked("radio", "Job", options=["Full time", "Part time"])
SIZE = asked("radio", "Size", options=["S", "M", "L"], required=False)
FUND = asked("dropdown", "Fund", options=["Hostplus", "UniSuper"], placeholder="Choose your fund")
SHORT = asked("initials", "Short")
ALL: tuple[Block, ...] = (NAME, NOTES, BORN, EXPIRES, HOURS, MAIL, PHONE, TERMS, DAYS, JOB, SIZE, FUND, SHORT)
ANSWERS: Mapping[str, list[str]] = {
    "name": ["Ada Lovelace"],
    "notes": ["First\r\nSecond"],
    "born": ["10/12/1985"],
    "expires": ["3/27"],
    "hours": ["37.5"],
    "mail": ["ada@example.com"],
    "phone": ["0491570156"],
    "terms": ["true"],
    "days": ["Friday", "Monday"],
    "job": ["Part time"],
    "fund": ["UniSuper"],
    "short": ["A.L."],
}


async def post(visitor: Visitor, session: Session, answers: Mapping[str, list[str]], **others: str) -> httpx.Response:
    """Posts the form with `answers` by the names of the fields, and a valid signature."""
    page = await visitor.look()
    form = {
        "csrf": [page.form()["csrf"]],
        "signatureText": ["Ada"],
        "consent": [CONSENT_VERSION],
        **{field(session, name): values for name, values in answers.items()},
        **{name: [value] for name, value in others.items()},
    }
    return await visitor.browser.post(visitor.path, data=form)


async def kept(desk: Desk, session: Session) -> dict[str, FieldValue]:
    content: SubmittedContent = await submitted(desk, session)
    return {value.name: value for value in content.values}


async def refused(desk: Desk, session: Session, answers: Mapping[str, list[str]], **others: str) -> Page:
    """The page as it comes back."""
    answer = await post(await desk.come_in(session), session, answers, **others)
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert desk.recipient(session, "ada").submission is None
    return Page(answer.text)


async def test_values_of_every_type_are_kept_in_their_normal_form_and_shown_to_a_later_signer(desk: Desk) -> None:
    session = await desk.send(ALL)

    answer = await post(await desk.come_in(session), session, ANSWERS)

    assert answer.status_code == HTTPStatus.SEE_OTHER, Page(answer.text).words
    assert {name: value.value for name, value in (await kept(desk, session)).items()} == {
        "name": "Ada Lovelace",
        "notes": "First\nSecond",
        "born": "10/12/1985",
        "expires": "03/27",
        "hours": "37.5",
        "mail": "ada@example.com",
        "phone": "0491 570 156",
        "terms": "true",
        "days": ("Monday", "Friday"),
        "job": "Part time",
        "size": "",
        "fund": "UniSuper",
        "short": "A.L.",
    }
    page = await (await desk.come_in(session, "grace")).look()
    for words in ("Ada Lovelace", "First\nSecond", "03/27", "0491 570 156", "UniSuper", "A.L.", "not filled in", "Yes"):
        assert words in page.words + str([picture["alt"] for picture in page.pictures()])
    assert chosen(page) == 3  # two days and a job
    assert "Tuesday" in page.words


async def test_all_missing_values_are_listed_in_the_order_of_the_document(desk: Desk) -> None:
    page = await refused(desk, await desk.send(ALL), {})

    summary = [link for link in page.links() if link.startswith("#field-")]
    assert summary == [f"#field-{number}" for number in (1, 3, 5, 6, 7, 8, 9, 10, 12, 13)]
    assert {link.removeprefix("#") for link in summary} <= set(page.ids())
    for words in (
        "Fill in “Name”",
        "Tick “Terms”",
        "Tick at least one option of “Days”",
        "Choose an option for “Fund”",
    ):
        assert words in page.words + str([picture["alt"] for picture in page.pictures()])


@pytest.mark.parametrize(
    ("block", "typed", "words"),
    [
        (BORN, "31/02/1985", "The date in “Born” does not exist"),
        (EXPIRES, "27/03/2027", "in the form MM/YY, for example 03/26"),
        (HOURS, "many", "Write “Hours” as a number"),
        (MAIL, "ada@", "Write “Mail” as an email address"),
        (PHONE, "02 9157 0156", "Write “Phone” as an Australian mobile number"),
        (JOB, "Retired", "Choose one of the options that are offered for “Job”"),
        (FUND, "Retired", "Choose one of the options that are offered for “Fund”"),
        (DAYS, "Sunday", "Tick only options that are offered for “Days”"),
        (SHORT, "A" * 13, "Shorten “Short” to 12 characters"),
        (NAME, "\U000f0000", "“Name” contains characters we can’t print"),
        (NOTES, "\U000f0000", "“Notes” contains characters we can’t print: U+F0000 PRIVATE USE"),
        (NAME, "W" + "\u0305" * 9, "Remove accents and marks from “Name”: one letter has more than 8"),
    ],
)
async def test_a_problem_is_beside_its_input_and_the_summary_leads_there(
    desk: Desk, block: Block, typed: str, words: str
) -> None:
    page = await refused(desk, await desk.send((block,)), {str(block["name"]): [typed]})
    assert page.words.count(words) == 1
    assert "Not signed yet: 1 thing left" in page.words
    assert "#field-1" in page.links()
    assert "field-1-problem" in described_by(page)


@pytest.mark.parametrize("block", [NAME, BORN, HOURS, MAIL, PHONE])
async def test_a_wrong_value_is_shown_again_as_typed(desk: Desk, block: Block) -> None:
    session = await desk.send((block, TERMS))
    page = await refused(desk, session, {str(block["name"]): ["  so \U000f0000 "]})
    assert page.form()[field(session, str(block["name"]))] == "  so \U000f0000 "


async def test_everything_chosen_comes_back_with_a_mistake_elsewhere(desk: Desk) -> None:
    session = await desk.send(ALL)

    page = await refused(desk, session, {**ANSWERS, "born": ["x"], "notes": ["\nFirst\nSecond"]})

    ticked = [box["value"] for box in page.all("input") if "checked" in box and box["name"] == field(session, "days")]
    assert ticked == ["Monday", "Friday"]
    assert "checked" in page.input(field(session, "job"), "Part time")
    assert page.form()[field(session, "fund")] == "UniSuper"
    assert page.form()[field(session, "notes")] == "\nFirst\nSecond"
    assert page.form()[field(session, "short")] == "A.L."


async def test_only_a_text_that_would_be_too_small_to_read_is_refused_with_how_much_fits(desk: Desk) -> None:
    session = await desk.send((NAME,))
    page = await refused(desk, session, {"name": ["word " * 300]})
    assert "“Name” is too long. There’s room for about " in page.words
    assert "characters." in page.words
    answer = await post(await desk.come_in(session), session, {"name": ["word " * 50]})
    assert answer.status_code == HTTPStatus.SEE_OTHER


async def test_drawn_initials_are_stored_as_a_picture_without_what_is_typed_beside_them(desk: Desk) -> None:
    session = await desk.send((SHORT,))
    name = field(session, "short")
    drawn = {f"{name}/kind": "drawn", f"{name}/drawing": drawing()}

    answer = await post(await desk.come_in(session), session, {"short": ["A.L."]}, **drawn)

    value = (await kept(desk, session))["short"]
    assert answer.status_code == HTTPStatus.SEE_OTHER
    assert value.value == ""
    assert b64decode(value.png_base64 or "").startswith(b"\x89PNG")
    [picture] = (await (await desk.come_in(session, "grace")).look()).pictures()
    assert str(picture["src"]).startswith("data:image/png;base64,")
    assert picture["alt"] == "Initials drawn by Ada"


@pytest.mark.parametrize(
    ("data", "words"), [("", "Add your initials to “Short”"), ("javascript:alert(1)", "couldn’t read")]
)
async def test_drawn_initials_have_to_be_a_drawing(desk: Desk, data: str, words: str) -> None:
    session = await desk.send((SHORT,))
    name = field(session, "short")

    page = await refused(desk, session, {}, **{f"{name}/kind": "drawn", f"{name}/drawing": data})

    assert page.words.count(words) == 1
    assert "#field-1-canvas" in page.links()
    assert "field-1-canvas" in page.ids()


async def test_drawn_initials_come_back_with_a_mistake_elsewhere(desk: Desk) -> None:
    session = await desk.send((SHORT, TERMS))
    name, picture = field(session, "short"), drawing()

    page = await refused(desk, session, {}, **{f"{name}/kind": "drawn", f"{name}/drawing": picture})

    assert "checked" in page.input(f"{name}/kind", "drawn")
    assert page.input(f"{name}/drawing")["value"] == picture


# The controls


async def control(desk: Desk, block: Block) -> tuple[Page, Attributes]:
    """The page with one input, and the control."""
    session = await desk.send((block,))
    page = await (await desk.come_in(session)).look()
    return page, page.input(field(session, str(block["name"])))


@pytest.mark.parametrize(
    ("block", "attributes"),
    [
        (NAME, {"type": "text", "placeholder": "As in your passport"}),
        (BORN, {"type": "text", "inputmode": "numeric"}),
        (HOURS, {"type": "text"}),
        (MAIL, {"type": "text", "inputmode": "email", "autocomplete": "email"}),
        (PHONE, {"type": "tel", "inputmode": "tel", "autocomplete": "tel"}),
        (SHORT, {"type": "text", "aria-label": "Short"}),
    ],
)
async def test_each_control_brings_the_keyboard_and_the_memory_for_its_type(
    desk: Desk, block: Block, attributes: Mapping[str, str]
) -> None:
    _, found = await control(desk, block)
    assert {name: found.get(name) for name in attributes} == attributes
    assert "required" in found


async def test_the_asterisk_is_explained_where_there_is_one(desk: Desk) -> None:
    required = await (await desk.come_in(await desk.send((BORN,)))).look()
    optional = await (await desk.come_in(await desk.send((NOTES,), name="Another"))).look()
    assert ["Fields marked * are required." in page.words for page in (required, optional)] == [True, False]


@pytest.mark.parametrize(("block", "calendar"), [(BORN, "date"), (EXPIRES, "month"), (NAME, None)])
async def test_a_day_can_be_chosen_in_a_calendar_that_posts_nothing_itself(
    desk: Desk, block: Block, calendar: str | None
) -> None:
    page, _ = await control(desk, block)
    assert len([button for button in page.all("button") if "data-calendar" in button]) == (calendar is not None)
    calendars = [i for i in page.all("input") if i.get("class") == "calendar"]
    assert [i["type"] for i in calendars] == [calendar] * (calendar is not None)
    assert not any("name" in i for i in calendars)


async def test_several_lines_are_a_text_area_and_a_dropdown_begins_with_its_placeholder(desk: Desk) -> None:
    assert len((await control(desk, NOTES))[0].all("textarea")) == 1
    page, _ = await control(Desk(), FUND)
    assert [option["value"] for option in page.all("option")] == ["", "Hostplus", "UniSuper"]
    assert "Choose your fund" in page.words


@pytest.mark.parametrize(
    ("block", "words"), [(BORN, "DD/MM/YYYY"), (EXPIRES, "MM/YY, for example 03/26"), (PHONE, "0491")]
)
async def test_a_hint_shows_the_format_before_any_mistake(desk: Desk, block: Block, words: str) -> None:
    page, found = await control(desk, block)
    assert words in page.words
    assert found["aria-describedby"] == "field-1-hint"
    assert "field-1-hint" in page.ids()


@pytest.mark.parametrize("block", [DAYS, JOB, SHORT])
async def test_what_has_several_controls_is_a_group_with_its_label_as_legend(desk: Desk, block: Block) -> None:
    page = await (await desk.come_in(await desk.send((block,)))).look()
    assert any(group.get("data-input") == "field-1" for group in page.all("fieldset"))
    assert len(page.all("legend")) == 3  # its own, and those of the signature and its handwriting
    assert str(block["label"]) in page.words


@pytest.mark.parametrize(("block", "kind"), [(DAYS, "checkbox"), (JOB, "radio")])
async def test_each_option_is_a_control_with_its_text(desk: Desk, block: Block, kind: str) -> None:
    session = await desk.send((block,))
    inputs = (await (await desk.come_in(session)).look()).all("input")
    options = [i for i in inputs if i.get("name") == field(session, str(block["name"]))]
    assert [(i["type"], i["value"]) for i in options] == [(kind, option) for option in block["options"]]
    assert len({i["id"] for i in options}) == len(options)


async def test_an_optional_choice_can_be_taken_back_a_required_one_not(desk: Desk) -> None:
    optional, _ = await (await desk.come_in(await desk.send((SIZE,)))).look(), None
    required = await (await desk.come_in(await desk.send((JOB,), name="Another"))).look()
    assert [len([b for b in page.all("button") if "data-unchoose" in b]) for page in (optional, required)] == [1, 0]


async def test_every_id_on_a_page_with_everything_is_one_of_a_kind(desk: Desk) -> None:
    page = await (await desk.come_in(await desk.send(ALL, ALL))).look()
    assert len(page.ids()) == len(set(page.ids()))
    assert {str(label["for"]) for label in page.all("label") if label.get("for")} <= set(page.ids())


async def test_options_of_others_are_shown_before_they_choose(desk: Desk) -> None:
    session = await desk.send(({**DAYS, "recipient": "grace"}, {**JOB, "recipient": "grace"}))

    page = await (await desk.come_in(session)).look()

    assert [option for option in ("Monday", "Tuesday", "Friday", "Full time") if option not in page.words] == []
    assert chosen(page) == 0
    assert page.words.count("To be filled in by Grace") == 2


def chosen(page: Page) -> int:
    """The number of options that are shown as chosen."""
    return len([entry for entry in page.all("li") if entry.get("class") == "chosen"])


def described_by(page: Page) -> set[str]:
    found = (str(attributes.get("aria-describedby") or "") for _, attributes in page.tags)
    return {part for ids in found for part in ids.split()}
