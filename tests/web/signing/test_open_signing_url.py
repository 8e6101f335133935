"""Visits that a program opens for a recipient: by an address that works once, without cookies."""

import re
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from http import HTTPStatus
from typing import Any

import httpx
from itsdangerous import TimestampSigner, URLSafeTimedSerializer

from adapters.database.tables.sessions import SigningUrlRow
from application.scopes import Scope
from domain.audit.events import EventType
from domain.ports.database import ClientCredentials, Organisation
from domain.ports.signing_urls import SigningUrl
from domain.session.recipients import Delivery, RecipientVerification
from domain.session.session import Session
from domain.session.signing_links import Link, link_hash, make_token
from domain.session.status import SessionStatus
from domain.shared.ids import ClientId
from tests.builders import ORGANISATION, identifier, recipient
from tests.web.desk import KEYS, Desk, Visitor, filled_in
from tests.web.html import Page
from web.asgi.middleware import HeadRequests
from web.signing.signing_url_visit import LIFETIME, Tickets

SHOP = "https://shop.example.com"
PROGRAM = ClientId(identifier("shop"))


async def url_for(desk: Desk, session: Session, **members: Any) -> str:
    """The path of an address for Ada. Pages of `SHOP` may frame it, unless `members` has another origin."""
    await desk.organisations.add(Organisation(ORGANISATION, "Northwind Trading", frame_origins=(SHOP,)))
    if await desk.organisations.find_client(PROGRAM) is None:
        await desk.organisations.add_client(
            ClientCredentials(PROGRAM, ORGANISATION, "Shop", "", (Scope.WRITE_SIGNING_URLS,))
        )
    ada, now = desk.recipient(session, "ada"), datetime.now(UTC)
    standard = {"origin": SHOP, "return_url": None, "ends_at": now + timedelta(minutes=10)}
    url = SigningUrl(
        recipient_id=ada.recipient_id, invitation=ada.invitation.number, client_id=PROGRAM, **{**standard, **members}
    )
    secret = datetime.now(UTC).isoformat().encode().rjust(32)[:32]
    await desk.signing_urls.add(Link(session.organisation_id, session.session_id, link_hash(secret)), url, now)
    return f"/open/{make_token(session.organisation_id, session.session_id, secret)}"


async def come_by_program(desk: Desk, session: Session, **members: Any) -> Visitor:
    browser = desk.browser()
    opened = await browser.get(await url_for(desk, session, **members))
    assert opened.status_code == HTTPStatus.SEE_OTHER, opened.text
    assert not browser.cookies
    return Visitor(browser, opened.headers["location"])


def ancestors(answer: httpx.Response) -> str:
    policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
    return policy["frame-ancestors"]


async def test_a_recipient_signs_without_cookies(desk: Desk, session: Session) -> None:
    ada = await come_by_program(desk, session)

    reviewed = await ada.post(filled_in(session, act="review"))
    signed = await ada.post(filled_in(session))
    done = await ada.look()

    assert reviewed.status_code == HTTPStatus.OK
    assert f'action="{ada.path}"' in reviewed.text
    assert signed.headers["location"] == ada.path
    assert "signed" in done.words
    assert not ada.browser.cookies
    assert desk.recipient(session, "ada").program == PROGRAM
    pages = [await ada.browser.get(ada.path + "/decline"), reviewed]
    assert all(str(desk.recipient(session, "ada").recipient_id) not in page.text for page in pages)


async def test_the_events_name_the_program(desk: Desk, session: Session) -> None:
    ada = await come_by_program(desk, session)
    await ada.post(filled_in(session))

    events = (await desk.rows.find_history(session.organisation_id, session.session_id)).events  # type: ignore[union-attr]

    named = {event.type: event.details.get("program") for event in events}
    assert {kind for kind, program in named.items() if program == PROGRAM} == {
        EventType.RECIPIENT_VIEWED,
        EventType.RECIPIENT_CONSENTED,
        EventType.RECIPIENT_COMPLETED,
    }


async def test_an_address_works_once_and_for_ten_minutes(desk: Desk, session: Session) -> None:
    used = await url_for(desk, session)
    assert (await desk.browser().get(used)).status_code == HTTPStatus.SEE_OTHER
    over = await url_for(desk, session, ends_at=datetime.now(UTC) - timedelta(seconds=1))
    unknown = make_token(session.organisation_id, session.session_id, b"x" * 32)

    answers = [await desk.browser().get(path) for path in (used, over, f"/open/{unknown}", "/open/x")]

    assert [answer.status_code for answer in answers] == [HTTPStatus.GONE] * 2 + [HTTPStatus.NOT_FOUND] * 2
    assert "Open the documents again" in Page(answers[0].text).words
    assert [ancestors(answer) for answer in answers] == [SHOP] * 2 + ["'none'"] * 2


async def test_only_the_listed_origin_may_frame_a_visit(desk: Desk, session: Session) -> None:
    ada = await come_by_program(desk, session)
    framed = await ada.browser.get(ada.path)
    alone = await come_by_program(desk, session, origin=None)
    unlisted = await come_by_program(desk, session, origin="https://other.example.com")

    others = [await visitor.browser.get(visitor.path) for visitor in (alone, unlisted)]

    assert (ancestors(framed), framed.headers.get("x-frame-options")) == (SHOP, None)
    assert f'data-origin="{SHOP}" data-act="loaded"' in framed.text
    assert [(ancestors(one), one.headers["x-frame-options"]) for one in others] == [("'none'", "DENY")] * 2
    assert all("data-origin" not in one.text for one in others)
    await desk.organisations.add(Organisation(ORGANISATION, "Northwind Trading"))
    assert ancestors(await ada.browser.get(ada.path)) == "'none'"


async def test_the_link_in_an_email_can_never_be_framed(desk: Desk, session: Session) -> None:
    await url_for(desk, session)
    ada = await desk.come_in(session)
    answers = [await ada.browser.get(ada.path), await ada.browser.get(desk.link(session))]
    assert [ancestors(answer) for answer in answers] == ["'none'"] * 2


async def test_pages_report_what_the_recipient_did(desk: Desk, session: Session) -> None:
    ada = await come_by_program(desk, session)
    loaded = await ada.browser.get(ada.path)
    declining = {"csrf": (await ada.look()).form()["csrf"], "reason": "The fee is wrong."}
    await ada.browser.post(f"{ada.path}/decline", data=declining)
    declined = await ada.browser.get(ada.path)

    again = await desk.send(name="Another")
    signer = await come_by_program(desk, again)
    await signer.post(filled_in(again))
    signed = await signer.browser.get(signer.path)

    acts = [text.split('data-act="')[1].split('"')[0] for text in (loaded.text, declined.text, signed.text)]
    assert acts == ["loaded", "declined", "signed"]


class Earlier(TimestampSigner):
    """A clock that is two hours and a minute behind."""

    def get_timestamp(self) -> int:
        return super().get_timestamp() - LIFETIME - 60


def out_of_time(ada: Visitor) -> str:
    """The path of a visit that began two hours and a minute before."""
    keying = {"key_derivation": "hmac", "digest_method": sha256}
    now = URLSafeTimedSerializer(KEYS.cookie, salt="undersign.ticket", signer_kwargs=keying)
    then = URLSafeTimedSerializer(KEYS.cookie, salt="undersign.ticket", signer_kwargs=keying, signer=Earlier)
    return f"/signing/{then.dumps(now.loads(ada.path.removeprefix('/signing/')))!s}"


async def test_a_visit_ends_after_two_hours(desk: Desk, session: Session) -> None:
    ada = await come_by_program(desk, session)

    answer = await ada.browser.get(out_of_time(ada))

    assert LIFETIME == 7200
    assert (answer.status_code, ancestors(answer)) == (HTTPStatus.FORBIDDEN, SHOP)
    assert 'data-act="expired"' in answer.text


async def test_pages_of_addresses_and_visits_that_are_over_are_in_the_language_of_the_session(desk: Desk) -> None:
    session = await desk.send(language="de")
    ada = await come_by_program(desk, session)
    over = await url_for(desk, session, ends_at=datetime.now(UTC) - timedelta(seconds=1))

    answers = [await ada.browser.get(path) for path in (over, out_of_time(ada), out_of_time(ada) + "~fr")]

    assert ['<html lang="de"' in answer.text for answer in answers] == [True, True, False]
    assert '<html lang="fr"' in answers[2].text


async def test_a_forged_ticket_opens_nothing(desk: Desk, session: Session) -> None:
    ada = await come_by_program(desk, session)
    ticket = ada.path.removeprefix("/signing/")
    visit, _ = Tickets(KEYS.cookie).read(ticket)
    for forged in (ticket[:-2], ticket.upper(), Tickets(b"another key" * 3).write(visit), "x"):
        assert (await desk.browser().get(f"/signing/{forged}")).status_code == HTTPStatus.FORBIDDEN


async def test_a_return_url_is_gone_to_after_signing_and_declining(desk: Desk, session: Session) -> None:
    ada = await come_by_program(desk, session, origin=None, return_url=f"{SHOP}/orders?number=7")
    page = await ada.browser.get(ada.path)
    await ada.post(filled_in(session))
    signed = await ada.browser.get(ada.path)
    over = await url_for(
        desk, session, origin=None, return_url=f"{SHOP}/orders", ends_at=datetime.now(UTC) - timedelta(seconds=1)
    )

    expired = await desk.browser().get(over)

    assert f"form-action 'self' {SHOP};" in page.headers["content-security-policy"]
    assert signed.headers["location"] == f"{SHOP}/orders?number=7&event=signed"
    assert expired.headers["location"] == f"{SHOP}/orders?event=expired"


async def test_in_a_frame_a_link_leads_to_the_return_url(desk: Desk, session: Session) -> None:
    ada = await come_by_program(desk, session, return_url=f"{SHOP}/orders")
    await ada.post(filled_in(session))
    page = await ada.browser.get(ada.path)
    assert f'href="{SHOP}/orders?event=signed" target="_top"' in page.text


async def test_a_code_is_asked_for_before_the_address_is_used_up(desk: Desk) -> None:
    session = await desk.send(recipient_verification=RecipientVerification.EMAIL_CODE)
    browser, path = desk.browser(), await url_for(desk, session)

    card = await browser.get(path)
    await browser.post(path)
    wrong = await browser.post(f"{path}/code", data={"code": "12"})
    (code,) = set(re.findall(r"\b\d{6}\b", desk.mailer.sent[-1].subject))
    right = await browser.post(f"{path}/code", data={"code": code})

    assert (card.status_code, ancestors(card)) == (HTTPStatus.OK, SHOP)
    assert (wrong.status_code, ancestors(wrong)) == (HTTPStatus.UNPROCESSABLE_ENTITY, SHOP)
    assert right.headers["location"].startswith("/signing/")
    assert (await browser.get(path)).status_code == HTTPStatus.GONE


async def test_a_recipient_without_emails_is_invited_without_one(desk: Desk) -> None:
    session = await desk.send(recipients=(recipient("ada", 1, delivery=Delivery.NONE), recipient("grace", 2)))
    person = desk.recipient(session, "ada")
    assert (person.invitation.number, person.invitation.delivered) == (1, 0)

    ada = await come_by_program(desk, session)
    await ada.post(filled_in(session))

    assert desk.session(session).status is SessionStatus.IN_PROGRESS
    assert "email" not in (await ada.look()).words


async def test_erasing_a_session_erases_its_addresses(desk: Desk, session: Session) -> None:
    path = await url_for(desk, session)
    await desk.rows.erase(session.organisation_id, session.session_id, datetime.now(UTC))
    assert (await desk.browser().get(path)).status_code == HTTPStatus.NOT_FOUND
    assert await desk.database.read(SigningUrlRow) == []


async def test_declining_goes_to_the_return_url_too_and_a_form_after_the_end_does_not(
    desk: Desk, session: Session
) -> None:
    ada = await come_by_program(desk, session, origin=None, return_url=f"{SHOP}/orders")
    declining = {"csrf": (await ada.look()).form()["csrf"], "reason": "The fee is wrong."}
    await ada.browser.post(f"{ada.path}/decline", data=declining)

    looked = await ada.browser.get(ada.path)
    posted = await ada.browser.post(f"{ada.path}/draft", data=declining)

    assert looked.headers["location"] == f"{SHOP}/orders?event=declined"
    assert posted.status_code == HTTPStatus.OK
    assert f'href="{SHOP}/orders?event=declined"' in posted.text


async def test_looking_with_head_uses_nothing_up(desk: Desk, session: Session) -> None:
    desk.app.add_middleware(HeadRequests)
    path = await url_for(desk, session)
    assert (await desk.browser().head(path)).status_code == HTTPStatus.OK
    assert (await desk.browser().get(path)).status_code == HTTPStatus.SEE_OTHER


async def test_a_newer_invitation_ends_addresses_and_visits(desk: Desk, session: Session) -> None:
    path, ada = await url_for(desk, session), await come_by_program(desk, session)
    person = desk.recipient(session, "ada")
    await desk.change(desk.session(session).with_recipient(person, invitation=person.invitation.next()))

    answers = [await desk.browser().get(path), await ada.browser.get(ada.path)]

    assert [answer.status_code for answer in answers] == [HTTPStatus.NOT_FOUND] * 2
