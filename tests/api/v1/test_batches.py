"""Batches: checked as a whole, then one session for each row, each made once (Specification 4.29)."""

import csv
import json
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import httpx
import pytest

from activities.maintenance import OverdueStarts
from adapters.database.tables.sessions import BatchRow
from domain.batches.batch import session_of_row
from domain.shared.ids import BatchId, SessionId
from domain.shared.limits import MAX_BATCH_ROWS
from domain.shared.sending_limit import SendingLimit
from tests import ROOT
from tests.api.service import OWN, STRANGER, Service, issues_by_path
from tests.api.templates import VALUES, get, lease, make, post, variables
from tests.builders import identifier

PATH = "SessionFromTemplate/Batch"
LATER = datetime.now(UTC) + timedelta(days=2)


def row(number: int = 0, **values: Any) -> dict[str, Any]:
    values = {**VALUES, "tenant": f"Tenant {number}", **values}
    return {"recipients": [{"email": f"tenant{number}@example.com"}], "variableValues": values}


def batch(template: dict[str, Any], *rows: Any, **changes: Any) -> dict[str, Any]:
    return {"templateId": template["templateId"], "name": "Leases of July", "rows": list(rows), **changes}


async def create(service: Service, *rows: Any, **changes: Any) -> dict[str, Any]:
    answer = await post(service, PATH, batch(await make(service), *rows, **changes))
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def upload(service: Service, template: dict[str, Any], file: str | bytes, **changes: Any) -> httpx.Response:
    settings = {"templateId": template["templateId"], "name": "Leases of July", **changes}
    content = file if isinstance(file, bytes) else file.encode()
    return await service.http(OWN).post(
        f"/api/v1/{PATH}",
        data={"batch": json.dumps(settings)},
        files={"file": ("leases.csv", content, "text/csv")},
        headers={"Idempotency-Key": "leases of July"},
    )


def tenants(service: Service) -> dict[str, str]:
    """The name of the first recipient of each session that is there."""
    return {session_id: session.recipients[0].name for session_id, session in service.sessions.held.items()}


COUNTS = ("state", "total", "checked", "created", "failed", "nextRow")


async def counts(service: Service, batch_id: str) -> list[Any]:
    read = (await get(service, f"{PATH}/{batch_id}")).json()
    return [read[name] for name in COUNTS]


async def test_a_batch_is_checked_and_then_creates_a_session_for_each_row(service: Service) -> None:
    created = await create(service, *map(row, range(3)), sendImmediately=True, perMinute=30)
    batch_id = BatchId(created["batchId"])

    assert [created[name] for name in COUNTS] == ["checking", 3, 0, 0, 0, 1]
    assert (created["perMinute"], created["sendImmediately"]) == (30, True)
    assert not tenants(service)
    await service.batch_runs.work(batch_id, until=2)
    assert await counts(service, batch_id) == ["running", 3, 3, 2, 0, 3]
    await service.batch_runs.work(batch_id)
    assert await counts(service, batch_id) == ["completed", 3, 3, 3, 0, None]

    assert tenants(service) == {session_of_row(batch_id, number): f"Tenant {number}" for number in range(3)}
    assert {session.status.value for session in service.sessions.held.values()} == {"pending"}
    assert service.sessions.runs.started == set(tenants(service))
    listed = (await get(service, "SessionFromTemplate/Batches")).json()
    assert [(one["batchId"], one["created"]) for one in listed["batches"]] == [(batch_id, 3)]


async def test_rows_have_what_sessions_from_templates_have(service: Service) -> None:
    own = {"name": "Own", "externalId": "order 7", "metadata": {"customer": "Ada"}}
    await service.batch_runs.work((await create(service, {**row(), **own}, row(1), expiryDays=9))["batchId"])

    first, second = service.sessions.held.values()
    assert (first.name, first.external_id, first.metadata) == ("Own", "order 7", {"customer": "Ada"})
    assert (second.name, second.external_id, second.metadata) == ("Lease", None, {})
    assert {session.status.value for session in (first, second)} == {"draft"}
    assert (first.expiry_days, second.expiry_days) == (9, 9)


async def test_all_issues_of_all_rows_are_listed_at_once_and_nothing_is_stored(service: Service) -> None:
    rows = [row(), row(start="soon", rent="much"), {**row(), "recipients": [{"email": "ada"}]}, {"recipients": []}, 7]

    answer = await post(service, PATH, batch(await make(service), *rows, {**row(), "nme": "x"}, perMinute=0))

    issues = issues_by_path(answer)
    assert (answer.status_code, answer.json()["error"]) == (400, "INVALID_BATCH")
    assert set(issues) == {
        *("/rows/1/variableValues/start", "/rows/1/variableValues/rent", "/rows/2/recipients/0/email"),
        *("/rows/3/recipients", "/rows/3/variableValues/tenant", "/rows/3/variableValues/address"),
        *("/rows/3/variableValues/start", "/rows/4", "/rows/5/nme", "/perMinute"),
    }
    assert issues["/rows/3/variableValues/start"] == "The variable “start” needs a value."
    assert not service.objects.objects
    assert not (await get(service, "SessionFromTemplate/Batches")).json()["batches"]


async def test_a_thousand_issues_are_listed_and_all_are_counted(service: Service) -> None:
    wrong = row(start="soon", rent="much")
    answer = await post(service, PATH, batch(await make(service), *[wrong] * 510))

    assert answer.json()["message"] == "The batch is not valid: 1,020 issues, of which the first 1,000 are listed."
    assert len(answer.json()["issues"]) == 1000


async def test_an_unknown_member_of_each_row_is_listed_with_the_other_issues(service: Service) -> None:
    rows = [{**row(start="soon"), "nme": "x"}] * 140
    assert len(issues_by_path(await post(service, PATH, batch(await make(service), *rows)))) == 280


@pytest.mark.parametrize("number", [0, MAX_BATCH_ROWS + 1])
async def test_a_batch_has_one_to_a_thousand_rows(service: Service, number: int) -> None:
    answer = await post(service, PATH, batch(await make(service), *[row()] * number))

    assert (answer.status_code, set(issues_by_path(answer))) == (400, {"/rows"})


async def test_a_document_with_an_issue_refuses_the_whole_batch(service: Service) -> None:
    """The title is too long for its line, which only the layout shows."""
    template = await make(service, document=lease(title="Lease of {{{tenant}}}"))
    answer = await post(service, PATH, batch(template, row(), row(tenant="W" * 90), sendImmediately=True))
    batch_id = answer.json()["batchId"]

    await service.batch_runs.work(batch_id)

    read = (await get(service, f"{PATH}/{batch_id}")).json()
    assert (read["state"], read["nextRow"], read["created"], read["issueCount"]) == ("refused", None, 0, 1)
    assert [issue["path"] for issue in read["issues"]] == ["/rows/1/document/title"]
    assert not tenants(service)


async def test_a_row_that_is_refused_is_recorded_and_the_batch_goes_on(service: Service) -> None:
    template = await make(service)
    batch_id = (await post(service, PATH, batch(template, *map(row, range(3))))).json()["batchId"]
    await service.batch_runs.work(batch_id, until=1)

    await service.http().delete(f"/api/v1/Template/{template['templateId']}")
    await service.batch_runs.work(batch_id, until=2)
    await post(service, f"Template/{template['templateId']}/Restore")
    await service.batch_runs.work(batch_id)

    assert await counts(service, batch_id) == ["completed", 3, 3, 2, 1, None]
    read = (await get(service, f"{PATH}/{batch_id}")).json()
    message = "The template is archived; restore it first."
    assert read["failedRows"] == [{"row": 2, "code": "TEMPLATE_ARCHIVED", "message": message}]
    results = (await get(service, f"{PATH}/{batch_id}/Results")).json()["results"]
    assert results == [
        {"row": 1, "sessionId": session_of_row(batch_id, 0), "status": "draft", "error": None},
        {"row": 2, "sessionId": None, "status": "failed", "error": message},
        {"row": 3, "sessionId": session_of_row(batch_id, 2), "status": "draft", "error": None},
    ]


async def test_a_batch_of_a_client_that_was_revoked_creates_no_more_sessions(service: Service) -> None:
    batch_id = (await create(service, *map(row, range(3))))["batchId"]
    await service.batch_runs.work(batch_id, until=1)

    await service.organisations.revoke_client(OWN.client_id, LATER)

    batch = await service.batch_runs.work(batch_id)
    assert (batch.state, batch.created) == ("completed", 1)
    assert [(failed.row, failed.code) for failed in batch.failed] == [(n, "INSUFFICIENT_SCOPE") for n in (1, 2)]


async def test_all_sessions_are_made_from_the_version_that_was_checked(service: Service) -> None:
    template = await make(service)
    batch_id = (await post(service, PATH, batch(template, row()))).json()["batchId"]

    changed = {"name": "Lease", "document": lease(title="New"), "recipients": [{"key": "tenant"}], "activate": True}
    path = f"/api/v1/Template/{template['templateId']}/NextVersion"
    assert (await service.http().put(path, json={**changed, "variables": variables()})).status_code == 200
    await service.batch_runs.work(batch_id)

    assert [session.files[0].title for session in service.sessions.held.values()] == ["Lease"]


async def test_results_are_a_csv_file_too_while_the_batch_runs(service: Service) -> None:
    batch_id = (await create(service, *map(row, range(3))))["batchId"]
    await service.batch_runs.work(batch_id, until=2)
    first, second = (session_of_row(batch_id, number) for number in range(2))
    await service.http().delete(f"/api/v1/Session/{first}?permanent=true")

    answer = await service.http().get(f"/api/v1/{PATH}/{batch_id}/Results", headers={"Accept": "text/csv"})

    assert answer.headers["content-type"].startswith("text/csv")
    assert list(csv.reader(StringIO(answer.text))) == [
        ["row", "sessionId", "status", "error"],
        ["1", "", "deleted", ""],
        ["2", second, "draft", ""],
        ["3", "", "waiting", ""],
    ]


async def test_a_session_that_was_deleted_is_not_created_again(service: Service) -> None:
    batch_id = (await create(service, *map(row, range(2))))["batchId"]
    await service.batch_runs.work(batch_id, until=1)
    session_id = session_of_row(batch_id, 0)
    await service.http().delete(f"/api/v1/Session/{session_id}?permanent=true")
    await service.database.edit(BatchRow, lambda stored: setattr(stored, "done", 0))  # as if its worker had died then

    await service.batch_runs.work(batch_id)

    assert SessionId(session_id) not in tenants(service)
    assert await counts(service, batch_id) == ["completed", 2, 2, 2, 0, None]


async def test_a_batch_is_paused_resumed_and_cancelled(service: Service) -> None:
    batch_id = (await create(service, *map(row, range(3))))["batchId"]
    refused = await post(service, f"{PATH}/{batch_id}/Pause")
    assert (refused.status_code, refused.json()["error"]) == (409, "BATCH_BEING_CHECKED")
    await service.batch_runs.work(batch_id, until=1)
    for act, state in (("Pause", "paused"), ("Pause", "paused"), ("Resume", "running"), ("Cancel", "cancelled")):
        answer = await post(service, f"{PATH}/{batch_id}/{act}")
        assert (answer.status_code, answer.json()["state"]) == (200, state)
        assert (await service.batch_runs.work(batch_id, until=1)).done == 1
    assert (await post(service, f"{PATH}/{batch_id}/Cancel")).status_code == 200
    for act in ("Pause", "Resume"):
        ended = await post(service, f"{PATH}/{batch_id}/{act}")
        assert (ended.status_code, ended.json()["error"]) == (409, "BATCH_ENDED")
    assert await counts(service, batch_id) == ["cancelled", 3, 3, 1, 0, None]
    results = (await get(service, f"{PATH}/{batch_id}/Results")).json()["results"]
    assert [one["status"] for one in results] == ["draft", "notCreated", "notCreated"]


async def test_a_run_that_was_lost_is_started_again_from_its_row(service: Service) -> None:
    batch_id = (await create(service, *map(row, range(2))))["batchId"]
    await service.batch_runs.work(batch_id, until=1)
    service.batch_runs.started.clear()

    assert (await post(service, f"{PATH}/{batch_id}/Resume")).json()["state"] == "running"
    assert (await service.batch_runs.work(batch_id)).done == 2


async def test_an_outage_of_temporal_leaves_the_start_to_a_worker(service: Service) -> None:
    service.batch_runs.is_away = True

    created = await create(service, row())

    (due,) = await service.batches.to_start(LATER, 10)
    assert due.batch_id == created["batchId"]
    assert (await post(service, f"{PATH}/{due.batch_id}/Cancel")).status_code == 503

    service.batch_runs.is_away = False
    await service.database.edit(BatchRow, lambda stored: setattr(stored, "start_at", stored.created_at))
    starts = OverdueStarts(service.rows, service.sessions.runs, service.batches, service.batch_runs)
    assert [await starts.start_due() for _ in "12"] == [1, 0]
    assert (await service.batch_runs.work(due.batch_id)).done == 1


async def test_rows_are_stored_until_the_batch_ends_and_a_batch_can_be_deleted_then(service: Service) -> None:
    batch_id = (await create(service, row()))["batchId"]
    (name,) = service.objects.objects

    assert not await service.uploads.due(LATER)
    assert (await service.http().delete(f"/api/v1/{PATH}/{batch_id}")).json()["error"] == "BATCH_NOT_ENDED"
    await service.batch_runs.work(batch_id)
    assert await service.uploads.due(LATER) == (name.rpartition("/")[0] + "/",)
    assert (await service.http().delete(f"/api/v1/{PATH}/{batch_id}")).json() == {"batchId": batch_id}
    assert (await get(service, f"{PATH}/{batch_id}")).status_code == 404
    assert tenants(service)


async def test_the_same_request_with_the_same_key_is_one_batch(service: Service) -> None:
    template = await make(service)
    answers = [
        await upload(service, template, "tenant,address,start,tenant.email\r\nAda,x,2026-07-01,a@example.com")
        for _ in "12"
    ]

    assert len({answer.json()["batchId"] for answer in answers}) == 1
    assert answers[1].headers["Idempotency-Replayed"] == "true"
    await service.lose_answers()
    assert (
        await upload(service, template, "tenant,address,start,tenant.email\r\nAda,x,2026-07-01,a@example.com")
    ).json() == answers[0].json()


async def test_sending_limits_are_charged_for_the_batch_as_a_whole(service: Service) -> None:
    await service.budgets.set(OWN.client_id, SendingLimit(recipients_per_day=5))
    template = await make(service)

    refused = await post(service, PATH, batch(template, *map(row, range(3)), sendImmediately=True))
    assert (refused.status_code, refused.json()["error"]) == (429, "RECIPIENT_BUDGET_SPENT")
    accepted = await post(service, PATH, batch(template, *map(row, range(2)), sendImmediately=True))
    await service.batch_runs.work(accepted.json()["batchId"])

    assert len(tenants(service)) == 2
    assert await service.budgets.count_charged(OWN.client_id, datetime.now(UTC).date()) == 4


async def test_a_csv_file_has_a_line_for_each_session(service: Service) -> None:
    template = await make(service)
    file = (
        "\ufefftenant;address;start;rent;note;tenant.email;session.name;session.externalId\r\n"
        'Ada;"12 Quay\r\nStreet";2026-07-01;1.300;;ADA@example.com;Lease of Ada;7\r\n'
        "\r\n"
        "Grace;5 Harbour;2026-08-01;;x;grace@example.com;;\r\n"
    )

    answer = await upload(service, template, file, sendImmediately=True, perMinute=100)
    await service.batch_runs.work(answer.json()["batchId"])

    ada, grace = service.sessions.held.values()
    assert (ada.name, ada.external_id, ada.recipients[0].email) == ("Lease of Ada", "7", "ada@example.com")
    assert (grace.name, grace.recipients[0].name, grace.recipients[1].name) == ("Lease", "Grace", "Lena Lord")


async def test_issues_of_a_csv_file_are_listed_by_line_and_column(service: Service) -> None:
    file = (
        "tenant,address,start,tenant.email,tennant,tenant\n"
        '"Ada\nLovelace",x,soon,ada@example.com\n'
        "Grace,,2026-07-01,grace\n"
        f"{'x' * 50},a,2026-07-01,x@example.com,1,2,3\n"
    )

    answer = await upload(service, await make(service), file)

    assert set(issues_by_path(answer)) == {
        *(
            "line 1, tennant",
            "line 1, tenant",
            "line 2",
            "line 2, start",
            "line 4, address",
            "line 4, tenant.email",
            "line 5",
        )
    }


async def test_more_issues_of_a_csv_file_than_are_listed_are_not_said_to_be_all(service: Service) -> None:
    line = f"\n{'A' * 101},{'B' * 300}@example.com,{'C' * 51},{'D' * 201}".encode()
    heads = b"tenant.name,tenant.email,session.name,session.externalId"
    answer = await upload(service, await make(service), heads + line * 400)
    assert answer.json()["message"].endswith(": more than 1,000 issues, of which the first 1,000 are listed.")
    assert len(answer.json()["issues"]) == 1000


@pytest.mark.parametrize(
    ("file", "place"),
    [
        (b"", "line 1"),
        (b"tenant\n\x81", "line 2"),
        (b'tenant\nAda\n"Grace', "line 3"),
        (b"," * 200, "line 1"),
        (b"tenant" + b"\nAda" * 2001, "line 2001"),
        (b"tenant" + b"\nAda" * 1001, "line 1002"),
        (b"tenant\n\n", "line 2"),
    ],
    ids=["empty", "not UTF-8", "an open quote", "too many columns", "too many lines", "too many rows", "no rows"],
)
async def test_a_file_that_is_no_csv_is_refused(service: Service, file: bytes, place: str) -> None:
    answer = await upload(service, await make(service), file)

    assert (answer.status_code, set(issues_by_path(answer))) == (400, {place})


async def test_a_form_without_its_parts_and_other_types_are_refused(service: Service) -> None:
    path = f"/api/v1/{PATH}"

    assert (await service.http().post(path, files={"file": b"x"})).json()["error"] == "INVALID_REQUEST"
    assert (await service.http().post(path, content=b"x", headers={"Content-Type": "text/csv"})).status_code == 415


async def test_a_draft_template_makes_no_batch(service: Service) -> None:
    answer = await post(service, PATH, batch(await make(service, activate=False), row()))

    assert answer.json()["error"] == "TEMPLATE_NOT_ACTIVE"


async def test_a_batch_of_another_organisation_is_not_found(service: Service) -> None:
    batch_id = (await create(service, row()))["batchId"]

    for unknown in (identifier("nothing"), "nothing"):
        assert (await get(service, f"{PATH}/{unknown}")).status_code == 404
    assert (await get(service, f"{PATH}/{batch_id}", STRANGER)).status_code == 404
    assert not (await get(service, "SessionFromTemplate/Batches", STRANGER)).json()["batches"]


async def test_the_example_is_a_batch_of_the_example_template(service: Service) -> None:
    template = json.loads((ROOT / "examples" / "lease-template.json").read_text("utf-8"))
    created = (await post(service, "Template", {**template, "activate": True})).json()

    answer = await upload(service, created, (ROOT / "examples" / "lease-batch.csv").read_bytes())

    assert (await service.batch_runs.work(answer.json()["batchId"])).created == 3
