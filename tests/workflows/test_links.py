"""A worker that is held up while it makes a link."""

import asyncio
from datetime import timedelta
from unittest.mock import patch

from temporalio import activity

from activities.interface import IssuedLink, IssueLinkRequest
from tests.builders import created
from tests.fakes.effects import FakeEffects
from tests.workflows.servers import dev_server
from tests.workflows.stage import invited, set_stage
from workflows import policies


class HeldUp(FakeEffects):
    """Whose first link is not made in time."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    @activity.defn
    async def issue_link(self, request: IssueLinkRequest) -> IssuedLink:
        self.calls += 1
        if self.calls == 1:
            await asyncio.Event().wait()
        return await super().issue_link(request)


async def test_a_link_that_was_not_made_in_time_is_made_at_the_next_try() -> None:
    effects = HeldUp()
    async with dev_server() as environment, set_stage(environment.client, effects=effects) as stage:
        with patch.object(policies, "LINK_TIMEOUT", timedelta(seconds=3)):
            session = await stage.start(created(name="Held up"))
            assert await invited(stage, session, 1)
    assert effects.calls == 2
