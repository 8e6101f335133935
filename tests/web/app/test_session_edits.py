"""The pages that change a session: the API's rules at the inputs, and what the session's page says afterwards."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic.alias_generators import to_camel

from application.time_zones import day_in
from domain.session.recipients import AddressedRecipient, RecipientStatus, RecipientVerification
from domain.session.reminder_schedule import ReminderFrequency
from domain.session.settings import TemplateSettings
from tests.builders import NOON, ORGANISATION, audit, submission
from tests.web.app.office import Made, Office, Visitor
from tests.web.app.test_session_actions import BY_ADA, held, last_actor, press
from tests.web.app.test_session_page import IN_ORDER, path_of
from tests.web.html import Page
from web.app.session_edits import days_until

EVERYTHING = {
    "/name": "Lease", "/message": "Please sign.\r\nThank you.", "/expiryDays": "14", "/reminderFrequency": "daily",
    "/recipientVerification": "emailCode", "/delegation": "true",
}  # fmt: skip


async def submit(visitor: Visitor, made: Made, page: str, **changes: str) -> httpx.Response:
    """Posts the form of the page with changes."""
    path = path_of(made, page)
    form = {**(await visitor.look(path)).form(), **changes}
    return await visitor.browser.post(path, data={name: value for name, value in form.items() if name != "to"})


def correct(made: Made, who: int = 0) -> str:
    return f"recipients/{made['recipients'][who]['recipientId']}/correct"


async def test_a_draft_is_edited(office: Office, draft: Made, ada: Visitor) -> None:
    changes = {**EVERYTHING, "/recipients/0/signingOrder": "2", "/recipients/1/signingOrder": "1",
               "/recipients/1/name": "Grace Brewster", "/recipients/1/email": "Grace@Right.example"}  # fmt: skip
    answer = await submit(ada, draft, "edit", **changes)

    assert answer.headers["location"] == f"{path_of(draft)}?done=edited"
    now = held(office, draft)
    assert (now.name, now.message, now.expiry_days) == ("Lease", "Please sign.\nThank you.", 14)
    assert (now.reminder_enabled, now.reminder_frequency) == (True, ReminderFrequency.DAILY)
    assert now.recipient_verification is RecipientVerification.EMAIL_CODE
    assert now.delegation
    assert "recipients may ask someone else" in (await ada.look(path_of(draft))).words
    assert [(r.key, r.name, r.email, r.signing_order) for r in now.recipients] == [
        ("ada", "Ada Lovelace", "ada@example.com", 2), ("grace", "Grace Brewster", "grace@right.example", 1),
    ]  # fmt: skip
    assert await last_actor(office, draft, "session.edited") == BY_ADA
    assert "Ada Byron edited the draft" in (await ada.look(path_of(draft))).words


async def test_the_role_of_a_recipient_is_chosen_unless_a_document_names_them(
    office: Office, draft: Made, ada: Visitor
) -> None:
    assert (await submit(ada, draft, "edit", **{"/recipients/1/role": "copy"})).headers["location"].endswith("edited")
    assert [recipient.role for recipient in held(office, draft).recipients] == ["signer", "copy"]
    people = {"/recipients/0/role": "approver", "/recipients/1/role": "signer"}
    wrong = await submit(ada, draft, "edit", **people)
    assert wrong.status_code == 422
    assert 'id="input-recipients-0-role-problem"' in wrong.text
    assert "Ada, Role: The recipient “ada” has the role approver" in Page(wrong.text).words


async def test_the_form_of_a_draft_changes_nothing_by_itself(office: Office, ada: Visitor) -> None:
    person = {**IN_ORDER[0], "delivery": "none", "language": "de"}
    settings = {"message": "Hello", "expiryDays": 30, "reminderEnabled": True, "recipientVerification": "emailCode",
                "delegation": True, "language": "fr"}  # fmt: skip
    draft = await office.service.create(**settings, recipients=[person, *IN_ORDER[1:]], metadata={"a": "b"})
    assert settings.keys() >= {to_camel(name) for name in TemplateSettings.model_fields} - {"reminderFrequency"}
    assert person.keys() >= {to_camel(name) for name in AddressedRecipient.model_fields} - {"role", "signingOrder"}
    before = held(office, draft)
    assert (await submit(ada, draft, "edit")).headers["location"].endswith("?done=edited")
    assert held(office, draft) == before


async def test_every_mistake_stands_at_its_input_and_nothing_is_lost(office: Office, draft: Made, ada: Visitor) -> None:
    wrong = {"/name": " ", "/expiryDays": "soon", "/recipients/0/email": "nobody", "/recipients/1/signingOrder": "0",
             "/message": "x" * 1001}  # fmt: skip
    answer = await submit(ada, draft, "edit", **wrong)
    assert answer.status_code == 422
    for name in wrong:
        assert f'id="input{name.replace("/", "-")}-problem"' in answer.text, name
    assert 'value="nobody"' in answer.text
    assert "Ada, Email address: Enter a full email address, like ada@example.com." in Page(answer.text).words
    assert held(office, draft).name == draft["name"]


async def test_a_token_in_a_name_stands_at_its_input(draft: Made, ada: Visitor) -> None:
    answer = await submit(ada, draft, "edit", **{"/recipients/0/name": "{{{name}}}"})
    assert answer.status_code == 422
    assert 'id="input-recipients-0-name-problem"' in answer.text


async def test_a_form_without_a_recipient_of_the_document_is_refused(draft: Made, ada: Visitor) -> None:
    answer = await submit(ada, draft, "edit", **{"/recipients/0/key": "other"})
    assert answer.status_code == 422
    assert "needs the recipient “ada”" in answer.text


@pytest.mark.parametrize("page", ["edit", "schedule"])
async def test_a_page_that_does_not_fit_the_status_leads_back(page: str, draft: Made, sent: Made, ada: Visitor) -> None:
    made = sent if page == "edit" else draft
    answer = await ada.browser.get(path_of(made, page))
    assert answer.headers["location"].startswith(f"{path_of(made)}?error=not-")


async def test_a_recipient_is_corrected(office: Office, sent: Made, ada: Visitor) -> None:
    answer = await submit(ada, sent, correct(sent), **{"/name": "Ada King", "/email": "ada@right.example"})

    assert answer.headers["location"] == f"{path_of(sent)}?done=corrected-and-invited"
    first = held(office, sent).recipients[0]
    assert (first.name, first.email, first.invitation.number) == ("Ada King", "ada@right.example", 2)
    page = (await ada.look(answer.headers["location"])).words
    assert "An invitation is on its way to the new address" in page
    assert "Ada Byron replaced Ada Lovelace <ada@example.com> with Ada King <ada@right.example>" in page
    assert "Ada Lovelace was invited to sign" in page  # at that time
    assert "Ada King was invited to sign" in page


async def test_a_name_is_corrected_without_an_email(office: Office, sent: Made, ada: Visitor) -> None:
    answer = await submit(ada, sent, correct(sent), **{"/name": "Ada King"})
    assert answer.headers["location"] == f"{path_of(sent)}?done=corrected"
    assert held(office, sent).recipients[0].invitation.number == 1
    assert "corrected the name of Ada Lovelace to Ada King" in (await ada.look(path_of(sent))).words


async def test_a_recipient_who_waits_is_corrected_without_an_email(office: Office, sent: Made, ada: Visitor) -> None:
    answer = await submit(ada, sent, correct(sent, 1), **{"/email": "grace@right.example"})
    assert answer.headers["location"] == f"{path_of(sent)}?done=corrected"
    assert held(office, sent).recipients[1].status is RecipientStatus.WAITING


async def test_a_wrong_address_stands_at_its_input(office: Office, sent: Made, ada: Visitor) -> None:
    answer = await submit(ada, sent, correct(sent), **{"/email": "nobody", "/name": ""})
    assert answer.status_code == 422
    assert 'id="input-email-problem"' in answer.text
    assert 'id="input-name-problem"' in answer.text
    assert held(office, sent).recipients[0].email == "ada@example.com"


async def test_a_recipient_who_has_signed_cannot_be_corrected(office: Office, sent: Made, ada: Visitor) -> None:
    session = held(office, sent)
    form = (await ada.look(path_of(sent, correct(sent)))).form()
    await office.service.sessions.take(session.sign(session.recipients[0].recipient_id, submission(), audit()))
    answer = await ada.browser.get(path_of(sent, correct(sent)))
    assert answer.headers["location"].endswith("?error=not-correctable")
    answer = await ada.browser.post(path_of(sent, correct(sent)), data={**form, "/name": "Ada King"})
    assert answer.headers["location"].endswith("?error=not-correctable")
    assert "the recipient has already finished" in (await ada.look(answer.headers["location"])).words


async def test_an_unknown_recipient_is_not_there(sent: Made, ada: Visitor) -> None:
    await ada.look(path_of(sent, f"recipients/{sent['sessionId']}/correct"), status=404)


async def test_a_recipient_is_reminded_now(office: Office, sent: Made, ada: Visitor) -> None:
    path = f"recipients/{sent['recipients'][0]['recipientId']}/remind"
    answer = await press(ada, sent, path)
    assert answer.headers["location"] == f"{path_of(sent)}?done=reminded"
    assert held(office, sent).recipients[0].reminders == 1
    assert "Ada Byron reminded Ada Lovelace" in (await ada.look(path_of(sent))).words
    again = await press(ada, sent, path)
    assert again.headers["location"] == f"{path_of(sent)}?error=reminded-lately"
    assert "within the last hour" in (await ada.look(again.headers["location"])).words


async def test_all_whose_turn_it_is_are_reminded_by_a_button_that_is_there_while_it_can(
    office: Office, ada: Visitor
) -> None:
    both = [{**recipient, "signingOrder": 1} for recipient in IN_ORDER]
    made = await office.service.create(sendImmediately=True, recipients=both)
    button = path_of(made, "remind")
    before = await ada.look(path_of(made))
    answer = await press(ada, made, "remind")
    after = await ada.look(path_of(made))
    again = await press(ada, made, "remind")

    assert button in {form["action"] for form in before.all("form")}
    assert "Emails a reminder to Ada Lovelace, Grace Hopper, with the link they already have." in before.words
    assert answer.headers["location"] == f"{path_of(made)}?done=reminded"
    assert [recipient.reminders for recipient in held(office, made).recipients] == [1, 1]
    assert button not in {form["action"] for form in after.all("form")}
    assert again.headers["location"] == f"{path_of(made)}?error=reminded-lately"


async def test_a_draft_has_no_reminders(draft: Made, ada: Visitor) -> None:
    page = await ada.look(path_of(draft))
    assert path_of(draft, "remind") not in {form["action"] for form in page.all("form")}
    assert (await press(ada, draft, "remind")).headers["location"] == f"{path_of(draft)}?error=session-not-active"


@given(
    minutes=st.integers(0, 2 * 365 * 24 * 60),
    days=st.integers(1, 700),
    zone=st.sampled_from(["UTC", "Australia/Sydney", "America/New_York", "Pacific/Kiritimati", "America/St_Johns"]),
)
def test_the_chosen_day_is_the_day_of_the_deadline_in_the_zone(minutes: int, days: int, zone: str) -> None:
    sent_at = NOON + timedelta(minutes=minutes)
    day = day_in(zone, sent_at) + timedelta(days=days)
    deadline = sent_at + timedelta(days=days_until(day, sent_at, zone))
    late = timedelta(days=1)  # on a day of 23 hours, the time of day does not exist
    assert day <= day_in(zone, deadline) <= day + late
    assert day_in(zone, deadline) == day or day_in(zone, deadline - late) < day


async def test_the_form_and_the_deadline_agree_in_the_zone_of_the_organisation(office: Office, ada: Visitor) -> None:
    northwind = await office.service.organisations.get(ORGANISATION)
    assert northwind
    await office.service.organisations.add(replace(northwind, time_zone="Pacific/Kiritimati"))  # 14 hours ahead
    sent = await office.service.create(sendImmediately=True, expiryDays=30)
    before = held(office, sent).expires_at
    assert before
    shown = (await ada.look(path_of(sent, "schedule"))).input("/expiryDays")["value"]
    assert shown == (before + timedelta(hours=14)).date().isoformat()

    later = (date.fromisoformat(str(shown)) + timedelta(days=1)).isoformat()
    await submit(ada, sent, "schedule", **{"/expiryDays": later})

    assert held(office, sent).expires_at == before + timedelta(days=1)


async def test_the_deadline_is_moved_and_removed(office: Office, ada: Visitor) -> None:
    sent = await office.service.create(sendImmediately=True, expiryDays=30)
    before = held(office, sent)
    assert before.expires_at
    later = (before.expires_at + timedelta(days=10)).date().isoformat()

    answer = await submit(ada, sent, "schedule", **{"/expiryDays": later, "/reminderFrequency": "weekly"})

    assert answer.headers["location"] == f"{path_of(sent)}?done=rescheduled"
    now = held(office, sent)
    assert (now.expires_at, now.reminder_frequency) == (before.expires_at + timedelta(days=10), "weekly")
    assert now.reminder_enabled
    await submit(ada, sent, "schedule", never="yes")
    assert held(office, sent).expires_at is None
    assert "This session has no deadline." in (await ada.look(path_of(sent, "schedule"))).words
    await submit(ada, sent, "schedule", **{"/reminderFrequency": "off"})
    assert not held(office, sent).reminder_enabled


@pytest.mark.parametrize("day", ["", "tomorrow", "2020-01-01", "2199-01-01"])
async def test_a_deadline_that_cannot_be_is_refused_at_its_input(office: Office, day: str, ada: Visitor) -> None:
    sent = await office.service.create(sendImmediately=True, expiryDays=30)
    before: Any = held(office, sent)
    answer = await submit(ada, sent, "schedule", **{"/expiryDays": day})
    assert answer.status_code == 422
    assert 'id="input-expiryDays-problem"' in answer.text
    assert held(office, sent) == before


async def test_links_lead_to_what_the_status_allows(office: Office, draft: Made, sent: Made, ada: Visitor) -> None:
    links = (await ada.look(path_of(draft))).links()
    assert path_of(draft, "edit") in links
    assert not [link for link in links if link.endswith(("/correct", "/schedule"))]
    page = await ada.look(path_of(sent))
    assert {path_of(sent, correct(sent, who)) for who in (0, 1)} | {path_of(sent, "schedule")} <= set(page.links())
    assert path_of(sent, "edit") not in page.links()
    assert page.words.count("Remind now") == 1
    await office.service.complete(sent["sessionId"])
    assert not [link for link in (await ada.look(path_of(sent))).links() if link.endswith(("/correct", "/schedule"))]
