"""The page on which a recipient passes their turn on, and what both see afterwards."""

from datetime import UTC, datetime
from http import HTTPStatus

import httpx
import pytest

from domain.ports.session_requests import DelegateRequest
from domain.session.recipients import RecipientStatus
from domain.session.session import Session
from domain.shared.ids import ClientId, RecipientRef
from domain.shared.sending_limit import SendingLimit
from tests.builders import audit
from tests.fakes.sessions import FakeSessions
from tests.web.desk import Desk, Visitor, field, filled_in
from tests.web.html import Page

MARY = {"name": "Mary Jackson", "email": "Mary@Example.com", "reason": "She is the new director."}


@pytest.fixture
async def shared(desk: Desk) -> Session:
    """A session that recipients may pass on."""
    return await desk.send(delegation=True)


async def pass_on(visitor: Visitor, **changes: str) -> httpx.Response:
    page = await visitor.browser.get(f"{visitor.path}/delegate")
    assert page.status_code == HTTPStatus.OK
    form = {**Page(page.text).form(), **MARY, **changes}
    return await visitor.browser.post(f"{visitor.path}/delegate", data=form)


async def test_it_is_passed_on_and_the_other_person_signs(desk: Desk, shared: Session) -> None:
    ada, link = await desk.come_in(shared), desk.link(shared)
    key = RecipientRef(shared.organisation_id, shared.session_id, ada_id(desk, shared))
    await ada.browser.post(f"{ada.path}/draft", data={**(await ada.look()).form(), field(shared, "address"): "Ada's"})
    answer = await pass_on(ada)
    pages = [await ada.browser.get(ada.path), await desk.browser().get(link), await desk.browser().post(link)]
    invitation = Page((await desk.browser().get(desk.link(shared))).text)
    mary = await desk.come_in(shared)

    assert (answer.status_code, answer.headers["location"]) == (HTTPStatus.SEE_OTHER, ada.path)
    for page in pages:
        assert page.status_code == HTTPStatus.OK
        assert "You passed this on" in Page(page.text).words
        assert "to Mary Jackson, who has an invitation of their own" in Page(page.text).words
    assert await desk.drafts.find(key) is None
    assert "Ada passed this on to you, and says why" in invitation.words
    assert "She is the new director." in invitation.words
    assert "Ada's" not in (await mary.look()).words
    await mary.post(filled_in(shared, signatureText="Mary Jackson"))
    signed = desk.recipient(shared, "ada")
    assert (signed.name, signed.email, signed.status) == ("Mary Jackson", "mary@example.com", RecipientStatus.COMPLETED)


async def test_a_client_pays_for_what_its_recipients_pass_on(desk: Desk, shared: Session) -> None:
    client_id = ClientId(audit().actor.id)
    await desk.budgets.set(client_id, SendingLimit(recipients_per_day=1, domains=("example.com",)))
    ada = await desk.come_in(shared)

    abroad = await pass_on(ada, email="victim@other.example")
    assert abroad.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "The sender allows only addresses at these domains: example.com." in Page(abroad.text).words
    assert await desk.budgets.count_charged(client_id, datetime.now(UTC).date()) == 0

    assert (await pass_on(ada)).status_code == HTTPStatus.SEE_OTHER
    assert await desk.budgets.count_charged(client_id, datetime.now(UTC).date()) == 1
    mary = await desk.come_in(shared)
    spent = await pass_on(mary, email="joan@example.com", name="Joan")
    assert spent.status_code == HTTPStatus.TOO_MANY_REQUESTS
    assert "limit of invitations for today" in Page(spent.text).words


@pytest.mark.parametrize("name", ["Notice https://evil.example", "www.evil.example", "Call 0900 123456", "a@b.example"])
async def test_a_name_carries_no_link(desk: Desk, shared: Session, name: str) -> None:
    answer = await pass_on(await desk.come_in(shared), name=name)
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "without unusual symbols, web addresses and phone numbers" in Page(answer.text).words
    assert desk.recipient(shared, "ada").name != name


async def test_the_earlier_holder_reads_about_it_in_the_language_of_the_session(desk: Desk) -> None:
    shared = await desk.send(delegation=True, language="de")
    ada, link = await desk.come_in(shared), desk.link(shared)
    await pass_on(ada)

    for address in (ada.path, link):
        page = Page((await ada.browser.get(address)).text)
        assert "an Mary Jackson weitergegeben" in page.words


def ada_id(desk: Desk, session: Session) -> str:
    return desk.recipient(session, "ada").recipient_id


async def test_the_page_is_linked_where_the_sender_allows_it(desk: Desk, shared: Session) -> None:
    ada = await desk.come_in(shared)
    page = await ada.look()
    form = Page((await ada.browser.get(f"{ada.path}/delegate")).text)
    other = await desk.come_in(await desk.send(name="Another"))
    form_of_other = {**(await other.look()).form(), **MARY}
    refused = [
        await other.browser.get(f"{other.path}/delegate"),
        await other.browser.post(f"{other.path}/delegate", data=form_of_other),
        await other.browser.post(f"{other.path}/delegate", data=MARY),
    ]

    assert "Ask someone else to sign" in page.words
    assert f"{ada.path}/delegate" in page.links()
    assert form.names() == ["csrf", "name", "email", "reason"]
    assert form.all("script") == []
    assert f"{other.path}/delegate" not in (await other.look()).links()
    assert [answer.status_code for answer in refused] == [303, 303, HTTPStatus.FORBIDDEN]
    assert "Ada" in (await other.look()).words


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"name": " ", "email": "", "reason": "\r\n"}, ["Enter their name.", "Enter their email", "short reason"]),
        ({"email": "nobody"}, ["Enter an email address, such as"]),
        ({"email": "GRACE@example.com"}, ["isn’t a recipient already"]),
        ({"email": "ada@example.com"}, ["isn’t a recipient already"]),
        ({"name": "Mary \U00012000"}, ["without unusual symbols"]),
        ({"name": "{{{name}}}"}, ["without unusual symbols"]),
        ({"reason": "x" * 1001}, ["1000"]),
    ],
    ids=["empty", "no address", "another recipient", "themselves", "unprintable", "a token", "too long"],
)  # fmt: skip
async def test_every_mistake_stands_at_its_input_and_nothing_is_lost(
    desk: Desk, shared: Session, changes: dict[str, str], told: list[str]
) -> None:
    answer = await pass_on(await desk.come_in(shared), **changes)
    page = Page(answer.text)

    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    for text in told:
        assert text in page.words
    for name in changes:
        described = str(page.input(name)["aria-describedby"]).split()
        assert f"{name}-problem" in described
        assert set(described) <= set(page.ids())
    assert page.form()["name"] == changes.get("name", MARY["name"]).strip()
    assert desk.recipient(shared, "ada").name == "Ada"


class OvertakenSessions(FakeSessions):
    """Sessions that another post passes on first."""

    async def delegate(self, session: Session, request: DelegateRequest) -> Session:
        await super().delegate(session, request)
        return await super().delegate(session, request)


async def test_a_form_that_is_posted_twice_passes_it_on_once(desk: Desk, shared: Session) -> None:
    ada = await desk.come_in(shared)
    desk.use(OvertakenSessions)
    answer = await pass_on(ada)
    assert (answer.status_code, answer.headers["location"]) == (HTTPStatus.SEE_OTHER, ada.path)
    assert "You passed this on" in (await ada.look()).words
    assert len(desk.recipient(shared, "ada").delegations) == 1


async def test_a_second_device_hears_that_another_person_got_it(desk: Desk, shared: Session) -> None:
    ada = await desk.come_in(shared)
    form = {**Page((await ada.browser.get(f"{ada.path}/delegate")).text).form(), **MARY}

    posted = [form, form, {**form, "name": "Dorothy Vaughan", "email": "dorothy@example.com"}]
    pages = [Page((await ada.browser.post(f"{ada.path}/delegate", data=entered)).text) for entered in posted]

    assert ["was not recorded" in page.words for page in pages] == [False, False, True]
    assert "to Mary Jackson" in pages[2].words


async def test_an_outage_passes_nothing_on(desk: Desk, shared: Session) -> None:
    ada = await desk.come_in(shared)
    form = {**Page((await ada.browser.get(f"{ada.path}/delegate")).text).form(), **MARY}
    desk.sessions.runs.is_away = True
    answer = await ada.browser.post(f"{ada.path}/delegate", data=form)

    assert answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert "Nothing has been lost" in Page(answer.text).words
    assert Page(answer.text).form()["reason"] == MARY["reason"]
