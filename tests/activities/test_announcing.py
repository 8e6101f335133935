"""Deliveries are begun beside the sessions' path, and none is forgotten."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from activities import announcing
from activities.announcing import Announcer
from adapters.database.announcements import TAKEN_FOR
from domain.deliveries import Delivery
from domain.errors import Unavailable
from tests.activities.office import Office, office
from tests.fakes.receivers import says
from tests.workflows.waiting import eventually


@asynccontextmanager
async def fresh_office(folder: Path) -> AsyncIterator[Office]:
    """One whose callback was written down, and whose delivery nobody has begun."""
    async with office(folder, says(204), begin=False) as (made, _):
        yield made


async def begun(made: Office, count: int) -> list[Delivery]:
    """What was begun, once it is so much."""

    async def look() -> list[Delivery]:
        return made.begun.begun

    return await eventually(look, lambda found: len(found) >= count)


async def refusals(made: Office) -> int:
    return made.begun.refusals


async def test_a_session_does_not_wait_for_temporal(tmp_path: Path) -> None:
    async with fresh_office(tmp_path) as made:
        made.begun.is_down = True
        await made.record()
        assert made.begun.begun == []


async def test_what_is_announced_is_begun_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(announcing, "LOOK_SECONDS", 3600)
    async with fresh_office(tmp_path) as made, made.announcer.running():
        (first,) = await begun(made, 1)
        assert first.event_id == made.callback.event_id
        await made.announce_another()
        assert len(await begun(made, 2)) == 2


async def test_what_another_process_wrote_down_before_it_died_is_begun_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(announcing, "LOOK_SECONDS", 0.01)
    async with fresh_office(tmp_path) as made:
        survivor = Announcer(made.announcements, made.begun, made.has_time)
        async with survivor.running():
            assert len(await begun(made, 1)) == 1
            await made.announce_another()  # to `made.announcer`, which does not run
            assert len(await begun(made, 2)) == 2


async def test_what_could_not_be_begun_is_still_due(tmp_path: Path) -> None:
    async with fresh_office(tmp_path) as made:
        made.begun.is_down = True
        with pytest.raises(Unavailable):
            await made.announcer.begin_some(10, failing=False)
        later = datetime.now(UTC) + TAKEN_FOR
        assert [d.event_id for d in await made.announcements.take(later, 10, failing=False)] == [made.callback.event_id]


async def test_one_that_cannot_be_begun_keeps_no_other_waiting(tmp_path: Path) -> None:
    async with fresh_office(tmp_path) as made:
        await made.announce_another()
        made.begun.refused = {made.callback.event_id}
        with pytest.raises(Unavailable):
            await made.announcer.begin_some(10, failing=False)
        assert len(made.begun.begun) == 1
        later = datetime.now(UTC) + TAKEN_FOR
        assert [d.event_id for d in await made.announcements.take(later, 10, failing=False)] == [made.callback.event_id]


async def test_announcing_goes_on_after_temporal_was_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(announcing, "LOOK_SECONDS", 0.01)
    async with fresh_office(tmp_path) as made, made.announcer.running():
        await begun(made, 1)
        made.begun.is_down = True
        await made.announce_another()
        await eventually(partial(refusals, made), bool)
        made.begun.is_down = False
        await made.announce_another("A third agreement")
        assert len(await begun(made, 2)) == 2


async def test_failing_receivers_wait_until_the_machine_has_time_and_the_others_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(announcing, "LOOK_SECONDS", 0.01)
    calm = asyncio.Event()

    async def has_time() -> bool:
        return await calm.wait()

    async with office(tmp_path, says(500)) as (made, _):
        await made.deliver()
        await made.announce_another()
        await made.announce_another("To somebody else", "https://hooks.example.com/")
        async with Announcer(made.announcements, made.begun, has_time).running():
            assert [d.is_failing for d in await begun(made, 2)] == [False, False]
            calm.set()
            assert [d.is_failing for d in await begun(made, 3)] == [False, False, True]
