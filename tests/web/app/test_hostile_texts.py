"""The pages of the app with hostile names, reasons, messages and responses of mail servers."""

import asyncio
from collections.abc import Callable, Iterator
from datetime import timedelta
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.ports.database import ClientCredentials, Organisation, User
from domain.session.session import Session, Transition
from domain.session.status import SessionStatus
from domain.session.waiting_for import RetryStatus, SideEffect
from domain.shared.ids import ClientId, SessionId, UserId
from domain.shared.roles import Role
from tests.api.service import Service
from tests.builders import NOON, ORGANISATION, audit, created, recipient, submission
from tests.domain.situations import ADA
from tests.web.app.office import Office, Visitor

DATES = st.from_regex(r"[0-9]{2} [A-Z][a-z]{2,8} [0-9]{4} [0-9]{2}:[0-9]{2}(:[0-9]{2})? UTC", fullmatch=True)
ODD = st.sampled_from(
    [
        "31 February 2026 25:61 UTC",
        "12 Foo 2024 10:10 UTC",
        "{who} {0} {} %s %(a)s {{{x}}}",
        "{{ 7 * 7 }} {% raise %}",
        "</time></bdi></p></div><script>alert(1)</script>",
        "\u202e\u2066\u200f gnp.exe",
        "\x00\x01\x1b[2J\x7f\x85\u2028",
        "\U000e0041\ufffe\U0010ffff",
        "&#x202e; &amp;lt;",
        "http://[::1",
    ]
)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)

HOSTILE = st.one_of(ODD, DATES, TEXT, st.tuples(ODD, DATES, TEXT).map(" ".join)).filter(lambda text: bool(text.strip()))


def troubled(name: str, text: str) -> Iterator[tuple[Transition, tuple[RetryStatus, ...]]]:
    """Sessions with hostile texts only, one in each state, with their retries."""
    people = (recipient("ada", 1, name=name), recipient("grace", 2, name=text))
    drafted = created(*people, name=name, expiry_days=30, callback_url="https://hooks.example/")
    drafted = drafted.change(message=text)
    sent = drafted.then(drafted.session.send(audit()))
    acts: list[Callable[[Session], Transition]] = [
        Transition,
        lambda session: Transition(session.with_delivery(ADA, 1)),
        lambda session: session.fail_invitation(ADA, 1, text, audit()),
        lambda session: session.decline(ADA, text, audit()),
        lambda session: session.expire(audit(NOON + timedelta(days=31))),
        lambda session: session.archive(audit()),
        lambda session: session.sign(ADA, submission(), audit()),
    ]
    retries = (RetryStatus(SideEffect.INVITATION, 2, text, NOON), RetryStatus(SideEffect.NOTICE, 3, name, None))
    for step in (drafted, *(sent.then(act(sent.session)) for act in acts)):
        yield step.change(session_id=SessionId(str(uuid4()))), retries


class Looker:
    """A signed-in user who opens the pages of all sessions."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self._service = Service()
        self._visitor = self._runner.run(self._enter())

    async def _enter(self) -> Visitor:
        office = Office(self._service)
        await self._service.seed()
        await office.seed()
        return await office.come_in()

    def look(self, name: str, text: str) -> None:
        self._runner.run(self._look(name, text))

    async def _look(self, name: str, text: str) -> None:
        paths = ["/app", "/app?tab=archived"]
        sessions = self._service.sessions
        for step, retries in troubled(name, text):
            session = await sessions.take(step)
            sessions.retrying[session.session_id] = retries
            if session.status is not SessionStatus.DRAFT:  # its page shows the document, which is none of theirs
                paths.append(f"/app/sessions/{session.session_id}")
        for path in paths:
            await self._visitor.look(path)
        for path in await self._administered(name, text):
            await self._visitor.look(path)
        for session_id in list(sessions.held):
            await self._service.rows.erase(ORGANISATION, session_id, NOON)
        sessions.held.clear()

    async def _administered(self, name: str, text: str) -> tuple[str, ...]:
        """The pages of administrators about a user, a client and an organisation with these names."""
        user = User(UserId(str(uuid4())), ORGANISATION, f"{uuid4()}@northwind.example", name, Role.SENDER)
        client = ClientCredentials(ClientId(str(uuid4())), ORGANISATION, text, "0" * 64, ("read:sessions",))
        await self._service.users.add(user)
        await self._service.organisations.add_client(client)
        await self._service.organisations.add(Organisation(ORGANISATION, name))
        here = "/app/organisation"
        each = (f"/users/{user.user_id}", f"/clients/{client.client_id}")
        return tuple(f"{here}{path}" for path in ("", "/users", "/clients", "/settings", *each))

    def leave(self) -> None:
        self._runner.close()


@pytest.fixture(scope="module")
def looker() -> Iterator[Looker]:
    found = Looker()
    yield found
    found.leave()


@settings(max_examples=25)
@given(name=HOSTILE, text=HOSTILE)
def test_no_text_of_others_breaks_a_page_of_the_app(looker: Looker, name: str, text: str) -> None:
    looker.look(name, text)


def test_a_name_like_a_time_is_shown_as_it_is(looker: Looker) -> None:
    looker.look("12 Foo 2024 10:10 UTC", "31 February 2026 25:61 UTC")
