"""Uploads in sessions: images in documents, and PDFs for reference (Specification 2.10, 2.13, 4.1, 4.6)."""

import json
from collections.abc import Collection, Sequence
from io import BytesIO
from typing import Any

import httpx
import pikepdf
import pytest
from temporalio.testing import ActivityEnvironment

from activities.erasure import ErasureActivities
from activities.interface import EraseRequest
from adapters.database.tables.uploads import FileRow
from application.uploads.session_copies import MAX_IMAGE_BYTES, read_copied_images
from application.uploads.validate_pdf import validate_pdf
from domain.ports.uploads import UploadedImage
from domain.shared.ids import FileId, SessionId
from domain.shared.object_names import digest, make_reference
from tests.api.service import OWN, STRANGER, Service, document, issues_by_path, session_request
from tests.application.uploads import pdfs
from tests.builders import NOON, ORGANISATION, identifier
from tests.layout.pictures import encoded, shades
from tests.layout.reading import images_of, text_of

LOGO, PLAN = encoded(shades(120, 80)), encoded(shades(90, 90), "JPEG")
TERMS = validate_pdf(pdfs.of_pages(3)).rewritten or b""
"""A PDF in canonical form, which is stored as it is."""
BLOCKS = {"type": "blocks", "document": document()}


async def upload(service: Service, content: bytes, **others: Any) -> str:
    """The file id of an image that was uploaded."""
    return await _upload(service, "Image", ("a plan.png", content), **others)


async def upload_pdf(service: Service, **others: Any) -> str:
    """The file id of `TERMS`, uploaded."""
    return await _upload(service, "File", ("terms.pdf", TERMS), **others)


async def _upload(service: Service, route: str, file: tuple[str, bytes], **others: Any) -> str:
    async with service.http(**others) as http:
        answer = await http.post(f"/api/v1/{route}", files={"file": file})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["fileId"])


def showing(*file_ids: str, **members: object) -> dict[str, Any]:
    """A file of a request that shows these images."""
    blocks = [{"type": "image", "fileId": file_id} for file_id in file_ids]
    return {"type": "blocks", "document": document(blocks=[*blocks, *document()["blocks"]], **members)}


async def refused(service: Service, *files: dict[str, Any]) -> httpx.Response:
    """The answer to a request that must be refused, after a look at what it left behind."""
    before = set(service.objects.objects)
    answer = await service.http().post("/api/v1/Session", json=session_request(files=list(files)))
    assert answer.status_code == 400, answer.text
    assert set(service.objects.objects) == before
    assert not service.sessions.held
    return answer


@pytest.mark.poppler
async def test_a_document_shows_the_images_of_its_organisation(service: Service) -> None:
    logo, plan = await upload(service, LOGO), await upload(service, PLAN)
    session = await service.create(files=[showing(plan, logo, logo={"fileId": logo, "width": 60})])
    (file,) = service.sessions.held[SessionId(session["sessionId"])].files
    pdf = await service.objects.get(file.rendered)
    assert [line.split()[2:5] for line in images_of(pdf)] == [
        ["image", "120", "80"], ["image", "90", "90"], ["image", "120", "80"],
    ]  # fmt: skip


async def test_the_images_are_kept_with_the_session(service: Service) -> None:
    logo, plan = await upload(service, LOGO), await upload(service, PLAN)
    session = await service.create(files=[showing(plan, logo={"fileId": logo}), showing(plan), showing()])
    held = service.sessions.held[SessionId(session["sessionId"])]
    prefix = f"organisations/{ORGANISATION}/sessions/{held.session_id}/"
    first, second, third = [await read_copied_images(service.objects, file) for file in held.files]
    assert (set(first), set(second), dict(third)) == ({logo, plan}, {plan}, {})
    assert held.files[2].images is None
    assert first[plan] == second[plan]
    assert first[plan].content.name == f"{prefix}images/{first[plan].content.sha256}"
    assert (first[plan].file_name, first[plan].width, first[plan].height) == ("a plan.png", 90, 90)
    assert await service.objects.get(first[plan].content) == PLAN


async def test_the_copies_of_images_are_erased_with_the_session(service: Service) -> None:
    session = await service.create(files=[showing(await upload(service, PLAN))])
    prefix = f"organisations/{ORGANISATION}/sessions/{session['sessionId']}/"
    await service.objects.delete_prefix(prefix)
    assert len(service.objects.objects) == 1  # the upload itself, which other documents may show


async def test_an_image_that_was_not_uploaded_is_an_issue_at_its_place(service: Service) -> None:
    plan = await upload(service, PLAN)
    gone = identifier("nothing")
    answer = await refused(service, showing(plan), showing(plan, gone, logo={"fileId": "no UUID"}))
    assert answer.json()["error"] == "DOCUMENT_VALIDATION_FAILED"
    found = [(issue["kind"], issue["file"], issue["path"]) for issue in answer.json()["issues"]]
    assert found == [
        ("unknown-image", 1, "/files/1/document/logo/fileId"),
        ("unknown-image", 1, "/files/1/document/blocks/1/fileId"),
    ]


async def test_an_image_of_another_organisation_is_unknown(service: Service) -> None:
    theirs = await upload(service, PLAN, client=STRANGER)
    strangers, nobodys = [
        json.loads((await refused(service, showing(file_id))).text.replace(file_id, "an id"))
        for file_id in (theirs, identifier("nothing"))
    ]
    assert strangers == nobodys


async def test_an_image_too_tall_for_a_page_is_an_issue(service: Service) -> None:
    tall = await upload(service, encoded(shades(20, 100)))
    block = {"type": "image", "fileId": tall, "width": 400}
    answer = await refused(service, {"type": "blocks", "document": document(blocks=[block, *document()["blocks"]])})
    assert [issue["kind"] for issue in answer.json()["issues"]] == ["image-too-tall"]


@pytest.mark.parametrize(
    ("block", "path"),
    [
        ({}, "fileId"),
        ({"fileId": ""}, "fileId"),
        ({"fileId": "x", "width": 19}, "width"),
        ({"fileId": "x", "width": 484}, "width"),
        ({"fileId": "x", "align": "middle"}, "align"),
        ({"fileId": "x", "height": 20}, "height"),
    ],
)
async def test_errors_in_an_image_block_are_issues_of_shape(service: Service, block: dict[str, Any], path: str) -> None:
    answer = await refused(service, {"type": "blocks", "document": document(blocks=[{"type": "image", **block}])})
    assert set(issues_by_path(answer)) == {f"/files/0/document/blocks/0/{path}"}


@pytest.mark.parametrize(("size", "side"), [(MAX_IMAGE_BYTES // 3 + 1, 10), (10, 5774)])
async def test_images_that_are_too_large_together_are_refused_before_they_are_read(
    service: Service, size: int, side: int
) -> None:
    ids = [identifier(f"large {number}") for number in range(3)]
    for name in ids:
        large = make_reference(f"organisations/{ORGANISATION}/images/{name}", b"").model_copy(update={"size": size})
        await service.images.add(
            UploadedImage(OWN.organisation_id, FileId(name), "x.png", "image/png", side, side, large, NOON)
        )
    answer = await refused(service, showing(*ids))
    assert issues_by_path(answer).keys() == {"/files"}
    assert "32 MB and 100 megapixels" in answer.json()["issues"][0]["message"]


def attached(file_id: str, **members: Any) -> dict[str, Any]:
    return {"type": "uploadedPdf", "fileId": file_id, **members}


async def ask(service: Service, *files: dict[str, Any], **changes: Any) -> httpx.Response:
    return await service.http().post("/api/v1/Session", json=session_request(files=list(files), **changes))


async def test_an_uploaded_pdf_is_listed_among_the_files_in_order(service: Service) -> None:
    answer = await ask(service, attached(await upload_pdf(service)), BLOCKS)
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
    answer = await ask(service, BLOCKS, attached(await upload_pdf(service), fileName=asked))
    assert answer.json()["files"][1]["fileName"] == shown


async def test_the_session_has_a_copy_of_its_own(service: Service) -> None:
    answer = await ask(service, BLOCKS, attached(await upload_pdf(service)))
    session = service.sessions.held[SessionId(answer.json()["sessionId"])]
    assert f"sessions/{session.session_id}/" in session.files[1].rendered.name
    assert await service.objects.get(session.files[1].rendered) == TERMS


async def test_the_same_pdf_twice_is_two_files(service: Service) -> None:
    file_id = await upload_pdf(service)
    answer = await ask(service, attached(file_id), BLOCKS, attached(file_id))
    assert len({file["fileId"] for file in answer.json()["files"]}) == 3


async def test_unknown_files_and_those_of_others_are_issues_all_at_once(service: Service) -> None:
    foreign = await upload_pdf(service, client=STRANGER)
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
    answer = await ask(service, attached(await upload_pdf(service)), wrong)
    assert answer.json()["error"] == "DOCUMENT_VALIDATION_FAILED"
    assert [(issue["file"], issue["path"]) for issue in answer.json()["issues"]] == [(1, "/files/1/document/title")]


async def test_one_block_document_is_required(service: Service) -> None:
    answer = await ask(service, attached(await upload_pdf(service)))
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
async def test_errors_in_an_entry_have_a_path(service: Service, entry: dict[str, Any], path: str) -> None:
    answer = await ask(service, BLOCKS, entry)
    assert answer.status_code == 400
    assert [found for found in issues_by_path(answer) if not found.startswith(path)] == []


@pytest.mark.parametrize(("count", "status"), [(9, 200), (10, 400)])
async def test_a_session_has_10_files_at_most(service: Service, count: int, status: int) -> None:
    file_id = await upload_pdf(service)
    assert (await ask(service, BLOCKS, *[attached(file_id)] * count)).status_code == status


async def test_a_create_that_is_repeated_makes_the_same_session(service: Service) -> None:
    body = session_request(files=[BLOCKS, attached(await upload_pdf(service))])
    answers = [
        await service.http().post("/api/v1/Session", json=body, headers={"Idempotency-Key": "k"}) for _ in range(2)
    ]
    assert answers[0].json() == answers[1].json()
    assert len(service.sessions.held) == 1


async def test_the_pdf_is_among_the_signed_documents(service: Service) -> None:
    made = (await ask(service, BLOCKS, attached(await upload_pdf(service)), sendImmediately=True)).json()
    await service.generate(await service.complete(made["sessionId"]))
    documents = (await service.http().get(f"/api/v1/Session/{made['sessionId']}/Documents")).json()["documents"]
    assert [entry["fileName"] for entry in documents] == ["Agreement.pdf", "terms.pdf"]


@pytest.mark.poppler
async def test_the_certificate_lists_the_pdf_with_pages_and_both_hashes(service: Service) -> None:
    made = (await ask(service, BLOCKS, attached(await upload_pdf(service)), sendImmediately=True)).json()
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
    await ActivityEnvironment().run(erasing.erase_objects, erased)


async def test_erasing_a_session_deletes_its_copy_and_the_upload_that_only_it_used(service: Service) -> None:
    made = (await ask(service, BLOCKS, attached(await upload_pdf(service)))).json()
    assert TERMS in service.objects.objects.values()
    await erase(service, made)
    assert service.objects.objects == {}
    assert await service.database.read(FileRow) == []


async def test_erasing_a_session_leaves_an_upload_that_another_one_uses(service: Service) -> None:
    file_id = await upload_pdf(service)
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
