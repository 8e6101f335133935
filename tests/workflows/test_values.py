"""Reads of values are recorded by the run while it is open, and in the row later."""

import asyncio
from uuid import uuid4

from domain.audit.events import ActorKind, EventType, chain_is_intact
from domain.session.downloads import values_item
from domain.session.session import Session
from tests.builders import created, recipient
from tests.workflows.acts import copies, signed_by
from tests.workflows.stage import Stage, history, invited, seen
from tests.workflows.stories import closed


async def readings(stage: Stage, session: Session) -> list[tuple[ActorKind, object]]:
    events = await history(stage, session)
    assert chain_is_intact(events)
    read = [event for event in events if event.type is EventType.SESSION_VALUES_READ]
    return [(event.actor.kind, event.details["recipientId"]) for event in read]


async def test_values_are_read_while_others_sign_and_after_the_end_each_recorded_once(stage: Stage) -> None:
    people = (recipient("ada", 1), recipient("grace", 2))
    session = await invited(stage, await stage.start(created(*people, name=f"Agreement {uuid4()}")), 1)
    ada, grace = (person.recipient_id for person in session.recipients)
    session = await stage.sessions.sign(session, signed_by("ada"))

    await asyncio.gather(*(stage.sessions.record_download(session, copies(values_item(ada))) for _ in range(3)))
    while_open = await readings(stage, session)
    await invited(stage, session, 2)
    await stage.sessions.sign(session, signed_by("grace"))
    session = await closed(stage, session)
    for _ in range(2):
        last = await stage.sessions.record_download(session, copies(values_item(ada), values_item(grace)))

    assert while_open == [(ActorKind.CLIENT, ada)]
    assert await readings(stage, session) == [(ActorKind.CLIENT, ada), (ActorKind.CLIENT, grace)]
    assert await seen(stage, session) == last
