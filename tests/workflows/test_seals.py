"""Seals below their target level are augmented later, in any state of the session."""

import asyncio
from datetime import timedelta

import pytest

from domain.audit.hash_chain import chain_is_intact
from domain.seal.seal import Seal, SealLevel
from domain.session.session import Session
from domain.session.status import SessionStatus
from domain.shared.errors import SessionNotFound
from tests.builders import file, recipient
from tests.workflows.acts import ACT, RESTORE, signed_by
from tests.workflows.stage import Stage, history, receipt_of, result_of, seen
from tests.workflows.stories import generated
from tests.workflows.waiting import eventually

LOW = Seal(level=SealLevel.B_B, goal=SealLevel.B_T)


async def signed(stage: Stage, seal: Seal = LOW) -> Session:
    """A session of two files that was signed and sealed below the target level."""
    stage.effects.seal = seal
    session = await stage.send(recipient("ada"), files=(file("One"), file("Two")))
    await stage.sessions.act(session, signed_by("ada"))
    return await generated(stage, session)


async def raised(stage: Stage, session: Session, level: SealLevel) -> Session:
    return await eventually(lambda: seen(stage, session), lambda now: now.seal_level is level)


async def raisings(stage: Stage, session: Session) -> list[dict[str, object]]:
    return [dict(event.details) for event in await history(stage, session) if event.type == "session.sealRaised"]


async def test_the_session_is_finished_before_its_seals_are_raised_and_tells_of_each(stage: Stage) -> None:
    stage.effects.held["augment_seal"] = asyncio.Event()
    session = await signed(stage)
    assert (session.status, session.seal_level) == (SessionStatus.COMPLETED_AND_GENERATED, SealLevel.B_B)

    stage.effects.held["augment_seal"].set()
    after = await raised(stage, session, SealLevel.B_T)

    assert [file.signed.name for file in after.files if file.signed] != [
        f.signed.name for f in session.files if f.signed
    ]

    found = await eventually(lambda: raisings(stage, session), lambda raisings: len(raisings) == len(after.files))
    assert [(one["previousLevel"], one["sealLevel"]) for one in found] == [("B-B", "B-T")] * 2
    assert {one["signedSha256"] for one in found} == {f.signed.sha256 for f in after.files if f.signed}
    assert chain_is_intact(await history(stage, session))


async def test_a_seal_is_augmented_step_by_step_up_to_its_goal_though_an_attempt_fails(stage: Stage) -> None:
    stage.effects.failures["augment_seal"] = 1
    session = await signed(stage, Seal(level=SealLevel.B_B, goal=SealLevel.B_LTA))

    after = await raised(stage, session, SealLevel.B_LTA)

    assert after.status is SessionStatus.COMPLETED_AND_GENERATED
    await eventually(stage.recorded_revision, lambda revision: revision >= after.revision)
    assert len(await raisings(stage, session)) == 6


async def test_archiving_does_not_stop_it_and_it_shows_after_the_restore(stage: Stage) -> None:
    stage.effects.held["augment_seal"] = asyncio.Event()
    session = await signed(stage)
    await stage.sessions.act(session, ACT)
    stage.effects.held["augment_seal"].set()

    archived = await raised(stage, session, SealLevel.B_T)
    restored = await stage.sessions.act(session, RESTORE)

    assert archived.status is SessionStatus.CANCELLED
    assert (restored.status, restored.seal_level) == (SessionStatus.COMPLETED_AND_GENERATED, SealLevel.B_T)


async def test_permanent_deletion_ends_it(stage: Stage) -> None:
    stage.effects.failures["augment_seal"] = 1_000
    session = await signed(stage)

    await stage.sessions.erase(session, ACT)

    await receipt_of(stage, session)
    with pytest.raises(SessionNotFound):
        await stage.sessions.act(session, ACT)


async def test_a_goal_that_the_operator_gave_up_is_no_event_and_nothing_waits_for_it(stage: Stage) -> None:
    stage.effects.gives_up_seals = True
    session = await signed(stage)

    after = await eventually(lambda: seen(stage, session), lambda now: not now.due_seals)

    assert after.seal_level is SealLevel.B_B
    assert await raisings(stage, session) == []


async def test_the_run_ends_when_all_are_raised_and_not_before(timed_stage: Stage) -> None:
    timed_stage.effects.failures["augment_seal"] = 20  # for hours
    session = await signed(timed_stage)
    await timed_stage.pass_time(timedelta(hours=8))

    assert (await result_of(timed_stage, session)).seal_level is SealLevel.B_T
    assert timed_stage.effects.failures["augment_seal"] == 0
