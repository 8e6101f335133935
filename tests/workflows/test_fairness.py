"""A burst of one organisation's sessions does not hold up another's."""

import asyncio
from uuid import uuid4

from adapters.temporal.dev_server import TUNING
from application.session_actions import SessionActions
from domain.session.session import Transition
from domain.shared.ids import OrganisationId
from tests.builders import audit, created, identifier, recipient
from tests.fakes.effects import FakeEffects
from tests.workflows.servers import dev_server
from tests.workflows.stage import patience, set_stage
from tests.workflows.waiting import eventually
from workflows.client.runs import TemporalRuns

BURST = 30


def draft_of(organisation: str) -> Transition:
    step = created(recipient("ada"), name=f"Agreement {uuid4()}")
    organisation_id = OrganisationId(identifier(organisation))
    return step._replace(session=step.session.model_copy(update={"organisation_id": organisation_id}))


async def test_one_organisations_burst_is_taken_in_turns_with_anothers_session() -> None:
    effects = FakeEffects()
    async with dev_server(*TUNING) as environment:
        sessions = SessionActions(TemporalRuns(environment.client), effects.rows)

        async def start(organisation: str) -> None:
            await sessions.create(draft_of(organisation), audit())

        with patience():
            await asyncio.gather(*(start("busy") for _ in range(BURST)))
            await start("quiet")
        async with set_stage(environment.client, effects=effects, slots=2):
            await eventually(lambda: asyncio.sleep(0, len(effects.invited)), lambda sent: sent == BURST + 1)

    who = [request.link.organisation_id for request in effects.invited]
    assert who.index(OrganisationId(identifier("quiet"))) < BURST // 2
