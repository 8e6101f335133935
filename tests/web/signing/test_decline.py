"""Declining on the signing page, and the pages after the end of a session."""

from datetime import timedelta
from http import HTTPStatus

import httpx
import pytest

from domain.ports.session_requests import SessionCommand
from domain.session.recipients import RecipientStatus
from domain.session.session import Session
from domain.session.status import SessionStatus
from domain.shared.limits import MAX_MESSAGE
from tests.builders import NOON, audit, recipient
from tests.fakes.sessions import FakeSessions
from tests.web.desk import Desk, Visitor, filled_in
from tests.web.html import Page

REASON = "The fee is wrong."
BOTH = (recipient("ada", 1), recipient("grace", 1))


async def form_of(visitor: Visitor) -> Page:
    answer = await visitor.browser.get(f"{visitor.path}/decline")
    assert answer.status_code == HTTPStatus.OK, answer.text
    return Page(answer.text)


async def decline(visitor: Visitor, reason: str = REASON, **headers: str) -> httpx.Response:
    form = {**(await form_of(visitor)).form(), "reason": reason}
    return await visitor.browser.post(f"{visitor.path}/decline", data=form, headers=headers)


async def test_the_page_is_linked_says_what_declining_means_and_needs_no_script(
    desk: Desk, session: Session, ada: Visitor
) -> None:
    page = await form_of(ada)

    assert f"{ada.path}/decline" in (await ada.look()).links()
    assert "nobody else can sign" in page.words
    assert page.all("form") == [{"method": "post", "action": f"{ada.path}/decline", "id": "typed", "novalidate": None}]
    assert page.names() == ["csrf", "reason"]
    assert ada.path in page.links()
    assert "required" in page.input("reason")
    assert page.all("script") == []
    assert desk.recipient(session, "ada").status is RecipientStatus.VIEWED


async def test_declining_ends_the_session_with_the_reason_and_the_evidence_names_the_decliner(desk: Desk) -> None:
    session = await desk.send(recipients=BOTH)
    ada = await desk.come_in(session)

    answer = await decline(ada, **{"User-Agent": "a browser"})

    assert (answer.status_code, answer.headers["location"]) == (HTTPStatus.SEE_OTHER, ada.path)
    assert desk.session(session).status is SessionStatus.DECLINED
    declined, other = desk.session(session).recipients
    assert (declined.status, declined.decline_reason) == (RecipientStatus.DECLINED, REASON)
    assert other.status is RecipientStatus.CANCELLED
    [request] = desk.sessions.requests
    assert request.audit.actor.id == request.recipient_id == declined.recipient_id
    assert (request.audit.ip, request.audit.user_agent) == ("192.0.2.7", "a browser")


async def test_after_declining_every_page_says_so_until_the_session_is_archived(
    desk: Desk, session: Session, ada: Visitor
) -> None:
    link = desk.link(session)
    await decline(ada)

    for answer in (await ada.browser.get(ada.path), await ada.browser.get(link), await ada.browser.post(link)):
        assert answer.status_code == HTTPStatus.OK
        assert "You’ve declined to sign" in Page(answer.text).words
        assert "We’ve told Northwind Trading that you declined “Consulting agreement”" in Page(answer.text).words
    sent = await ada.browser.get(f"{ada.path}/sent/{session.files[0].file_id}")
    assert "You’ve declined to sign" in Page(sent.text).words
    await desk.change(desk.session(session).archive(audit()).session)
    archived = await ada.browser.get(ada.path)
    assert archived.status_code == HTTPStatus.GONE
    assert "No longer available" in Page(archived.text).words


async def test_the_same_form_twice_is_one_refusal(desk: Desk, session: Session, ada: Visitor) -> None:
    form = {**(await form_of(ada)).form(), "reason": REASON}
    await ada.browser.post(f"{ada.path}/decline", data=form)

    again = await ada.browser.post(f"{ada.path}/decline", data={**form, "reason": "Another."})

    assert "You’ve declined to sign" in Page(again.text).words
    assert desk.recipient(session, "ada").decline_reason == REASON


async def test_other_recipients_see_that_it_has_ended_without_name_or_reason(desk: Desk) -> None:
    session = await desk.send(recipients=BOTH)
    link = desk.link(session, "grace")
    grace = await desk.come_in(session, "grace")
    form = (await grace.look()).form()
    await decline(await desk.come_in(session))

    answers = [
        await desk.browser().get(link),
        await desk.browser().post(link),
        await grace.browser.get(grace.path),
        await grace.browser.get(f"{grace.path}/decline"),
        await grace.post_form(form),
    ]

    assert {answer.status_code for answer in answers} == {HTTPStatus.GONE}
    for answer in answers:
        assert "These documents are no longer open" in Page(answer.text).words
        assert REASON not in answer.text
        assert "Ada" not in answer.text


async def test_a_recipient_who_has_signed_sees_that_another_declined(
    desk: Desk, session: Session, ada: Visitor
) -> None:
    await ada.post(filled_in(session))
    await decline(await desk.come_in(session, "grace"))

    page = await ada.look()

    assert "Another recipient declined" in page.words
    assert "when everyone has signed" not in page.words


async def test_a_recipient_who_has_signed_cannot_decline(desk: Desk, session: Session, ada: Visitor) -> None:
    form = {**(await form_of(ada)).form(), "reason": REASON}
    await ada.post(filled_in(session))

    answers = [
        await ada.browser.get(f"{ada.path}/decline"),
        await ada.browser.post(f"{ada.path}/decline", data=form),
        await ada.browser.post(f"{ada.path}/decline", data={**form, "reason": ""}),
    ]

    assert {answer.status_code for answer in answers} == {HTTPStatus.SEE_OTHER}
    pages = [Page((await ada.browser.get(answer.headers["location"])).text) for answer in answers]
    assert ["was not recorded" in page.words for page in pages] == [False, True, True]
    assert desk.session(session).status is SessionStatus.IN_PROGRESS


@pytest.mark.parametrize("reason", ["", "  \r\n\t ", "\x00\x07"])
async def test_without_a_reason_nothing_is_declined(desk: Desk, reason: str, session: Session) -> None:
    answer = await decline(await desk.come_in(session), reason)

    page = Page(answer.text)
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Please give a short reason" in page.words
    assert page.input("reason")["aria-invalid"] == "true"
    assert set(str(page.input("reason")["aria-describedby"]).split()) <= set(page.ids())
    assert desk.recipient(session, "ada").status is RecipientStatus.VIEWED


async def test_a_reason_that_is_too_long_stays_in_the_form(desk: Desk, session: Session, ada: Visitor) -> None:
    answer = await decline(ada, "x" * (MAX_MESSAGE + 1))
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert Page(answer.text).form()["reason"] == "x" * (MAX_MESSAGE + 1)
    assert desk.session(session).status is SessionStatus.PENDING


@pytest.mark.parametrize(
    ("typed", "stored"),
    [("  No:\r\n\tthe fee\x07\r\n", "No:\n\tthe fee"), ("ü" * MAX_MESSAGE, "ü" * MAX_MESSAGE)],
    ids=["with lines and a control character", "of the greatest length"],
)
async def test_a_reason_is_stored_with_its_lines_and_without_control_characters(
    desk: Desk, session: Session, ada: Visitor, typed: str, stored: str
) -> None:
    await decline(ada, typed)
    assert desk.recipient(session, "ada").decline_reason == stored


async def test_a_form_without_its_token_or_from_another_site_declines_nothing(
    desk: Desk, session: Session, ada: Visitor
) -> None:
    answers = [
        await ada.browser.post(f"{ada.path}/decline", data={"reason": REASON}),
        await ada.browser.post(f"{ada.path}/decline", data={"reason": REASON, "csrf": "x"}),
        await decline(ada, Origin="https://evil.example"),
        await desk.browser().get(f"{ada.path}/decline"),
    ]

    assert {answer.status_code for answer in answers} == {HTTPStatus.FORBIDDEN}
    assert desk.recipient(session, "ada").status is RecipientStatus.VIEWED


async def test_an_outage_while_declining_loses_nothing_that_was_typed(desk: Desk) -> None:
    ada = await desk.come_in(await desk.send())
    desk.sessions.runs.is_away = True

    answer = await decline(ada)

    assert answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert Page(answer.text).form()["reason"] == REASON
    assert "Nothing has been lost" in Page(answer.text).words


class OvertakenSessions(FakeSessions):
    """Sessions that expire during a request."""

    async def act(self, session: Session, command: SessionCommand, update_id: str | None = None) -> Session:
        await self._expire(session)
        return await super().act(session, command, update_id)

    async def _expire(self, session: Session) -> None:
        late = self.held[session.session_id].model_copy(update={"expires_at": NOON})
        await self.become(late.expire(audit()).session)


@pytest.mark.parametrize("act", ["open", "sign", "decline"])
async def test_an_action_overtaken_by_the_expiry_shows_the_deadline(desk: Desk, act: str, session: Session) -> None:
    if act == "open":
        desk.use(OvertakenSessions)
        browser = desk.browser()
        answer = await browser.post(desk.link(session))
    else:
        ada = await desk.come_in(session)
        browser = ada.browser
        desk.use(OvertakenSessions)
        answer = await (decline(ada) if act == "decline" else ada.post(filled_in(session)))

    shown = await browser.get(answer.headers["location"])

    assert (answer.status_code, shown.status_code) == (HTTPStatus.SEE_OTHER, HTTPStatus.GONE)
    assert "“Consulting agreement” was open until 12 June 2026, 12:00 UTC." in Page(shown.text).words


@pytest.mark.parametrize("noticed", [True, False])
async def test_when_the_time_is_over_the_link_says_so_at_once(desk: Desk, noticed: bool) -> None:
    session = (await desk.send()).model_copy(update={"expires_at": NOON + timedelta(days=1)})
    await desk.change(session.expire(audit(NOON + timedelta(days=1))).session if noticed else session)

    answers = [await desk.browser().get(desk.link(session)), await desk.browser().post(desk.link(session))]

    assert {answer.status_code for answer in answers} == {HTTPStatus.GONE}
    for answer in answers:
        page = Page(answer.text)
        assert "The deadline has passed" in page.words
        assert [time["datetime"] for time in page.all("time")] == [session.expires_at.isoformat()]
        assert "ask Northwind Trading" in page.words


async def test_the_invitation_shows_the_deadline_and_a_timely_signer_sees_the_expiry(
    desk: Desk, session: Session, ada: Visitor
) -> None:
    later = NOON + timedelta(days=365_000)
    await desk.change(desk.session(session).model_copy(update={"expires_at": later}))
    assert "Sign by" in Page((await desk.browser().get(desk.link(session))).text).words
    await ada.post(filled_in(session))
    await desk.change(desk.session(session).model_copy(update={"expires_at": NOON}).expire(audit()).session)

    page = await ada.look()

    assert "You’ve signed. Thank you!" in page.words
    assert "Not everyone signed in time" in page.words


async def test_names_in_notices_are_text_never_markup(desk: Desk) -> None:
    nasty = "<b>{organisation}</b>"
    ada = await desk.come_in(await desk.send(organisation_name=nasty))
    await decline(ada)
    answer = await ada.browser.get(ada.path)
    assert nasty in Page(answer.text).words
    assert "<b>" not in answer.text


async def test_a_second_device_hears_that_its_entries_were_not_recorded(
    desk: Desk, session: Session, ada: Visitor
) -> None:
    form = {**(await form_of(ada)).form(), "reason": REASON}
    await ada.browser.post(f"{ada.path}/decline", data=form)

    decline = f"{ada.path}/decline"
    posted = [(decline, form), (decline, {**form, "reason": "Another"}), (ada.path, filled_in(session))]
    pages = [Page((await ada.browser.post(path, data=entered)).text) for path, entered in posted]

    assert all("You’ve declined" in page.words for page in pages)
    assert ["was not recorded" in page.words for page in pages] == [False, True, True]
    assert desk.session(session).status is SessionStatus.DECLINED
