"""Uploaded PDFs in sessions: sent for reference, kept with it, listed everywhere (Specification 2.13, 4.1, 4.6)."""

import json
from collections.abc import Collection, Sequence
from io import BytesIO
from typing import Any

import httpx
import pikepdf
import pytest

from activities.erasure import ErasureActivities
from activities.interface import EraseRequest
from adapters.database.tables.uploads import FileRow
from domain.shared.ids import SessionId
from domain.shared.object_names import digest
from ports.database import ClientCredentials
from tests.api.service import OWN, STRANGER, Service, document, issues_by_path, session_request
from tests.application.uploads import pdfs
from tests.builders import NOON
from tests.layout.reading import text_of

TERMS = pdfs.of_pages(3)
BLOCKS = {"type": "blocks", "document": document()}


async def upload(service: Service, content: bytes = TERMS, client: ClientCredentials = OWN) -> str:
    async with service.http(client) as http:
        answer = await http.post("/api/v1/File", files={"file": ("terms.pdf", content)})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["fileId"])


def attached(file_id: str, **members: Any) -> dict[str, Any]:
    return {"type": "uploadedPdf", "fileId": file_id, **members}


async def ask(service: Service, *files: dict[str, Any], **changes: Any) -> httpx.Response:
    return await service.http().post("/api/v1/Session", json=session_request(files=list(files), **changes))


async def test_it_stands_among_the_files_of_the_session_in_their_order(service: Service) -> None:
    answer = await ask(service, attached(await upload(service)), BLOCKS)

    assert answer.status_code == 200, answer.text
    terms, agreement = answer.json()["files"]
    assert terms.pop("fileId") != agreement.pop("fileId")
    assert terms == {
        "fileName": "terms.pdf",
        "fileType": "application/pdf",
        "type": "uploadedPdf",
        "pageCount": 3,
        "sha256": digest(TERMS),
        "signedSha256": None,
        "sealLevel": None,
    }
    assert agreement["type"] == "blocks"


@pytest.mark.parametrize(("asked", "shown"), [("Our rules", "Our rules.pdf"), ("a.PDF", "a.PDF"), (None, "terms.pdf")])
async def test_its_name_may_be_chosen(service: Service, asked: str | None, shown: str) -> None:
    answer = await ask(service, BLOCKS, attached(await upload(service), fileName=asked))

    assert answer.json()["files"][1]["fileName"] == shown


async def test_the_session_has_a_copy_of_its_own(service: Service) -> None:
    answer = await ask(service, BLOCKS, attached(await upload(service)))

    session = service.sessions.held[SessionId(answer.json()["sessionId"])]
    assert f"sessions/{session.session_id}/" in session.files[1].rendered.name
    assert await service.objects.get(session.files[1].rendered) == TERMS


async def test_the_same_pdf_twice_is_two_files(service: Service) -> None:
    file_id = await upload(service)
    answer = await ask(service, attached(file_id), BLOCKS, attached(file_id))

    assert len({file["fileId"] for file in answer.json()["files"]}) == 3


async def test_unknown_files_and_those_of_others_are_issues_all_at_once(service: Service) -> None:
    foreign = await upload(service, client=STRANGER)
    picture = "00000000-0000-4000-8000-000000000000"
    wrong = {"type": "blocks", "document": document(title="日本\ue000")}

    answer = await ask(service, attached(foreign), wrong, attached(picture), attached("no UUID"))

    assert (answer.status_code, answer.json()["error"]) == (400, "INVALID_REQUEST")
    issues = issues_by_path(answer)
    assert issues.keys() == {"/files/0/fileId", "/files/1/document/title", "/files/2/fileId", "/files/3/fileId"}
    assert issues["/files/0/fileId"] == issues["/files/2/fileId"]
    assert not service.sessions.held


async def test_issues_of_documents_count_all_files(service: Service) -> None:
    wrong = {"type": "blocks", "document": document(title="A title that is far too long to stand on one line" * 2)}
    answer = await ask(service, attached(await upload(service)), wrong)

    assert answer.json()["error"] == "DOCUMENT_VALIDATION_FAILED"
    assert [(issue["file"], issue["path"]) for issue in answer.json()["issues"]] == [(1, "/files/1/document/title")]


async def test_one_document_of_blocks_is_needed(service: Service) -> None:
    answer = await ask(service, attached(await upload(service)))

    assert (answer.status_code, answer.json()["error"]) == (400, "INVALID_REQUEST")
    assert set(issues_by_path(answer)) == {"/files"}


@pytest.mark.parametrize(
    ("entry", "path"),
    [
        ({"type": "uploadedPdf"}, "/files/1/fileId"),
        ({"type": "uploadedPdf", "fileId": 7}, "/files/1/fileId"),
        ({"type": "uploadedPdf", "fileId": "x", "document": document()}, "/files/1/document"),
        ({"type": "uploadedPdf", "fileId": "x", "fileName": "a/b"}, "/files/1/fileName"),
        ({"type": "word", "fileId": "x"}, "/files/1"),
        ({"fileId": "x"}, "/files/1"),
    ],
)
async def test_mistakes_in_an_entry_are_told_where_they_are(service: Service, entry: dict[str, Any], path: str) -> None:
    answer = await ask(service, BLOCKS, entry)

    assert answer.status_code == 400
    assert [found for found in issues_by_path(answer) if not found.startswith(path)] == []


@pytest.mark.parametrize(("count", "status"), [(9, 200), (10, 400)])
async def test_a_session_has_10_files_at_most(service: Service, count: int, status: int) -> None:
    file_id = await upload(service)

    assert (await ask(service, BLOCKS, *[attached(file_id)] * count)).status_code == status


async def test_a_create_that_is_repeated_makes_the_same_session(service: Service) -> None:
    body = session_request(files=[BLOCKS, attached(await upload(service))])
    answers = [
        await service.http().post("/api/v1/Session", json=body, headers={"Idempotency-Key": "k"}) for _ in range(2)
    ]

    assert answers[0].json() == answers[1].json()
    assert len(service.sessions.held) == 1


async def test_it_is_among_the_documents(service: Service) -> None:
    made = (await ask(service, BLOCKS, attached(await upload(service)), sendImmediately=True)).json()
    await service.generate(await service.complete(made["sessionId"]))

    documents = (await service.http().get(f"/api/v1/Session/{made['sessionId']}/Documents")).json()["documents"]
    assert [entry["fileName"] for entry in documents] == ["Agreement.pdf", "terms.pdf"]


@pytest.mark.poppler
async def test_the_certificate_has_a_line_of_it_with_its_pages_and_hashes_before_and_after(service: Service) -> None:
    made = (await ask(service, BLOCKS, attached(await upload(service)), sendImmediately=True)).json()
    await service.generate(await service.complete(made["sessionId"]))
    files = (await service.http().get(f"/api/v1/Session/{made['sessionId']}")).json()["files"]

    certificate = await service.http().get(f"/api/v1/Session/{made['sessionId']}/Certificate")

    words = "".join(text_of(certificate.content).split())
    assert files[1]["sha256"] == digest(TERMS) != files[1]["signedSha256"]
    for told in ("terms.pdf", "3pages", files[1]["sha256"], files[1]["signedSha256"]):
        assert told in words
    with pikepdf.open(BytesIO(certificate.content)) as opened:
        (facts,) = [json.loads(file.get_file().read_bytes()) for file in opened.attachments.values()]
    assert [file["sha256"] for file in facts["documents"]] == [file["sha256"] for file in files]


async def erase(service: Service, made: dict[str, Any]) -> None:
    session = service.sessions.held[SessionId(made["sessionId"])]
    erased = EraseRequest(organisation_id=session.organisation_id, session_id=session.session_id, erased_at=NOON)
    erasing = ErasureActivities(service.rows, service.objects, NoHistories(), b"", service.uploads)
    await erasing.erase_objects(erased)


async def test_erasing_a_session_takes_away_its_copy_and_the_upload_that_it_alone_used(service: Service) -> None:
    made = (await ask(service, BLOCKS, attached(await upload(service)))).json()
    assert TERMS in service.objects.objects.values()

    await erase(service, made)

    assert service.objects.objects == {}
    assert await service.database.read(FileRow) == []


async def test_erasing_a_session_leaves_an_upload_that_another_one_uses(service: Service) -> None:
    file_id = await upload(service)
    before = dict(service.objects.objects)
    made, other = [(await ask(service, BLOCKS, attached(file_id))).json() for _ in range(2)]

    await erase(service, made)

    assert before.items() <= service.objects.objects.items()
    assert (await ask(service, BLOCKS, attached(file_id))).status_code == 200
    await erase(service, other)
    assert before.items() <= service.objects.objects.items()


class NoHistories:
    async def delete(self, workflow_ids: Sequence[str], asked: Collection[str] = ()) -> list[str]:
        return []
