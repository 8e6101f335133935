"""The pages of users: invitation, role, name, disabling."""

import pytest
import structlog
from structlog.testing import capture_logs

from domain.ports.database import DatabaseUnavailable, User
from domain.ports.mail import MailNotSent
from domain.ports.sign_ins import LinkLimits, SignInLink
from domain.shared.ids import UserId
from domain.shared.object_names import digest
from domain.shared.roles import Role
from tests.builders import NOON, ORGANISATION, identifier
from tests.web.app.office import ADA, EVE, FOREVER, Office, Visitor
from tests.web.html import Page

USERS = "/app/organisation/users"
NEW = f"{USERS}/new"
IDA = User(UserId(identifier("ida")), ORGANISATION, "ida@northwind.example", "Ida Rhodes", Role.SENDER)
ENTRY = {"name": "Grace Hopper", "email": "Grace@Northwind.example", "role": "viewer"}


@pytest.fixture
async def ida(office: Office) -> str:
    """The page of another user."""
    await office.service.users.add(IDA)
    return f"{USERS}/{IDA.user_id}"


async def find(office: Office, email: str) -> User:
    [user] = [user for user in await office.service.users.list(ORGANISATION) if user.email == email]
    return user


async def test_an_invited_person_signs_in_with_the_link_in_the_email(office: Office, ada: Visitor) -> None:
    answer = await ada.press(NEW, **ENTRY)

    assert answer.headers["location"] == f"{USERS}?done=user-invited"
    user = await find(office, "grace@northwind.example")
    assert (user.name, user.role) == ("Grace Hopper", Role.VIEWER)
    mail = office.service.mailer.sent[-1]
    assert (mail.to_email, mail.from_name) == (user.email, "Undersign")
    assert mail.subject == "Invitation to Northwind Trading"
    assert "Ada Byron" in mail.text
    assert ORGANISATION in mail.text
    page = await ada.look(USERS)
    for shown in (user.name, user.email, "Viewer", ADA.name):
        assert shown in page.words
    assert EVE.email not in page.words

    browser = office.browser()
    link = office.mailed_link()
    invitation = Page((await browser.get(link)).text).words
    assert "Ada Byron invited you" in invitation
    assert ORGANISATION in invitation
    assert user.is_pending
    entered = await browser.post(link, data={"user": user.user_id})
    assert entered.headers["location"] == "/app"
    assert (await browser.get("/app")).status_code == 200
    assert not (await find(office, user.email)).is_pending


async def test_all_problems_of_an_invitation_are_shown_and_nobody_is_added(office: Office, ada: Visitor) -> None:
    before = await office.service.users.list(ORGANISATION)

    answer = await ada.press(NEW, name="two\nlines", email="nowhere", role="owner")

    assert answer.status_code == 422
    page = Page(answer.text)
    for shown in ("Enter 1 to 100 characters in one line.", "Enter a full email address", "Select a role."):
        assert shown in page.words
    assert page.input("email")["value"] == "nowhere"
    assert await office.service.users.list(ORGANISATION) == before
    assert office.service.mailer.sent == []


async def test_an_address_is_invited_once_to_each_organisation(office: Office, ada: Visitor) -> None:
    taken = await ada.press(NEW, **{**ENTRY, "email": ADA.email.upper()})
    assert "has this address already" in Page(taken.text).words

    other = await ada.press(NEW, **{**ENTRY, "email": EVE.email})

    assert other.headers["location"] == f"{USERS}?done=user-invited"


async def test_a_user_whose_email_could_not_be_sent_is_added_and_the_page_says_so(office: Office, ada: Visitor) -> None:
    office.service.mailer.failure = MailNotSent("the mail server does not answer")
    assert (await ada.press(NEW, **ENTRY)).headers["location"] == f"{USERS}?done=user-added"
    assert (await find(office, "grace@northwind.example")).role is Role.VIEWER


async def test_an_address_with_many_open_links_gets_no_more(office: Office, ada: Visitor) -> None:
    for number in range(5):
        link = SignInLink(digest(bytes([number])), "grace@northwind.example", "/app", FOREVER)
        await office.service.sign_ins.store_link(link, NOON, LinkLimits(99, 99))
    assert (await ada.press(NEW, **ENTRY)).headers["location"] == f"{USERS}?done=user-added"
    assert office.service.mailer.sent == []


@pytest.mark.usefixtures("ida")
async def test_the_list_says_when_a_user_last_signed_in(office: Office, ada: Visitor) -> None:
    before = (await ada.look(USERS)).words.count("Last signed in")
    await office.come_in(IDA)
    found = await find(office, IDA.email)
    page = await ada.look(USERS)
    assert (before, page.words.count("Last signed in")) == (1, 2)
    assert found.signed_in_at is not None
    assert found.signed_in_at.isoformat() in [time["datetime"] for time in page.all("time")]


async def test_name_and_role_of_a_user_are_changed(office: Office, ada: Visitor, ida: str) -> None:
    page = await ada.look(ida)
    assert page.input("name")["value"] == IDA.name

    answer = await ada.press(ida, on=ida, name="Ida Rhodes-Smith", role="administrator")

    assert answer.headers["location"] == f"{ida}?done=user-saved"
    changed = await find(office, IDA.email)
    assert (changed.name, changed.role) == ("Ida Rhodes-Smith", Role.ADMINISTRATOR)
    refused = await ada.press(ida, on=ida, name=" ", role="")
    assert refused.status_code == 422
    assert "Select a role." in Page(refused.text).words
    assert await find(office, IDA.email) == changed


async def test_a_disabled_user_is_signed_out_until_they_are_enabled(office: Office, ada: Visitor, ida: str) -> None:
    theirs = await office.come_in(IDA)
    await theirs.look("/app")

    assert (await ada.press(f"{ida}/disable", on=ida)).headers["location"] == f"{ida}?done=user-disabled"

    assert (await theirs.browser.get("/app")).status_code == 303
    assert "disabled" in (await ada.look(ida)).words
    assert (await ada.press(f"{ida}/enable", on=ida)).headers["location"] == f"{ida}?done=user-enabled"
    assert (await theirs.browser.get("/app")).status_code == 303  # enabling revives no sign-in
    await (await office.come_in(IDA)).look("/app")


async def test_the_log_says_who_did_what_to_whom(ada: Visitor, ida: str) -> None:
    with capture_logs(processors=[structlog.contextvars.merge_contextvars]) as logged:
        await ada.press(f"{ida}/disable", on=ida)
    said = {name: logged[-1][name] for name in ("route", "organisation_id", "administrator", "about")}
    assert said == {
        "route": f"{USERS}/{{user_id}}/disable",
        "organisation_id": ORGANISATION,
        "administrator": ADA.user_id,
        "about": IDA.user_id,
    }


async def test_the_last_administrator_stays_one(office: Office, ada: Visitor, ida: str) -> None:
    own = f"{USERS}/{ADA.user_id}"
    for path, form in ((own, {"name": "Ada", "role": "viewer"}), (f"{own}/disable", {})):
        answer = await ada.press(path, on=ida, **form)
        assert answer.headers["location"] == f"{own}?error=last-administrator"
    assert await find(office, ADA.email) == ADA
    assert "an organisation always has an administrator" in (await ada.look(f"{own}?error=last-administrator")).words


async def test_an_administrator_who_resigns_signs_in_again(office: Office, ada: Visitor) -> None:
    await office.service.users.add(IDA)
    await office.service.users.change_role(IDA.user_id, Role.ADMINISTRATOR)

    answer = await ada.press(f"{USERS}/{ADA.user_id}", name=ADA.name, role="sender")

    assert answer.headers["location"] == "/app/organisation?done=user-saved"
    await ada.look("/app/organisation", status=303)
    again = await office.come_in(await find(office, ADA.email))
    await again.look("/app/organisation")
    await again.look(USERS, status=403)


async def test_nobody_disables_themselves_by_accident(ada: Visitor, ida: str) -> None:
    assert "Disable" in (await ada.look(ida)).words
    assert "Disable" not in (await ada.look(f"{USERS}/{ADA.user_id}")).words


class UnavailableUsers:
    """Users in a database that does not answer."""

    async def add(self, user: User) -> None:
        raise DatabaseUnavailable


async def test_nobody_is_emailed_who_could_not_be_added(office: Office, ada: Visitor) -> None:
    office.service.use(users=UnavailableUsers())
    visitor = await office.come_in()
    answer = await visitor.press(NEW, on=NEW, **ENTRY)
    assert answer.headers["location"] == f"{USERS}?error=unavailable"
    assert office.service.mailer.sent == []
