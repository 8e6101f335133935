"""The owner of each job in child processes: the organisation that shares them fairly with others."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from domain.ports.process_pool import JobOwner, P, R, job_owner
from tests.api.mcp.assistant import call
from tests.api.service import OWN, Service, document, session_request
from tests.fakes.processes import InlinePool

PREVIEW = {"kind": "session", "document": document(), "recipients": [{"key": "ada"}]}


class Witness(InlinePool):
    """A pool that notes the owners of its jobs."""

    def __init__(self) -> None:
        self.owners: set[JobOwner] = set()

    async def run(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        self.owners.add(job_owner.get())
        return await super().run(work, *args, **kwargs)


async def create(service: Service) -> None:
    assert (await service.http().post("/api/v1/Session", json=session_request())).status_code == 200


async def preview(service: Service) -> None:
    assert (await service.http().post("/api/v1/Document/Preview", json=PREVIEW)).status_code == 200


async def preview_by_tool(service: Service) -> None:
    assert not (await call(service, "preview_document", PREVIEW)).is_error


async def create_by_tool(service: Service) -> None:
    assert not (await call(service, "create_session", session_request())).is_error


@pytest.mark.parametrize(
    ("act", "is_urgent"), [(create, True), (create_by_tool, True), (preview, False), (preview_by_tool, False)]
)
async def test_a_client_owns_the_jobs_of_its_calls_and_previews_can_wait(
    service: Service, act: Callable[[Service], Awaitable[Any]], is_urgent: bool
) -> None:
    witness = Witness()
    service.use(pool=witness)

    await act(service)

    assert witness.owners == {JobOwner(OWN.organisation_id, OWN.client_id, is_urgent)}
