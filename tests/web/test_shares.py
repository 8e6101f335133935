"""Work of visitors in child processes: files to verify, once at a time for each network, and jobs of recipients."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from application.reading_slots import AT_ONCE
from domain.ports.process_pool import JobOwner, P, R, job_owner
from domain.session.session import Session
from tests.fakes.processes import InlinePool
from tests.web.desk import Desk, Visitor


class HeldPool:
    """A pool whose work waits for `let_go`."""

    def __init__(self) -> None:
        self.running = 0
        self.let_go = asyncio.Event()
        self.begun = asyncio.Semaphore(0)

    async def run(self, work: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        self.running += 1
        self.begun.release()
        await self.let_go.wait()
        return work(*args, **kwargs)


async def check(desk: Desk, address: str) -> httpx.Response:
    async with desk.browser(address) as browser:
        return await browser.post("/verify", files=[("file", ("a.pdf", b"no pdf"))])


@pytest.mark.parametrize("same", ["192.0.2.7", "2001:db8::1"])
async def test_an_address_has_files_checked_once_at_a_time(desk: Desk, same: str) -> None:
    pool = HeldPool()
    desk.serve(checking=pool)
    first = asyncio.create_task(check(desk, same))
    await pool.begun.acquire()

    refused = await check(desk, same)
    other = asyncio.create_task(check(desk, "198.51.100.1"))
    await pool.begun.acquire()

    assert (refused.status_code, refused.headers["retry-after"]) == (503, "30")
    pool.let_go.set()
    assert [(await first).status_code, (await other).status_code] == [200, 200]
    assert (await check(desk, same)).status_code == 200


async def test_so_many_addresses_have_files_checked_at_a_time_and_no_more(desk: Desk) -> None:
    pool = HeldPool()
    desk.serve(checking=pool)
    held = [asyncio.create_task(check(desk, f"192.0.2.{number}")) for number in range(AT_ONCE)]
    for _ in held:
        await pool.begun.acquire()

    assert ((await check(desk, "198.51.100.1")).status_code, pool.running) == (503, AT_ONCE)
    pool.let_go.set()
    assert [answer.status_code for answer in await asyncio.gather(*held)] == [200] * AT_ONCE


async def test_a_recipient_owns_the_jobs_of_their_pages_within_the_organisation(
    desk: Desk, session: Session, ada: Visitor
) -> None:
    page = await ada.look()
    owners: list[JobOwner] = []

    class Witness(InlinePool):
        async def run(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
            owners.append(job_owner.get())
            return await super().run(work, *args, **kwargs)

    desk.serve(pool=Witness())
    form = {"csrf": page.form()["csrf"] or "", "text": "Ada"}
    for address in ("192.0.2.1", "198.51.100.1"):
        ada.browser.headers["x-forwarded-for"] = address
        assert (await ada.browser.post(f"{ada.path}/hand", data=form)).status_code == 200

    recipient = next(one for one in session.recipients if one.key == "ada")
    assert set(owners) == {JobOwner(session.organisation_id, recipient.recipient_id, is_urgent=False)}
