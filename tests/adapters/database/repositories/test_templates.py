"""Templates, in SQLite and PostgreSQL."""

import re
from datetime import timedelta

import pytest
from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repositories.templates import DatabaseTemplates
from domain.ports.templates import Templates
from domain.shared.ids import OrganisationId, TemplateId
from domain.templates.template import TemplateStatus
from tests.builders import NOON, ORGANISATION, identifier, template

STRANGER = OrganisationId(identifier("stranger"))
LATER = NOON + timedelta(hours=1)
ACTIVE, DRAFT = [TemplateStatus.ACTIVE], [TemplateStatus.DRAFT]


@pytest.fixture
def templates(database: AsyncEngine) -> Templates:
    return DatabaseTemplates(database)


async def test_the_first_template_of_an_id_is_found_by_its_organisation(templates: Templates) -> None:
    lease = template("Lease")
    assert await templates.add(lease) == lease
    assert await templates.find(ORGANISATION, lease.template_id) == lease
    assert await templates.add(template("Lease", message="another")) == lease
    assert await templates.find(ORGANISATION, TemplateId(identifier("nothing"))) is None
    assert await templates.find(STRANGER, lease.template_id) is None


async def test_a_draft_is_activated_once_by_its_organisation(templates: Templates) -> None:
    draft = template("Lease", status=TemplateStatus.DRAFT)
    await templates.add(draft)
    assert await templates.activate(STRANGER, draft.template_id, LATER) is None
    assert (await templates.list(STRANGER, DRAFT, 10, 0)).total == 0
    assert await templates.find(ORGANISATION, draft.template_id) == draft

    active = await templates.activate(ORGANISATION, draft.template_id, LATER)
    again = await templates.activate(ORGANISATION, draft.template_id, LATER + timedelta(hours=1))

    assert active == draft.activated(LATER)
    assert active
    assert (active.status, active.created_at, active.updated_at) == (TemplateStatus.ACTIVE, NOON, LATER)
    assert again == active == await templates.find(ORGANISATION, draft.template_id)


async def test_templates_are_listed_by_status_last_changed_first(templates: Templates) -> None:
    for number, name in enumerate(["first", "second", "third"]):
        await templates.add(template(name, updated_at=NOON + timedelta(minutes=number)))
    await templates.add(template("draft", status=TemplateStatus.DRAFT, variables=(), recipients=()))

    page = await templates.list(ORGANISATION, ACTIVE, 2, 0)
    rest = await templates.list(ORGANISATION, ACTIVE, 2, 2)
    drafts = await templates.list(ORGANISATION, DRAFT, 2, 0)

    assert [row.name for row in page.rows] == ["third", "second"]
    assert [row.name for row in rest.rows] == ["first"]
    assert page.total == rest.total == 3
    (shown,) = rest.rows
    assert (shown.template_id, shown.status) == (identifier("first"), TemplateStatus.ACTIVE)
    assert (shown.created_at, shown.updated_at, shown.recipient_count, shown.has_variables) == (NOON, NOON, 1, True)
    (draft,) = drafts.rows
    assert (draft.recipient_count, draft.has_variables) == (0, False)
    assert (await templates.list(ORGANISATION, [*ACTIVE, *DRAFT], 1, 0)).total == 4


async def test_templates_that_changed_at_one_time_have_an_order_all_the_same(templates: Templates) -> None:
    for number in range(6):
        await templates.add(template(str(number)))
    pages = [await templates.list(ORGANISATION, ACTIVE, 2, offset) for offset in (0, 2, 4)]
    listed = [row.template_id for page in pages for row in page.rows]
    assert listed == sorted(listed, reverse=True)
    assert len(set(listed)) == 6


async def test_a_list_is_read_from_its_index_in_order(engine: AsyncEngine) -> None:
    seen: list[str] = []
    event.listen(engine.sync_engine, "before_cursor_execute", lambda *call: seen.append(call[2]))
    await DatabaseTemplates(engine).list(ORGANISATION, ACTIVE, 10, 0)
    (listing,) = [statement for statement in seen if "LIMIT" in statement]

    async with engine.connect() as connection:
        plan = await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {listing}", (ORGANISATION, "active", 10, 0))
        steps = [row[3] for row in plan]

    assert not any(re.search(r"templates\.template\b", statement) for statement in seen)
    assert [step for step in steps if "USING INDEX templates_by_status (organisation_id=? AND status=?)" in step]
    assert not [step for step in steps if "TEMP B-TREE" in step]


async def test_the_next_version_of_an_active_template_replaces_it_once_activated(templates: Templates) -> None:
    first = await templates.add(template("Lease", message="first"))
    key = (ORGANISATION, first.template_id)
    second = template("Lease", message="second", status=TemplateStatus.DRAFT, updated_at=LATER)

    saved = await templates.save_next_version(second)
    listed = (await templates.list(ORGANISATION, ACTIVE, 10, 0)).rows[0]
    renamed = await templates.rename(*key, "Tenancy", LATER)
    following = await templates.find_next_version(*key)
    active = await templates.activate(*key, LATER)

    assert saved
    assert (saved.message, saved.version, saved.has_next_version) == ("first", 1, True)
    assert (listed.version, listed.has_next_version) == (1, True)
    assert renamed
    assert following
    assert (following.message, following.version, following.status) == ("second", 2, TemplateStatus.DRAFT)
    assert (renamed.name, following.name) == ("Tenancy", "Tenancy")
    assert active
    assert (active.message, active.version, active.has_next_version) == ("second", 2, False)
    assert (active.name, active.status, active.created_at) == ("Tenancy", TemplateStatus.ACTIVE, first.created_at)
    assert await templates.find_next_version(*key) is None
    assert await templates.activate(*key, LATER + timedelta(hours=1)) == active


async def test_a_draft_is_its_own_next_version(templates: Templates) -> None:
    draft = await templates.add(template("Lease", status=TemplateStatus.DRAFT))
    key = (ORGANISATION, draft.template_id)
    assert await templates.find_next_version(*key) == draft

    saved = await templates.save_next_version(template("Lease", message="second", status=TemplateStatus.DRAFT))

    assert saved
    assert (saved.message, saved.version, saved.has_next_version) == ("second", 1, False)
    assert await templates.discard_next_version(*key) == saved == await templates.find(*key)


async def test_a_next_version_is_discarded_and_an_archived_template_gets_none(templates: Templates) -> None:
    lease = await templates.add(template("Lease"))
    key = (ORGANISATION, lease.template_id)
    await templates.save_next_version(template("Lease", message="second"))

    discarded = await templates.discard_next_version(*key)
    await templates.archive(*key, LATER)
    archived = await templates.save_next_version(template("Lease", message="third"))

    assert discarded
    assert (discarded.message, discarded.has_next_version) == (lease.message, False)
    assert archived
    assert (archived.status, archived.has_next_version) == (TemplateStatus.ARCHIVED, False)
    assert await templates.find_next_version(*key) is None
    assert await templates.save_next_version(template("Unknown")) is None
    assert await templates.find_next_version(STRANGER, lease.template_id) is None
