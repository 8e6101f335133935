"""Who has a response already is told so in a few bytes, and gets another one as soon as it differs."""

import pytest

from domain.ports.object_store import Download
from tests.api.service import Service


async def test_who_polls_a_session_gets_its_body_when_it_has_changed(service: Service) -> None:
    session = await service.create()
    path, http = f"/api/v1/Session/{session['sessionId']}", service.http()
    first = await http.get(path)
    known = {"If-None-Match": first.headers["etag"]}

    same = await http.get(path, headers=known)
    head = await http.head(path, headers=known)
    await http.post(f"{path}/Send")
    changed = await http.get(path, headers=known)

    assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", first.headers["etag"])
    assert (head.status_code, head.headers["etag"]) == (304, first.headers["etag"])
    assert {"content-type", "content-length"} & same.headers.keys() == set()
    assert {"x-request-id", "cache-control"} <= same.headers.keys()
    assert (changed.status_code, changed.json()["status"]) == (200, "pending")


@pytest.mark.parametrize("written", ["{}", "W/{}", '"other", W/{}', "{},"])
async def test_a_download_is_compared_with_all_named_validators(service: Service, written: str) -> None:
    service.downloads.held["token"] = (b"%PDF-" * 50_000, Download("a.pdf", "application/pdf", 300))
    http = service.http(None)
    etag = (await http.get("/objects/token")).headers["etag"]

    known = await http.get("/objects/token", headers={"If-None-Match": written.format(etag)})
    other = await http.get("/objects/token", headers={"If-None-Match": f'"{etag[1:9]}"'})

    assert (known.status_code, known.content) == (304, b"")
    assert (other.status_code, len(other.content)) == (200, 250_000)


async def test_only_reads_of_content_that_stays_have_a_validator(service: Service) -> None:
    session = await service.create(sendImmediately=True)
    await service.generate(await service.complete(session["sessionId"]))
    path, http = f"/api/v1/Session/{session['sessionId']}", service.http()

    answers = [
        await http.get(f"{path}/Documents"),
        await http.get(f"{path}/Certificate"),
        await http.post(f"{path}/SendReminder"),
        await http.get(f"{path}x"),
    ]

    assert ["etag" in answer.headers for answer in answers] == [False] * len(answers)


async def test_a_reader_without_rights_never_hears_that_nothing_changed(service: Service) -> None:
    session = await service.create()
    path = f"/api/v1/Session/{session['sessionId']}"
    known = {"If-None-Match": (await service.http().get(path)).headers["etag"]}
    assert (await service.http(None).get(path, headers=known)).status_code == 401
