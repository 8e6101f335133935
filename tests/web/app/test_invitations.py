"""Nobody becomes a member without accepting, and equal names of organisations are told apart."""

import re

import pytest

from application.administration.invite import INVITATIONS_A_DAY, INVITATIONS_OF_ADDRESS_A_DAY
from domain.ports.administrative_acts import ActKind
from domain.ports.database import User
from domain.shared.roles import Role
from tests.api.service import STRANGER
from tests.builders import ORGANISATION
from tests.web.app.office import ADA, EVE, Office, Visitor
from tests.web.html import Page

USERS = "/app/organisation/users"
NEW = f"{USERS}/new"


async def invite(visitor: Visitor, email: str, role: str = "sender", name: str = "Robin Finch") -> str:
    return (await visitor.press(NEW, on=NEW, name=name, email=email, role=role)).headers["location"]


async def link_of(office: Office, email: str) -> str:
    await office.browser().post("/app/sign-in", data={"email": email})
    return office.mailed_link()


async def find(office: Office, email: str) -> list[User]:
    return [*await office.service.users.find_by_email(email)]


def buttons(page: str) -> list[str]:
    found = re.findall(r"<button[^>]*>(.*?)</button>", page, re.DOTALL)
    return [re.sub(r"<[^>]+>", "", words) for words in found]


@pytest.fixture
async def eve(office: Office) -> Visitor:
    """The administrator of another organisation with the same name as Ada's."""
    visitor = await office.come_in(EVE)
    settings = "/app/organisation/settings"
    form = {**(await visitor.look(settings)).form(), "name": "Northwind Trading"}
    assert (await visitor.browser.post(settings, data=form)).status_code == 303
    return visitor


async def test_a_member_of_one_organisation_is_asked_before_a_rival_of_the_same_name_gets_them(
    office: Office, eve: Visitor
) -> None:
    assert await invite(eve, ADA.email) == f"{USERS}?done=user-invited"

    page = (await office.browser().get(await link_of(office, ADA.email))).text
    words = Page(page).words

    assert len(set(buttons(page))) == len(buttons(page)) == 3
    assert "Eve invited you" in words
    assert STRANGER.organisation_id in words
    assert not (await find(office, ADA.email))[0].is_pending or not (await find(office, ADA.email))[1].is_pending
    rival = next(user for user in await find(office, ADA.email) if user.user_id != ADA.user_id)
    assert rival.is_pending


async def test_an_open_invitation_opens_nothing(office: Office, eve: Visitor) -> None:
    await invite(eve, "robin@harbour.example", "administrator")
    [robin] = await find(office, "robin@harbour.example")
    visitor = await office.come_in(robin)
    assert (await visitor.browser.get("/app")).status_code == 303
    assert (
        (await eve.press(f"{USERS}/{EVE.user_id}/disable", on=USERS)).headers["location"].endswith("last-administrator")
    )


async def test_a_declined_or_withdrawn_invitation_is_gone(office: Office, eve: Visitor) -> None:
    await invite(eve, ADA.email)
    link = await link_of(office, ADA.email)
    rival = next(user for user in await find(office, ADA.email) if user.is_pending)

    browser = office.browser()
    declined = await browser.post(link, data={"decline": rival.user_id})

    assert declined.headers["location"] == f"{link}?done=invitation-declined"
    assert buttons((await browser.get(link)).text) == ["Sign in to Northwind Trading"]
    assert [user.user_id for user in await find(office, ADA.email)] == [ADA.user_id]
    await invite(eve, "robin@harbour.example")
    [robin] = await find(office, "robin@harbour.example")
    withdrawn = await eve.press(f"{USERS}/{robin.user_id}/withdraw", on=USERS)
    assert withdrawn.headers["location"] == f"{USERS}?done=invitation-withdrawn"
    assert await find(office, "robin@harbour.example") == []


async def test_a_member_cannot_be_withdrawn_and_another_cannot_accept(office: Office, ada: Visitor) -> None:
    await ada.press(f"{USERS}/{ADA.user_id}/withdraw", on=USERS)
    assert [user.user_id for user in await find(office, ADA.email)] == [ADA.user_id]
    await invite(ada, "robin@harbour.example")
    [robin] = await find(office, "robin@harbour.example")
    stranger = await office.browser().post(await link_of(office, EVE.email), data={"user": robin.user_id})
    assert "set-cookie" not in stranger.headers
    assert (await find(office, "robin@harbour.example"))[0].is_pending


async def test_invitations_of_an_organisation_and_of_an_address_are_limited(office: Office, ada: Visitor) -> None:
    for number in range(INVITATIONS_A_DAY):
        assert await invite(ada, f"p{number}@harbour.example") == f"{USERS}?done=user-invited"
    sent = len(office.service.mailer.sent)
    assert await invite(ada, "more@harbour.example") == f"{USERS}?error=too-many-invitations"
    assert len(office.service.mailer.sent) == sent
    assert await find(office, "more@harbour.example") == []


async def test_an_address_is_not_flooded_by_invitations_and_withdrawals(office: Office, ada: Visitor) -> None:
    for _ in range(INVITATIONS_OF_ADDRESS_A_DAY):
        assert await invite(ada, "robin@harbour.example") == f"{USERS}?done=user-invited"
        [robin] = await find(office, "robin@harbour.example")
        await ada.press(f"{USERS}/{robin.user_id}/withdraw", on=USERS)
    assert await invite(ada, "robin@harbour.example") == f"{USERS}?error=too-many-invitations"


async def test_a_mail_to_an_invited_person_carries_no_link_of_the_inviter(office: Office, eve: Visitor) -> None:
    settings = "/app/organisation/settings"
    form = {**(await eve.look(settings)).form(), "name": "Prize at www.evil.example, call 0900 123456"}
    await eve.browser.post(settings, data=form)

    refused = await eve.press(
        NEW, on=NEW, name="Free prize at https://evil.example", email="r@x.example", role="sender"
    )
    await invite(eve, "robin@harbour.example")

    assert refused.status_code == 422
    mail = office.service.mailer.sent[-1]
    for text in (mail.text, mail.html, mail.subject):
        assert "evil.example" not in text
        assert "123456" not in text
    assert mail.from_name == "Undersign"


async def test_the_record_says_who_invited_whom_with_which_role(office: Office, ada: Visitor) -> None:
    await invite(ada, "robin@harbour.example", "viewer")
    [robin] = await find(office, "robin@harbour.example")
    entered = await office.browser().post(await link_of(office, robin.email), data={"user": robin.user_id})
    assert entered.headers["location"] == "/app"

    accepted, invited = await office.service.acts.list(ORGANISATION, 10)

    assert (invited.actor_id, invited.change.about, invited.ip) == (ADA.user_id, robin.user_id, "192.0.2.7")
    assert invited.change.after == {"name": "Robin Finch", "email": robin.email, "role": Role.VIEWER.value}
    assert (accepted.change.kind, accepted.actor_id) == (ActKind.INVITATION_ACCEPTED, robin.user_id)


async def test_an_invitation_is_sent_again_with_another_link(office: Office, ada: Visitor) -> None:
    await invite(ada, "robin@finch.example")
    (robin,), first = await find(office, "robin@finch.example"), office.mailed_link()
    page = f"{USERS}/{robin.user_id}"

    answer = await ada.press(f"{page}/invite", on=page)

    assert answer.headers["location"] == f"{page}?done=user-invited"
    assert office.service.mailer.sent[-1].to_email == "robin@finch.example"
    assert office.mailed_link() != first
    acts = await office.service.acts.list(ORGANISATION, 5)
    assert [act.change.kind for act in acts] == [ActKind.USER_INVITED] * 2
    assert f"{ADA.name} invited you" in (await office.browser().get(office.mailed_link())).text


async def test_invitations_that_are_sent_again_count(office: Office, ada: Visitor) -> None:
    await invite(ada, "robin@finch.example")
    (robin,) = await find(office, "robin@finch.example")
    page = f"{USERS}/{robin.user_id}"
    answers = [await ada.press(f"{page}/invite", on=page) for _ in range(INVITATIONS_OF_ADDRESS_A_DAY)]

    assert answers[-1].headers["location"] == f"{page}?error=too-many-invitations"


async def test_a_user_who_has_joined_is_not_invited_again(office: Office, ada: Visitor) -> None:
    page = f"{USERS}/{ADA.user_id}"
    sent = len(office.service.mailer.sent)
    assert (await ada.press(f"{page}/invite", on=page)).headers["location"] == page
    assert len(office.service.mailer.sent) == sent
