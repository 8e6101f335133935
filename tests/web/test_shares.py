"""Work of visitors without an account in child processes: one at a time for each network address."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from domain.session.session import Session
from tests.web.desk import Desk, Visitor
from web.verify_page import CHECKS_AT_ONCE


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
    held = [asyncio.create_task(check(desk, f"192.0.2.{number}")) for number in range(CHECKS_AT_ONCE)]
    for _ in held:
        await pool.begun.acquire()

    assert ((await check(desk, "198.51.100.1")).status_code, pool.running) == (503, CHECKS_AT_ONCE)
    pool.let_go.set()
    assert [answer.status_code for answer in await asyncio.gather(*held)] == [200] * CHECKS_AT_ONCE


async def test_a_recipient_has_one_name_written_at_a_time(desk: Desk, session: Session, ada: Visitor) -> None:
    """Every page of a recipient works with the same share of the pools."""
    page = await ada.look()
    pool = HeldPool()
    desk.serve(pool=pool)
    form = {"csrf": page.form()["csrf"] or "", "text": "Ada"}

    asked = [asyncio.create_task(ada.browser.post(f"{ada.path}/hand", data=form)) for _ in range(3)]
    await pool.begun.acquire()
    for _ in range(50):
        await asyncio.sleep(0)

    assert pool.running == 1
    pool.let_go.set()
    assert [answer.status_code for answer in await asyncio.gather(*asked)] == [200] * 3
