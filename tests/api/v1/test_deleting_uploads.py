"""Uploads that nothing uses are deleted permanently; what is used stays."""

from base64 import b64encode
from typing import Any

import pytest

from adapters.database.tables.uploads import DueObjectRow
from tests.api.service import Service, document, session_request
from tests.application.uploads.pdf import pdfs
from tests.layout.pictures import encoded, shades

BLOCKS = {"type": "blocks", "document": document()}


async def upload(service: Service, kind: str) -> str:
    content = pdfs.pdf() if kind == "File" else encoded(shades(20, 10))
    name = "terms.pdf" if kind == "File" else "logo.png"
    body = {"fileName": name, "data": b64encode(content).decode()}
    answer = await service.http().post(f"/api/v1/{kind}", json=body)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["fileId"])


def using(kind: str, upload_id: str) -> dict[str, Any]:
    """A session that uses the upload."""
    if kind == "File":
        return session_request(files=[BLOCKS, {"type": "uploadedPdf", "fileId": upload_id}])
    blocks = [{"type": "image", "fileId": upload_id}, *document()["blocks"]]
    return session_request(files=[{"type": "blocks", "document": document(blocks=blocks)}])


@pytest.mark.parametrize("kind", ["File", "Image"])
async def test_an_upload_that_nothing_uses_is_deleted_with_its_object(service: Service, kind: str) -> None:
    path = f"/api/v1/{kind}/{await upload(service, kind)}"

    first, second = await service.http().delete(path), await service.http().delete(path)

    assert (first.status_code, first.json()) == (200, {"fileId": path.rsplit("/", 1)[1], "deleted": True})
    assert (second.status_code, second.json()["error"]) == (404, "NOT_FOUND")
    assert service.objects.objects == {}
    assert await service.database.read(DueObjectRow) == []


@pytest.mark.parametrize("kind", ["File", "Image"])
async def test_an_upload_that_a_session_uses_stays_archived_or_not(service: Service, kind: str) -> None:
    upload_id = await upload(service, kind)
    made = (await service.http().post("/api/v1/Session", json=using(kind, upload_id))).json()
    await service.http().delete(f"/api/v1/Session/{made['sessionId']}")

    answer = await service.http().delete(f"/api/v1/{kind}/{upload_id}")

    assert (answer.status_code, answer.json()["error"]) == (409, "CONFLICT")
    assert (await service.http().post("/api/v1/Session", json=using(kind, upload_id))).status_code == 200


@pytest.mark.parametrize("kind", ["File", "Image"])
async def test_a_session_that_was_refused_uses_nothing(service: Service, kind: str) -> None:
    upload_id = await upload(service, kind)
    wrong = {**using(kind, upload_id), "recipients": [{"key": "ada", "name": "{{{x}}}", "email": "ada@example.com"}]}
    assert (await service.http().post("/api/v1/Session", json=wrong)).status_code == 400

    assert (await service.http().delete(f"/api/v1/{kind}/{upload_id}")).status_code == 200


async def test_an_image_that_a_draft_of_a_template_shows_stays(service: Service) -> None:
    upload_id = await upload(service, "Image")
    shown = document(logo={"fileId": upload_id})
    request = {"name": "Agreement", "document": shown, "recipients": session_request()["recipients"]}
    assert (await service.http().post("/api/v1/Template", json=request)).status_code == 200

    assert (await service.http().delete(f"/api/v1/Image/{upload_id}")).status_code == 409


@pytest.mark.parametrize("kind", ["File", "Image"])
async def test_what_is_deleted_cannot_be_used_any_more_until_it_is_uploaded_again(service: Service, kind: str) -> None:
    upload_id = await upload(service, kind)
    await service.http().delete(f"/api/v1/{kind}/{upload_id}")

    refused = await service.http().post("/api/v1/Session", json=using(kind, upload_id))
    assert await upload(service, kind) == upload_id
    made = await service.http().post("/api/v1/Session", json=using(kind, upload_id))

    assert (refused.status_code, made.status_code) == (400, 200)


@pytest.mark.parametrize("kind", ["File", "Image"])
async def test_an_upload_of_another_kind_is_not_found(service: Service, kind: str) -> None:
    upload_id, other = await upload(service, kind), "Image" if kind == "File" else "File"
    assert (await service.http().delete(f"/api/v1/{other}/{upload_id}")).status_code == 404
    assert (await service.http().delete(f"/api/v1/{kind}/{upload_id}")).status_code == 200


class Late:
    """Uploads; one is deleted between its lookup and its use."""

    def __init__(self, service: Service, kind: str, upload_id: str) -> None:
        self._service, self._path = service, f"/api/v1/{kind}/{upload_id}"
        self._inner = service.uploads

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def use(self, *asked: Any) -> frozenset[str]:
        assert (await self._service.http(app=self._before).delete(self._path)).status_code in {200, 404}
        return await self._inner.use(*asked)

    _before: Any = None


@pytest.mark.parametrize(("kind", "status"), [("File", 400), ("Image", 200)])
async def test_a_session_never_lacks_a_concurrently_deleted_upload(service: Service, kind: str, status: int) -> None:
    upload_id = await upload(service, kind)
    late = Late(service, kind, upload_id)
    late._before = service.app
    service.use(uploads=late)

    answer = await service.http().post("/api/v1/Session", json=using(kind, upload_id))

    assert answer.status_code == status, answer.text
    if status == 200:  # it has read the image, and has a copy of its own
        session = next(iter(service.sessions.held.values()))
        assert all(file.rendered.name in service.objects.objects for file in session.files)
    else:
        assert answer.json()["issues"][0]["path"] == "/files/1/fileId"
        assert service.sessions.held == {}
