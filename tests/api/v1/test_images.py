"""Uploading images (Specification 2.10, 4.14)."""

from base64 import b64encode
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from PIL import Image

from adapters.database.tables.uploads import ImageRow
from api.app import create_app
from api.body_limits import limit_of
from application.uploads.images.store import MAX_UPLOAD
from ports.object_store import ObjectStoreError
from ports.process_pool import ProcessDied
from tests.api.service import OWN, STRANGER, Service, bearer, client_of, issues_by_path
from tests.builders import ORGANISATION
from tests.layout.pictures import encoded, shades

PNG = encoded(shades(120, 80))


async def send(service: Service, content: bytes, name: str = "logo.png", **others: Any) -> httpx.Response:
    """Uploads `content` as a form, by our own client unless told."""
    async with service.http(**others) as http:
        return await http.post("/api/v1/Image", files={"file": (name, content, "application/octet-stream")})


async def send_json(service: Service, body: Any) -> httpx.Response:
    return await service.http().post("/api/v1/Image", json=body)


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
async def test_an_image_of_each_format_is_answered_with_what_it_is(service: Service, kind: str) -> None:
    content = encoded(shades(120, 80), kind)

    answer = await send(service, content, "a picture.bin")

    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert body.pop("fileId")
    assert body == {
        "fileName": "a picture.bin",
        "fileType": f"image/{kind.lower()}",
        "width": 120,
        "height": 80,
        "sizeBytes": len(content),
    }


async def test_json_is_as_good_as_a_form(service: Service) -> None:
    answer = await send_json(service, {"fileName": "logo.png", "data": b64encode(PNG).decode()})

    assert answer.status_code == 200, answer.text
    assert answer.json() == (await send(service, PNG)).json()


async def test_the_same_bytes_are_one_image_however_often_they_come(service: Service) -> None:
    first, again = await send(service, PNG), await send(service, PNG, "another name.png")

    assert first.json()["fileId"] == again.json()["fileId"]
    assert again.json()["fileName"] == "another name.png"
    assert len(await service.database.read(ImageRow)) == len(service.objects.objects) == 1


async def test_another_organisation_has_an_image_of_its_own(service: Service) -> None:
    own, other = await send(service, PNG), await send(service, PNG, client=STRANGER)

    assert own.json()["fileId"] != other.json()["fileId"]
    folders = {name.split("/")[1] for name in service.objects.objects}
    assert folders == {ORGANISATION, STRANGER.organisation_id}


async def test_what_is_kept_is_the_clean_picture(service: Service) -> None:
    exif = Image.Exif()
    exif[0x013B] = "Somebody"
    await send(service, encoded(shades(120, 80), "JPEG", exif=exif))

    (content,) = service.objects.objects.values()
    assert b"Somebody" not in content


@pytest.mark.parametrize(
    ("sent", "answered"),
    [
        ("C:\\Users\\ada\\logo.png", "logo.png"),
        ("../../etc/logo.png", "logo.png"),
        ("a" * 300, "a" * 255),
        ("..", ".."),
    ],
)
async def test_the_name_of_a_file_in_a_form_is_a_name_and_no_path(service: Service, sent: str, answered: str) -> None:
    assert (await send(service, PNG, sent)).json()["fileName"] == answered


@pytest.mark.parametrize("content", [b"hello", PNG[: len(PNG) // 2], encoded(shades(64, 64), "BMP")])
async def test_what_is_no_picture_or_cut_off_or_of_another_kind_is_refused(service: Service, content: bytes) -> None:
    assert code(await send(service, content)) == (400, "INVALID_FILE_TYPE")
    assert not service.objects.objects
    assert await service.database.read(ImageRow) == []


async def test_an_empty_file_is_refused(service: Service) -> None:
    assert code(await send(service, b"")) == (400, "INVALID_FILE_TYPE")


async def test_more_than_2_megabytes_are_refused_in_both_ways(service: Service) -> None:
    too_much = PNG + bytes(MAX_UPLOAD - len(PNG) + 1)

    assert code(await send(service, too_much)) == (413, "FILE_TOO_LARGE")
    as_json = {"fileName": "x.png", "data": b64encode(too_much).decode()}
    assert code(await send_json(service, as_json)) == (413, "FILE_TOO_LARGE")
    assert code(await send_json(service, {**as_json, "data": "A" * 4_000_000})) == (413, "FILE_TOO_LARGE")


async def test_what_is_too_much_is_not_read_to_its_end(service: Service) -> None:
    taken = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal taken
        yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="x.png"\r\n\r\n'
        for _ in range(1000):
            taken += 100_000
            yield bytes(100_000)

    answer = await service.http().post(
        "/api/v1/Image", content=endless(), headers={"Content-Type": "multipart/form-data; boundary=x"}
    )

    assert code(answer) == (413, "FILE_TOO_LARGE")
    assert taken <= limit_of("/api/v1/Image").size + 100_000


async def test_what_announces_too_much_is_not_read_at_all(service: Service) -> None:
    taken = False

    async def announced() -> AsyncIterator[bytes]:
        nonlocal taken
        taken = True
        yield b"x"

    headers = {"Content-Type": "application/json", "Content-Length": "3000000"}
    answer = await service.http().post("/api/v1/Image", content=announced(), headers=headers)

    assert (code(answer), taken) == ((413, "FILE_TOO_LARGE"), False)


async def test_exactly_2_megabytes_are_taken(service: Service) -> None:
    just_enough = PNG + bytes(MAX_UPLOAD - len(PNG))

    assert (await send(service, just_enough)).status_code == 200


@pytest.mark.parametrize("data", ["not base64!", "AAA", "data:image/png;base64,AAAA", "QUJD\nQUJD", "é"])
async def test_data_that_are_not_base64_are_refused(service: Service, data: str) -> None:
    assert code(await send_json(service, {"fileName": "x.png", "data": data})) == (400, "INVALID_BASE64")


async def test_mistakes_in_json_are_listed(service: Service) -> None:
    answer = await send_json(service, {"fileName": "", "size": 3})

    assert code(answer) == (400, "INVALID_REQUEST")
    assert set(issues_by_path(answer)) == {"/fileName", "/data", "/size"}


@pytest.mark.parametrize(
    "parts",
    [
        [("picture", ("x.png", PNG))],
        [("file", ("x.png", PNG)), ("file", ("y.png", PNG))],
        [("file", ("x.png", PNG)), ("note", (None, "text"))],
        [("file", (None, "text"))],
    ],
)
async def test_a_form_holds_one_file_and_nothing_else(service: Service, parts: Any) -> None:
    answer = await service.http().post("/api/v1/Image", files=parts)

    assert code(answer) == (400, "INVALID_REQUEST")


async def test_a_form_that_is_none_is_refused(service: Service) -> None:
    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    for content in (b"", b"--x\r\nnonsense"):
        answer = await service.http().post("/api/v1/Image", content=content, headers=headers)
        assert code(answer) == (400, "INVALID_REQUEST")


@pytest.mark.parametrize("content_type", ["image/png", "", "application/x-www-form-urlencoded"])
async def test_a_picture_as_the_bare_body_is_refused(service: Service, content_type: str) -> None:
    answer = await service.http().post("/api/v1/Image", content=PNG, headers={"Content-Type": content_type})

    assert code(answer) == (415, "UNSUPPORTED_MEDIA_TYPE")
    assert "multipart/form-data" in answer.json()["message"]


async def test_without_a_token_nothing_is_read(service: Service) -> None:
    assert code(await send(service, b"whatever", client=None)) == (401, "UNAUTHORIZED")


@pytest.mark.parametrize(
    ("scopes", "status"),
    [(("write:files",), 200), (("write:sessions",), 200), (("read:sessions", "write:templates"), 403), ((), 403)],
)
async def test_the_scopes_for_files_and_for_sessions_both_serve(
    service: Service, scopes: tuple[str, ...], status: int
) -> None:
    answer = await service.http(None).post("/api/v1/Image", files={"file": PNG}, headers=bearer(OWN, scopes))

    assert answer.status_code == status
    if status == 403:
        assert answer.json()["error"] == "INSUFFICIENT_SCOPE"
        assert 'scope="write:files"' in answer.headers["www-authenticate"]


async def test_a_scope_that_was_taken_from_the_client_does_not_serve(service: Service) -> None:
    narrow = client_of(ORGANISATION, "a narrow client", scopes=("read:sessions",))
    await service.organisations.add_client(narrow)

    answer = await service.http(None).post("/api/v1/Image", files={"file": PNG}, headers=bearer(narrow))

    assert code(answer) == (403, "INSUFFICIENT_SCOPE")


async def test_a_store_that_does_not_answer_is_said_and_nothing_is_kept(service: Service) -> None:
    async def fail(name: str, content: bytes, content_type: str) -> None:
        raise ObjectStoreError("the store does not answer")

    service.objects.put = fail  # type: ignore[method-assign,assignment]  # the failure is the point

    answer = await send(service, PNG)

    assert code(answer) == (503, "UNAVAILABLE")
    assert await service.database.read(ImageRow) == []


async def test_a_picture_that_ends_the_process_that_decodes_it_is_refused(service: Service) -> None:
    class DyingPool:
        async def run(self, work: object, *arguments: object) -> None:
            raise ProcessDied("the work ended its process 2 times")

    app = create_app(service.services(quarantine=DyingPool()))

    assert code(await send(service, PNG, app=app)) == (400, "INVALID_FILE_TYPE")
    assert not service.objects.objects


@pytest.mark.parametrize(("length", "status"), [(0, 400), (1, 200), (254, 200), (255, 200), (256, 400)])
async def test_a_name_in_json_has_1_to_255_characters(service: Service, length: int, status: int) -> None:
    answer = await send_json(service, {"fileName": "a" * length, "data": b64encode(PNG).decode()})

    assert answer.status_code == status
