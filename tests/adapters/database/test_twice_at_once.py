"""Every request that creates or changes something, sent twice at the same moment: one result, and no internal error."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repository import table_of
from adapters.database.tables.organisations import ClientRow, UserRow
from adapters.database.tables.sessions import BatchRow, SessionRow
from adapters.database.tables.uploads import FileRow, ImageRow, TemplateRow
from domain.ports.sender_identity import SenderIdentity
from domain.shared.sending_limit import SendingLimit
from tests.api.service import OWN, Service, document, session_request
from tests.application.uploads import pdfs
from tests.builders import NOON, ORGANISATION
from tests.layout.pictures import encoded, shades
from tests.web.app.office import Office

TEMPLATE = {
    "name": "Lease",
    "document": document(),
    "recipients": session_request()["recipients"],
    "activate": True,
}
AT_ONCE = 4


@pytest.fixture
async def twice(database: AsyncEngine) -> Service:
    """The service on a database of each kind."""
    service = Service(database)
    await service.add_organisations()
    return service


async def post(service: Service, path: str, key: str | None = None, **content: Any) -> httpx.Response:
    headers = {"Idempotency-Key": key} if key else {}
    return await service.http().post(f"/api/v1/{path}", headers=headers, **content)


async def at_once(act: Callable[[], Awaitable[httpx.Response]]) -> list[httpx.Response]:
    """Returns the responses to `AT_ONCE` equal requests, of which none is an internal error and one succeeds."""
    answers = await asyncio.gather(*(act() for _ in range(AT_ONCE)))
    assert max(answer.status_code for answer in answers) < 500, [answer.text for answer in answers]
    done = [answer for answer in answers if answer.status_code < 400]
    assert done, [answer.text for answer in answers]
    return done


async def count(engine: AsyncEngine, table: type) -> int:
    async with engine.connect() as connection:
        return int((await connection.execute(select(func.count()).select_from(table_of(table)))).scalar_one())


CREATIONS: dict[str, tuple[str, dict[str, Any], type]] = {
    "session": ("Session", {"json": session_request()}, SessionRow),
    "sent session": ("Session", {"json": session_request(sendImmediately=True)}, SessionRow),
    "template": ("Template", {"json": TEMPLATE}, TemplateRow),
}


@pytest.mark.parametrize("name", CREATIONS)
async def test_a_creation_with_one_key_has_one_result(twice: Service, database: AsyncEngine, name: str) -> None:
    path, content, table = CREATIONS[name]

    done = await at_once(lambda: post(twice, path, "one key", **content))

    assert len({answer.text for answer in done}) == 1
    assert await count(database, table) == 1


async def test_a_unique_external_id_has_one_session(twice: Service, database: AsyncEngine) -> None:
    body = session_request(externalId="lease 7", externalIdUnique=True)
    assert len(await at_once(lambda: post(twice, "Session", json=body))) == 1
    assert await count(database, SessionRow) == 1


UPLOADS: dict[str, tuple[tuple[str, bytes, str], type]] = {
    "Image": (("logo.png", encoded(shades(20, 20)), "image/png"), ImageRow),
    "File": (("terms.pdf", pdfs.pdf(), "application/pdf"), FileRow),
}


@pytest.mark.parametrize("path", UPLOADS)
@pytest.mark.parametrize("key", [None, "one key"], ids=["no key", "key"])
async def test_equal_uploads_are_one(twice: Service, database: AsyncEngine, path: str, key: str | None) -> None:
    file, table = UPLOADS[path]
    done = await at_once(lambda: post(twice, path, key, files={"file": file}))

    assert len({answer.json()["fileId"] for answer in done}) == 1
    assert await count(database, table) == 1
    assert len(twice.objects.objects) == 1


async def test_a_batch_with_one_key_is_one_and_keeps_its_rows(twice: Service, database: AsyncEngine) -> None:
    template = (await post(twice, "Template", json=TEMPLATE)).json()["templateId"]
    people = [{"key": one["key"], "name": one["name"], "email": one["email"]} for one in TEMPLATE["recipients"]]  # type: ignore[index,union-attr]
    body = {"templateId": template, "name": "All", "rows": [{"recipients": people}]}

    done = await at_once(lambda: post(twice, "SessionFromTemplate/Batch", "one key", json=body))

    assert len({answer.json()["batchId"] for answer in done}) == 1
    assert await count(database, BatchRow) == 1
    assert await twice.uploads.due(NOON.replace(year=2126)) == ()


@pytest.mark.parametrize("act", ["Send", "Duplicate"])
async def test_an_action_on_a_session_has_one_result(twice: Service, act: str) -> None:
    session_id = (await post(twice, "Session", json=session_request())).json()["sessionId"]
    await at_once(lambda: post(twice, f"Session/{session_id}/{act}", "one key"))


async def test_settings_budgets_and_expected_objects_are_stored_at_once(twice: Service) -> None:
    identity, budget = SenderIdentity(sender_name="Northwind"), SendingLimit(recipients_per_day=3)
    for _ in range(5):
        await asyncio.gather(
            *(twice.identities.store(ORGANISATION, identity) for _ in range(AT_ONCE)),
            *(twice.budgets.set(OWN.client_id, budget) for _ in range(AT_ONCE)),
            *(twice.uploads.expect("o/uploads/a/", NOON) for _ in range(AT_ONCE)),
        )
    assert await twice.identities.find(ORGANISATION) == identity
    assert await twice.uploads.due(NOON) == ("o/uploads/a/",)


async def test_a_form_of_the_app_that_is_posted_twice_creates_one(twice: Service, database: AsyncEngine) -> None:
    office = Office(twice)
    await office.seed()
    visitor = await office.come_in()
    page = await visitor.look("/app/organisation/clients/new")
    form = {key: value for key, value in page.form().items() if value is not None}
    clients, users = await count(database, ClientRow), await count(database, UserRow)

    done = await at_once(
        lambda: visitor.browser.post(
            "/app/organisation/clients/new",
            data={**form, "name": "Shop", "scope": "read:sessions"},
            follow_redirects=False,
        )
    )
    assert sum(answer.status_code == 200 for answer in done) == 1  # shows the secret, which is valid
    assert await count(database, ClientRow) == clients + 1

    page = await visitor.look("/app/organisation/users/new")
    form = {key: value for key, value in page.form().items() if value is not None}
    new = {**form, "name": "Grace", "email": "grace@northwind.example", "role": "sender"}
    await at_once(lambda: visitor.browser.post("/app/organisation/users/new", data=new))
    assert await count(database, UserRow) <= users + 1


async def test_changes_of_an_organisation_at_once_are_both_kept(twice: Service) -> None:
    before = await twice.organisations.get(ORGANISATION)
    assert before is not None
    origins = replace(before, frame_origins=("https://shop.example.com",))
    await asyncio.gather(
        twice.organisations.change(before, replace(before, name="Northwind")),
        twice.organisations.change(before, origins),
    )
    after = await twice.organisations.get(ORGANISATION)
    assert after is not None
    assert (after.name, after.frame_origins) == ("Northwind", ("https://shop.example.com",))
