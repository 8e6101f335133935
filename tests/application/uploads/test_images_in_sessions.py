"""Sessions whose documents show images: found in the organisation, laid out, and kept with the session."""

import json
from typing import Any

import httpx
import pytest

from application.uploads.session_copies import MAX_IMAGE_BYTES, read_copied_images
from domain.shared.ids import FileId, SessionId
from domain.shared.object_names import make_reference
from ports.uploads import UploadedImage
from tests.api.service import OWN, STRANGER, Service, document, issues_by_path, session_request
from tests.builders import NOON, ORGANISATION, identifier
from tests.layout.pictures import encoded, shades
from tests.layout.reading import images_of

LOGO, PLAN = encoded(shades(120, 80)), encoded(shades(90, 90), "JPEG")


async def upload(service: Service, content: bytes, **others: Any) -> str:
    """The file id of an image that was uploaded."""
    async with service.http(**others) as http:
        answer = await http.post("/api/v1/Image", files={"file": ("a plan.png", content)})
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


async def test_nothing_of_the_images_outlives_the_objects_of_an_erased_session(service: Service) -> None:
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


async def test_an_image_of_another_organisation_is_as_unknown_as_any(service: Service) -> None:
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
async def test_mistakes_in_an_image_block_are_of_shape(service: Service, block: dict[str, Any], path: str) -> None:
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
