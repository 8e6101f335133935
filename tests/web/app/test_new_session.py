"""A new session in the app: a template is chosen, its form is filled in, and a draft is made."""

from typing import Any

import pytest

from domain.session.session import Session
from domain.session.status import SessionStatus
from domain.shared.ids import SessionId
from tests.api.templates import template_request
from tests.web.app.office import EVE, Office, Visitor
from tests.web.app.test_template_pages import make

Form = dict[str, str]

FILLED: Form = {
    "value-tenant": "Ada Lovelace", "value-address": "12 Quay Street", "value-start": "2026-07-01",
    "email-tenant": "ada@example.com",
}  # fmt: skip


async def lease(office: Office, **changes: Any) -> str:
    """The address of the form for a template of a lease."""
    path = await make(office, **{**template_request(), **changes})
    return path.replace("/app/templates/", "/app/new/")


@pytest.fixture
async def form(office: Office) -> str:
    return await lease(office, message="Welcome", expiryDays=30, reminderEnabled=True)


async def post(visitor: Visitor, path: str, **changes: str) -> Any:
    page = await visitor.look(path)
    return await visitor.browser.post(path, data={**page.form(), **FILLED, **changes})


def made_by(office: Office, location: str) -> Session:
    return office.service.sessions.held[SessionId(location.rsplit("/", maxsplit=1)[-1].partition("?")[0])]


async def test_only_active_templates_are_offered(office: Office, ada: Visitor) -> None:
    assert "There are no active templates yet." in (await ada.look("/app/new")).words
    active = await lease(office, name="Active one")
    await lease(office, name="Draft one", activate=False)
    archived = await lease(office, name="Archived one")
    await office.service.http().delete(archived.replace("/app/new/", "/api/v1/Template/"))

    page = await ada.look("/app/new")

    assert {active, "/app/new/json"} <= set(page.links())
    assert "Active one" in page.words
    assert "Draft one" not in page.words
    assert "Archived one" not in page.words
    assert "/app/new" in (await ada.look("/app")).links()
    assert active in (await ada.look(active.replace("/app/new/", "/app/templates/"))).links()


async def test_the_form_has_the_defaults_of_the_template(form: str, ada: Visitor) -> None:
    page = await ada.look(form)

    entered = page.form()
    assert {name: entered[name] for name in ("value-rent", "name-landlord", "email-landlord", "order-landlord")} == {
        "value-rent": "1,250.00", "name-landlord": "Lena Lord", "email-landlord": "lena@example.com",
        "order-landlord": "2",
    }  # fmt: skip
    assert (entered["name-tenant"], entered["email-tenant"]) == ("", "")
    assert "Leave blank to use “Tenant” from the details above." in page.words.replace("\u2068", "").replace(
        "\u2069", ""
    )
    assert (entered["session-name"], entered["message"], entered["expiry-days"]) == ("Lease", "Welcome", "30")
    assert entered["reminders"] == "weekly"
    assert page.input("value-start")["type"] == "date"
    assert "inputmode" not in page.input("value-rent"), "the keyboard for decimals has no minus"
    assert "required" in page.input("value-address")
    assert "required" not in page.input("value-note")
    assert page.input("name-tenant")["autocomplete"] == "section-tenant name"
    assert page.input("email-tenant")["autocomplete"] == "section-tenant email"


async def test_a_filled_form_makes_a_draft(office: Office, form: str, ada: Visitor) -> None:
    changes = {"session-name": "Lease of Ada", "order-landlord": "1", "reminders": "off", "expiry-days": ""}
    answer = await post(ada, form, **changes)

    assert answer.status_code == 303, answer.text
    assert answer.headers["location"].endswith("?done=created")
    session = made_by(office, answer.headers["location"])
    assert (session.status, session.name, session.message) == (SessionStatus.DRAFT, "Lease of Ada", "Welcome")
    assert (session.expiry_days, session.reminder_enabled) == (None, False)
    assert [(r.name, r.email, r.signing_order) for r in session.recipients] == [
        ("Ada Lovelace", "ada@example.com", 1), ("Lena Lord", "lena@example.com", 1),
    ]  # fmt: skip
    page = await ada.look(answer.headers["location"])
    assert "Draft created. Review the pages, then send it." in page.words
    assert not office.service.mailer.sent


async def test_every_issue_is_at_its_input_and_what_was_entered_stays(office: Office, form: str, ada: Visitor) -> None:
    answer = await post(
        ada,
        form,
        **{
            "value-tenant": "Ada & <b>", "value-address": " ", "value-start": "tomorrow", "value-rent": "much",
            "name-landlord": "", "email-tenant": "nobody", "email-landlord": "", "order-tenant": "first",
            "session-name": "", "expiry-days": "soon", "message": "Kept",
        },
    )  # fmt: skip

    assert answer.status_code == 422
    page = type(await ada.look(form))(answer.text)
    wrong = {
        "value-address", "value-start", "value-rent", "name-landlord", "email-tenant", "email-landlord",
        "order-tenant", "session-name", "expiry-days",
    }  # fmt: skip
    assert {name for name in page.names() if name != "form" and page.input(name).get("aria-invalid") == "true"} == wrong
    assert {link for link in page.links() if link.startswith("#") and link != "#content"} == {f"#{n}" for n in wrong}
    assert {f"{name}-problem" for name in wrong} <= set(page.ids())
    words = page.words.replace("\u2068", "").replace("\u2069", "")
    for sentence in (
        "Enter a value for “address”.", "Enter a date as year-month-day", "Enter a number, such as 1,250.00.",
        "Enter a name for the session.", "Enter a full email address", "Write a whole number",
    ):  # fmt: skip
        assert sentence in words
    entered = page.form()
    assert (entered["value-tenant"], entered["message"], entered["email-tenant"]) == ("Ada & <b>", "Kept", "nobody")
    assert "Please correct: New session" in words
    assert not office.service.sessions.held
    assert not office.service.objects.objects


async def test_a_value_that_does_not_fit_the_document_is_refused_at_its_input(office: Office, ada: Visitor) -> None:
    document = {**template_request()["document"], "title": "Lease of {{{tenant}}}"}
    form = await lease(office, document=document)

    answer = await post(ada, form, **{"value-tenant": "x" * 300, "value-start": "2026-07-01"})

    assert answer.status_code == 422
    page = type(await ada.look(form))(answer.text)
    assert page.input("value-tenant").get("aria-invalid") == "true"
    assert "/variableValues" not in page.words


async def test_a_blank_name_takes_the_values_of_the_template(office: Office, form: str, ada: Visitor) -> None:
    answer = await post(ada, form, **{"name-tenant": "Grace Hopper", "value-tenant": "Ada"})
    assert made_by(office, answer.headers["location"]).recipients[0].name == "Grace Hopper"


async def test_a_template_that_is_not_active_has_no_form(office: Office, ada: Visitor) -> None:
    draft = await lease(office, activate=False)
    page = draft.replace("/app/new/", "/app/templates/")
    assert (await ada.browser.get(draft)).headers["location"] == f"{page}?error=template-not-active"

    form = await lease(office, name="Other")
    entered = (await ada.look(form)).form()
    await office.service.http().delete(form.replace("/app/new/", "/api/v1/Template/"))
    answer = await ada.browser.post(form, data={**entered, **FILLED})
    assert answer.headers["location"].endswith("?error=template-not-active")
    assert "the template isn’t active" in (await ada.look(answer.headers["location"])).words


async def test_templates_of_others_and_forms_of_others_are_refused(office: Office, form: str, ada: Visitor) -> None:
    eve = await office.come_in(EVE)
    assert (await eve.browser.get(form)).status_code == 404
    token = (await eve.look("/app/organisation")).form()["form"]
    assert (await eve.browser.post(form, data={**FILLED, "form": token})).status_code == 404
    assert (await ada.browser.post(form, data={**FILLED, "form": token})).status_code == 403
    assert not office.service.sessions.held
