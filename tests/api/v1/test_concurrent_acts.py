"""Acts that meet, in any order, in processes that may die: as if one came after another, and nothing is lost."""

import asyncio
from collections.abc import Sequence
from itertools import permutations, product
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as some

from domain.audit.events import Event, EventType
from domain.ports.session_requests import RecipientActionRequest, SessionCommand
from domain.session.session import Session
from domain.session.status import SessionStatus
from domain.shared.errors import AlreadyArchived, LinkNotValid, NotADraft, SigningError
from tests.api.one_session import ADA, AT, REQUESTS, SENT, SESSION_ID, Turn, house_of, types


async def test_of_two_sends_at_once_one_is_refused() -> None:
    for order in product((0, 1), repeat=4):
        house = await house_of()
        draft = await house.now()

        outcomes = await house.turns.play([house.act("send", draft) for _ in range(2)], map(Turn, order))

        assert {type(outcome) for outcome in outcomes} == {Session, NotADraft}, order
        assert types(await house.events()) == SENT
        assert house.runs.started == {SESSION_ID}


async def test_an_act_that_meets_the_start_of_the_run_is_done() -> None:
    for order in product((0, 1), repeat=5):
        house = await house_of()
        await house.turns.die_after(1, house.act("send"))
        sent = await house.now()

        outcomes = await house.turns.play([house.runs.start(sent), house.act("archive", sent)], map(Turn, order))

        assert isinstance(outcomes[1], Session), (order, outcomes)
        assert types(await house.events()) == [*SENT, EventType.SESSION_ARCHIVED]


async def test_an_act_that_is_overtaken_is_decided_again() -> None:
    house = await house_of("send", "decline", "end")
    session = await house.now()
    until_written = [Turn(0)] * 2  # it asked the run, and read the row
    other_first = [Turn(1)] * 3

    overtaken, first = await house.turns.play(
        [house.act("archive", session), house.act("archive", session)], [*until_written, *other_first]
    )

    assert isinstance(overtaken, AlreadyArchived)
    assert first == await house.now()
    assert types(await house.events()).count(EventType.SESSION_ARCHIVED) == 1


class Serial(NamedTuple):
    """What comes of acts one after another: the session, its events, and who was refused with what."""

    session: Session
    events: tuple[Event, ...]
    outcomes: tuple[type[SigningError] | None, ...]


def in_serial(session: Session, names: Sequence[str]) -> Serial:
    events: tuple[Event, ...] = ()
    outcomes: list[type[SigningError] | None] = []
    for name in names:
        request = REQUESTS[name]
        try:
            is_old = session.recipient(ADA).invitation.number > 1
            if is_old and not session.is_final and isinstance(request, RecipientActionRequest):
                raise LinkNotValid
            step = request.decide(session) if isinstance(request, SessionCommand) else session.send(AT)
        except SigningError as error:
            outcomes.append(type(error))
        else:
            outcomes.append(None)
            session, events = step.session, events + step.events
    return Serial(session.model_copy(update={"revision": 0}), events, tuple(outcomes))


BEFORE = [(), ("archive",), ("send",), ("send", "archive"), ("send", "view"), ("send", "decline", "end")]
ACTS = some.lists(some.sampled_from(list(REQUESTS)), min_size=2, max_size=3)
ORDERS = some.lists(some.integers(0, 3).map(Turn), max_size=20)


@given(before=some.sampled_from(BEFORE), acts=ACTS, order=ORDERS)
async def test_concurrent_acts_are_serialisable(before: Sequence[str], acts: list[str], order: list[Turn]) -> None:
    house = await house_of(*before)
    session, known = await house.now(), len(await house.events())

    *found, _ = await house.turns.play([*(house.act(name, session) for name in acts), house.work()], order)
    await house.work()

    outcomes = [None if isinstance(one, Session) else type(one) for one in found]
    shown = (await house.now()).model_copy(update={"revision": 0}), (await house.events())[known:]
    serial = {}
    for numbers in permutations(range(len(acts))):
        expected = in_serial(session, [acts[number] for number in numbers])
        said = dict(zip(numbers, expected.outcomes, strict=True))
        serial[numbers] = (expected.session, expected.events), [said[number] for number in range(len(acts))]
    assert (shown, outcomes) in serial.values()


DEATHS = some.lists(some.builds(Turn, some.integers(0, 3), some.integers(0, 4).map(lambda number: not number)))


@given(before=some.sampled_from(BEFORE), acts=ACTS, order=DEATHS)
async def test_no_death_loses_what_was_answered(before: Sequence[str], acts: list[str], order: list[Turn]) -> None:
    house = await house_of(*before)
    session = await house.now()

    found = await house.turns.play([*(house.act(name, session) for name in acts), house.work()], order)
    await house.work()

    row, events = await house.now(), await house.events()
    expected = (Session, SigningError, asyncio.CancelledError, type(None))
    assert all(isinstance(one, expected) for one in found), found
    assert row.revision >= max((one.revision for one in found if isinstance(one, Session)), default=0)
    assert types(events).count(EventType.SESSION_SENT) == int(row.sent_at is not None)
    is_sent = row.underlying_status is not SessionStatus.DRAFT
    assert house.runs.started == ({SESSION_ID} if is_sent else set())
    assert await house.left() == []
    if is_sent and not house.runs.closed:
        assert row == house.runs.session(SESSION_ID)
