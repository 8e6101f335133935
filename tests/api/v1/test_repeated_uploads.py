"""The same upload twice, with an Idempotency-Key: done once, answered twice (Specification 10.5)."""

from base64 import b64encode

import httpx
import pytest

from tests.api.service import STRANGER, Service
from tests.application.uploads import pdfs
from tests.layout.pictures import encoded, shades

KEY = {"Idempotency-Key": "logo 1"}
UPLOADS = {
    "Image": ("logo.png", encoded(shades(120, 80)), encoded(shades(80, 120))),
    "File": ("terms.pdf", pdfs.pdf(), pdfs.of_pages(2)),
}


async def send(service: Service, kind: str, name: str, content: bytes, **others: str) -> httpx.Response:
    files = {"file": (name, content, "application/octet-stream")}
    return await service.http().post(f"/api/v1/{kind}", files=files, headers={**KEY, **others})


@pytest.mark.parametrize("kind", UPLOADS)
async def test_the_same_upload_again_gets_the_first_answer(service: Service, kind: str) -> None:
    name, content, _ = UPLOADS[kind]
    first = await send(service, kind, name, content)
    again = await send(service, kind, name, content)

    assert first.status_code == again.status_code == 200
    assert again.content == first.content
    assert "Idempotency-Replayed" not in first.headers
    assert again.headers["Idempotency-Replayed"] == "true"


@pytest.mark.parametrize("kind", UPLOADS)
async def test_a_form_and_json_with_the_same_file_are_the_same_upload(service: Service, kind: str) -> None:
    name, content, _ = UPLOADS[kind]
    first = await send(service, kind, name, content)
    body = {"fileName": name, "data": b64encode(content).decode()}
    again = await service.http().post(f"/api/v1/{kind}", json=body, headers=KEY)

    assert again.json() == first.json()
    assert again.headers["Idempotency-Replayed"] == "true"


@pytest.mark.parametrize("kind", UPLOADS)
async def test_the_same_key_with_another_file_or_another_name_is_refused(service: Service, kind: str) -> None:
    name, content, other = UPLOADS[kind]
    await send(service, kind, name, content)

    for answer in (await send(service, kind, name, other), await send(service, kind, f"x{name}", content)):
        assert (answer.status_code, answer.json()["error"]) == (422, "IDEMPOTENCY_KEY_REUSED")


@pytest.mark.parametrize("kind", UPLOADS)
async def test_the_key_of_a_refused_upload_is_free(service: Service, kind: str) -> None:
    name, content, _ = UPLOADS[kind]
    assert (await send(service, kind, name, b"nothing")).status_code == 400

    assert (await send(service, kind, name, content)).status_code == 200


@pytest.mark.parametrize("kind", UPLOADS)
async def test_another_organisation_has_keys_of_its_own(service: Service, kind: str) -> None:
    name, content, other = UPLOADS[kind]
    await send(service, kind, name, content)

    async with service.http(client=STRANGER) as http:
        answer = await http.post(f"/api/v1/{kind}", files={"file": (name, other)}, headers=KEY)
    assert answer.status_code == 200


@pytest.mark.parametrize("kind", UPLOADS)
async def test_a_key_that_is_none_is_a_mistake_in_the_request(service: Service, kind: str) -> None:
    name, content, _ = UPLOADS[kind]
    answer = await send(service, kind, name, content, **{"Idempotency-Key": ""})
    assert (answer.status_code, answer.json()["error"]) == (400, "INVALID_REQUEST")
