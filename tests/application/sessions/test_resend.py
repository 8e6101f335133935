"""Refused mails of many sessions are found and sent again."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from application.sessions.resend import find_refused, resend
from domain.audit.events import ActorKind, EventType
from domain.ports.session_requests import InviteRequest
from domain.session.recipients import RecipientRole
from domain.session.refused_mails import recipients_of_refused_mails
from domain.session.session import Session
from domain.shared.ids import OrganisationId
from tests.builders import ORGANISATION, audit, created, identifier, recipient
from tests.workflows.acts import signed_by
from tests.workflows.servers import dev_server
from tests.workflows.stage import Stage, history, result_of, seen, set_clean_stage
from tests.workflows.waiting import eventually

pytestmark = pytest.mark.temporal

OTHER = OrganisationId(identifier("other"))


@pytest.fixture(scope="module")
async def stage() -> AsyncIterator[Stage]:
    async with dev_server() as server, set_clean_stage(server.client) as stage:
        yield stage


async def refused(stage: Stage, since: datetime) -> list[str]:
    found = [one async for one in find_refused(stage.effects.rows, (ORGANISATION, OTHER), since)]
    return sorted(session.session_id for session, _ in found)


async def test_a_refused_invitation_and_a_refused_mail_about_the_end_are_sent_again(stage: Stage) -> None:
    begun = datetime.now(UTC) - timedelta(minutes=1)
    stage.effects.rejections["send_invitation"] = 1
    uninvited = await stage.start(created(recipient("ada"), name="Refused invitation"))
    uninvited = await eventually(lambda: seen(stage, uninvited), lambda now: bool(recipients_of_refused_mails(now)))
    ended = await stage.send(recipient("ada"))
    stage.effects.rejections["send_outcome_mail"] = 1
    await stage.sessions.act(ended, signed_by("ada"))
    await result_of(stage, ended)
    ended = await eventually(lambda: seen(stage, ended), lambda now: bool(recipients_of_refused_mails(now)))

    assert await refused(stage, begun) == sorted([uninvited.session_id, ended.session_id])
    assert await refused(stage, datetime.now(UTC) + timedelta(minutes=1)) == []
    for session in (uninvited, ended):
        [ada] = session.recipients
        assert await resend(stage.sessions, session, ada, datetime.now(UTC)) is None

        again = await eventually(lambda: invitations(stage, session), lambda found: len(found) == 2)  # noqa: B023  # awaited here
        assert again[-1] is ActorKind.SYSTEM
    assert await refused(stage, begun) == []


async def test_a_mail_that_cannot_be_sent_again_has_a_reason(stage: Stage) -> None:
    session = await stage.send(recipient("ada"))
    await stage.sessions.act(session, signed_by("ada"))
    session = await result_of(stage, session)

    [ada] = session.recipients
    assert await resend(stage.sessions, session, ada, datetime.now(UTC))


async def test_the_only_mail_to_a_copy_is_sent_again_to_another_address(stage: Stage) -> None:
    session = await stage.send(recipient("ada"), recipient("mary", 2, role=RecipientRole.COPY))
    stage.effects.rejections["send_outcome_mail"] = 2
    await stage.sessions.act(session, signed_by("ada"))
    await result_of(stage, session)
    session = await eventually(lambda: seen(stage, session), lambda now: len(recipients_of_refused_mails(now)) == 2)
    _, mary = session.recipients

    elsewhere = InviteRequest(audit=audit(), recipient_id=mary.recipient_id, to_email="mary@elsewhere.example")
    await stage.sessions.act(session, elsewhere)
    sent = await eventually(lambda: addresses(stage, session), bool)

    now = await eventually(lambda: seen(stage, session), lambda now: len(recipients_of_refused_mails(now)) == 1)
    assert (sent, now.recipients[1].email) == (["mary@elsewhere.example"], mary.email)


async def addresses(stage: Stage, session: Session) -> list[str]:
    """The addresses to which mails about the end of the session went."""
    return [sent.to_email for sent in stage.effects.noticed if sent.session_id == session.session_id]


async def invitations(stage: Stage, session: Session) -> list[ActorKind]:
    return [event.actor.kind for event in await history(stage, session) if event.type is EventType.RECIPIENT_INVITED]
