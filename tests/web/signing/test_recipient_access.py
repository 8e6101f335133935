from hashlib import sha256
from http import HTTPStatus

from itsdangerous import TimestampSigner, URLSafeTimedSerializer

from domain.session.session import Session
from tests.builders import recipient
from tests.web.desk import KEYS, Desk, Visitor
from tests.web.html import Page
from web.signing.recipient_access import LIFETIME


async def test_without_the_cookie_the_documents_stay_shut(desk: Desk, session: Session) -> None:
    path = f"/signing/{desk.recipient(session, 'ada').recipient_id}"
    answers = [await desk.browser().get(path), await desk.browser().post(path), await desk.browser().get(path + "0")]
    assert {answer.status_code for answer in answers} == {HTTPStatus.FORBIDDEN}
    assert "Open the link in your email" in Page(answers[0].text).words


async def test_a_cookie_of_one_recipient_opens_nothing_of_another(desk: Desk) -> None:
    session = await desk.send(recipients=(recipient("ada", 1), recipient("grace", 1)))
    ada = await desk.come_in(session)
    grace = desk.recipient(session, "grace").recipient_id
    [(name, value)] = ada.browser.cookies.items()
    renamed = name[: -len("000000000000")] + grace.replace("-", "")[:12]
    ada.browser.cookies.set(renamed, value)

    assert (await ada.browser.get(f"/signing/{grace}")).status_code == HTTPStatus.FORBIDDEN


async def test_a_cookie_that_was_changed_or_made_elsewhere_is_no_cookie(desk: Desk, ada: Visitor) -> None:
    [(name, value)] = ada.browser.cookies.items()
    forged = str(URLSafeTimedSerializer(b"another key", salt="undersign.visit").dumps(["o", "s", "h", "r"]))

    for wrong in (value[:-2], value.upper(), forged, ""):
        browser = desk.browser(Cookie=f"{name}={wrong}")
        assert (await browser.get(ada.path)).status_code == HTTPStatus.FORBIDDEN


async def test_the_cookie_does_not_hold_the_secret_of_the_link(desk: Desk, session: Session, ada: Visitor) -> None:
    secret = desk.link(session).removeprefix("/sign/")[43:]

    page = await ada.browser.get(ada.path)

    [value] = ada.browser.cookies.values()
    assert secret not in value
    assert secret not in page.text
    assert KEYS.cookie.decode() not in value


async def test_a_newer_invitation_ends_the_visit_by_the_older_link(desk: Desk, session: Session, ada: Visitor) -> None:
    form = (await ada.look()).form()
    person = desk.recipient(session, "ada")
    await desk.change(desk.session(session).with_recipient(person, invitation=person.invitation.next()))

    answers = [await ada.browser.get(ada.path), await ada.post_form(form)]

    assert [answer.status_code for answer in answers] == [HTTPStatus.NOT_FOUND] * 2


async def test_a_second_tab_does_not_spoil_the_form_of_the_first(desk: Desk, session: Session, ada: Visitor) -> None:
    first = (await ada.look()).form()["csrf"]
    await ada.browser.post(desk.link(session))
    assert (await ada.look()).form()["csrf"] == first


class Yesterday(TimestampSigner):
    """A clock that is twelve hours and a minute behind."""

    def get_timestamp(self) -> int:
        return super().get_timestamp() - LIFETIME - 60


async def test_a_visit_ends_after_twelve_hours(desk: Desk, ada: Visitor) -> None:
    [(name, value)] = ada.browser.cookies.items()
    keying = {"key_derivation": "hmac", "digest_method": sha256}
    now = URLSafeTimedSerializer(KEYS.cookie, salt="undersign.visit", signer_kwargs=keying)
    then = URLSafeTimedSerializer(KEYS.cookie, salt="undersign.visit", signer_kwargs=keying, signer=Yesterday)

    old = str(then.dumps(now.loads(value)))

    assert (await desk.browser(Cookie=f"{name}={old}").get(ada.path)).status_code == HTTPStatus.FORBIDDEN
    again = str(now.dumps(now.loads(value)))
    assert (await desk.browser(Cookie=f"{name}={again}").get(ada.path)).status_code == HTTPStatus.OK
