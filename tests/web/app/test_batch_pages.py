"""Batches in the app: a CSV file is uploaded, checked and shown, and the batch is followed and interrupted."""

import re
from dataclasses import replace

import pytest

from domain.batches.batch import session_of_row
from domain.shared.ids import BatchId, UserId
from domain.shared.roles import Role
from tests.api.templates import make
from tests.builders import identifier
from tests.web.app.office import ADA, EVE, Office, Visitor

HERE = "/app/batches"
FILE = "tenant,address,start,tenant.email\nAda,12 Quay Street,2026-07-01,ada@example.com\n"
VIEWER = replace(ADA, user_id=UserId(identifier("a viewer")), email="viewer@example.com", role=Role.VIEWER)


@pytest.fixture
async def template_id(office: Office) -> str:
    return str((await make(office.service))["templateId"])


async def upload(ada: Visitor, template_id: str, file: str, status: int = 200) -> str:
    """The preview of the file."""
    token = str((await ada.look(f"{HERE}/new/{template_id}")).all("input")[0]["value"])
    path = f"{HERE}/preview/{template_id}"
    answer = await ada.browser.post(path, data={"form": token}, files={"file": ("leases.csv", file.encode())})
    assert answer.status_code == status, answer.text
    return answer.text


async def create(ada: Visitor, template_id: str, file: str = FILE, **form: str) -> str:
    """The path of a batch that was created of that file."""
    (content,) = re.findall(r'name="file" value="([^"]*)"', await upload(ada, template_id, file))
    entered = {"name": "Leases of July", "per_minute": "60", "send": "true", **form}
    path = f"{HERE}/new/{template_id}"
    answer = await ada.press(path, on=path, file=content, **entered)
    return answer.headers["location"].removesuffix("?done=batch-created")


def batch_id_of(path: str) -> BatchId:
    return BatchId(path.rpartition("/")[2])


async def test_a_file_is_shown_and_becomes_a_batch_that_is_followed(
    office: Office, template_id: str, ada: Visitor
) -> None:
    assert "New batch" in (await ada.look(f"/app/templates/{template_id}")).words
    assert "tenant.email" in (await ada.look(f"{HERE}/new/{template_id}")).words
    shown = await upload(ada, template_id, FILE)
    assert "12 Quay Street" in shown
    assert "1 line, 1 session" in shown

    path = await create(ada, template_id, FILE + "Grace,x,2026-07-01,grace@example.com\n")

    assert "0 of 2 lines checked" in (await ada.look(path)).words
    await office.service.batch_runs.work(batch_id_of(path), until=1)
    page = await ada.look(path)
    assert "1 of 2 sessions created" in page.words
    session_id = session_of_row(batch_id_of(path), 0)
    assert f"/app/sessions/{session_id}" in [link["href"] for link in page.all("a")]
    assert (await ada.browser.get(f"{path}/results.csv")).text.splitlines()[1] == f"1,{session_id},pending,"
    assert "Leases of July" in (await ada.look(HERE)).words


async def test_issues_are_listed_by_line_and_nothing_is_created(office: Office, template_id: str, ada: Visitor) -> None:
    shown = await upload(ada, template_id, FILE.replace("2026-07-01", "soon"), status=422)

    assert "line 2, start" in shown
    assert "takes a date of the calendar" in shown
    assert "Create and send" not in shown
    assert not (await office.service.batches.list(ADA.organisation_id, 9, 0)).rows


async def test_a_wrong_name_or_pace_is_asked_for_again(template_id: str, ada: Visitor) -> None:
    (content,) = re.findall(r'name="file" value="([^"]*)"', await upload(ada, template_id, FILE))
    path = f"{HERE}/new/{template_id}"

    answer = await ada.press(path, on=path, file=content, name="x" * 51, per_minute="soon", send="true")

    assert answer.status_code == 422
    assert "Write at most 50 characters." in answer.text
    assert 'value="soon"' in answer.text


async def test_no_file_and_a_large_one_are_asked_for_again(template_id: str, ada: Visitor) -> None:
    assert "Choose a file first." in await upload(ada, template_id, "", status=422)
    assert "more than 1 MB" in await upload(ada, template_id, "x" * 1_000_001, status=422)


async def test_a_batch_is_paused_resumed_cancelled_and_deleted(office: Office, template_id: str, ada: Visitor) -> None:
    path = await create(ada, template_id, send="false")

    async def press(act: str) -> str:
        return (await ada.press(f"{path}/{act}", on=path)).headers["location"]

    assert await press("pause") == f"{path}?error=batch-being-checked"
    await office.service.batch_runs.work(batch_id_of(path), until=0)
    for act in ("pause", "resume", "cancel"):
        done = {"pause": "batch-paused", "resume": "batch-resumed", "cancel": "batch-cancelled"}[act]
        assert await press(act) == f"{path}?done={done}"
    assert await press("pause") == f"{path}?error=batch-ended"
    assert await press("delete") == f"{HERE}?done=batch-deleted"
    await ada.look(path, status=404)


async def test_a_refused_batch_shows_its_issues(office: Office, ada: Visitor) -> None:
    block = {"type": "signatureBlock", "label": "x", "recipient": "tenant"}
    document = {"format": "blocks", "title": "Lease of {{{tenant}}}", "blocks": [block]}
    template = await make(office.service, document=document)
    path = await create(ada, template["templateId"], FILE.replace("Ada", "W" * 90))

    await office.service.batch_runs.work(batch_id_of(path))

    words = (await ada.look(path)).words
    assert "No session was created, because of these issues:" in words
    assert "line 2" in words


async def test_viewers_look_and_others_find_nothing(office: Office, template_id: str, ada: Visitor) -> None:
    path = await create(ada, template_id)
    await office.service.users.add(VIEWER)
    viewer = await office.come_in(VIEWER)

    assert "Cancel the rest" not in (await viewer.look(path)).words
    await viewer.look(f"{HERE}/new/{template_id}", status=403)
    assert (await viewer.press(f"{path}/cancel", on=path)).status_code == 403
    await (await office.come_in(EVE)).look(path, status=404)
