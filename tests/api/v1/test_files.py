"""Uploading PDFs (Specification 4.15)."""

from base64 import b64encode
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from adapters.database.tables.uploads import FileRow
from api.app import create_app
from api.body_limits import limit_of
from application.uploads.pdf.store import MAX_UPLOAD
from domain.shared.object_names import digest
from ports.object_store import ObjectStoreError
from ports.process_pool import PoolClosed, ProcessDied
from tests.api.service import OWN, STRANGER, Service, bearer, issues_by_path
from tests.application.uploads.pdf import pdfs
from tests.builders import ORGANISATION
from tests.foreign_pdfs.pdf_builder import hybrid

PDF = pdfs.of_pages(3)


def padded(size: int) -> bytes:
    """A sound PDF of exactly so many bytes."""
    bare = len(pdfs.with_object(pdfs.stream(bytes(1_000_000)))) - 1_000_000
    sound = pdfs.with_object(pdfs.stream(bytes(size - bare)))
    return sound + b"\n" * (size - len(sound))


async def send(service: Service, content: bytes, name: str = "terms.pdf", **others: Any) -> httpx.Response:
    """Uploads `content` as a form, by our own client unless told."""
    async with service.http(**others) as http:
        return await http.post("/api/v1/File", files={"file": (name, content, "application/pdf")})


async def send_json(service: Service, body: Any) -> httpx.Response:
    return await service.http().post("/api/v1/File", json=body)


def in_json(content: bytes, name: str = "terms.pdf") -> dict[str, str]:
    return {"fileName": name, "data": b64encode(content).decode()}


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]


async def test_a_pdf_is_answered_with_what_it_is(service: Service) -> None:
    answer = await send(service, PDF)

    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert body.pop("fileId")
    assert body == {
        "fileName": "terms.pdf",
        "fileType": "application/pdf",
        "sizeBytes": len(PDF),
        "pageCount": 3,
        "sha256": digest(PDF),
        "rewritten": False,
    }


async def test_json_is_as_good_as_a_form(service: Service) -> None:
    answer = await send_json(service, in_json(PDF))

    assert answer.status_code == 200, answer.text
    assert answer.json() == (await send(service, PDF)).json()


async def test_a_pdf_to_which_no_seal_can_be_added_is_written_anew_and_the_answer_says_so(service: Service) -> None:
    sent = hybrid()
    answers = [(await send(service, sent)).json() for _ in range(2)]

    assert answers[0] == answers[1]
    assert answers[0]["rewritten"] is True
    ((_, kept),) = service.objects.objects.items()
    assert kept != sent
    assert (answers[0]["sizeBytes"], answers[0]["sha256"]) == (len(kept), digest(kept))
    assert (await send(service, kept)).json()["rewritten"] is False


async def test_it_is_kept_byte_for_byte_in_a_place_of_the_organisation(service: Service) -> None:
    await send(service, PDF)

    ((name, content),) = service.objects.objects.items()
    assert content == PDF
    assert name.startswith(f"organisations/{ORGANISATION}/files/")


async def test_the_same_bytes_under_the_same_name_are_one_file(service: Service) -> None:
    first, again, renamed = await send(service, PDF), await send(service, PDF), await send(service, PDF, "rules.pdf")

    assert first.json() == again.json()
    assert renamed.json()["fileName"] == "rules.pdf"
    assert renamed.json()["fileId"] != first.json()["fileId"]
    assert len(await service.database.read(FileRow)) == len(service.objects.objects) == 2


async def test_another_organisation_has_a_file_of_its_own(service: Service) -> None:
    own, other = await send(service, PDF), await send(service, PDF, client=STRANGER)

    assert own.json()["fileId"] != other.json()["fileId"]
    assert len(service.objects.objects) == 2


@pytest.mark.parametrize(
    ("sent", "answered"),
    [
        ("terms", "terms.pdf"),
        ("terms.PDF", "terms.PDF"),
        ("terms.pdf.txt", "terms.pdf.txt.pdf"),
        ("t", "t.pdf"),
        ("a" * 251 + ".pdf", "a" * 251 + ".pdf"),
        ("a" * 255, "a" * 255 + ".pdf"),
    ],
)
async def test_a_name_that_does_not_end_as_one_of_a_pdf_is_made_to(service: Service, sent: str, answered: str) -> None:
    as_form, as_json = await send(service, PDF, sent), await send_json(service, in_json(PDF, sent))

    assert as_form.json()["fileName"] == as_json.json()["fileName"] == answered


@pytest.mark.parametrize("name", ["", "a" * 256, " ", "a\nb", "../terms.pdf", "C:\\terms.pdf"])
async def test_a_name_in_json_has_1_to_255_characters_on_one_line_and_is_no_path(service: Service, name: str) -> None:
    answer = await send_json(service, in_json(PDF, name))

    assert code(answer) == (400, "INVALID_REQUEST")
    assert set(issues_by_path(answer)) == {"/fileName"}


async def test_mistakes_in_json_are_listed(service: Service) -> None:
    answer = await send_json(service, {"fileName": "", "size": 3})

    assert code(answer) == (400, "INVALID_REQUEST")
    assert set(issues_by_path(answer)) == {"/fileName", "/data", "/size"}


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "no PDF"),
        (b"hello", "no PDF"),
        (pdfs.encrypted(), "encrypted"),
        (PDF[:-100], "cut off"),
        (pdfs.with_object(b"<< /S /JavaScript /JS (1) >>"), "JavaScript"),
        (pdfs.with_object(b"<< /S /Launch >>"), "starts a program"),
        (pdfs.with_attachment(b"a.exe", b"MZ"), "a program as an attachment"),
        (pdfs.with_catalog(b"/AcroForm << /XFA (x) >>"), "XFA"),
    ],
)
async def test_what_is_no_sound_pdf_is_refused_with_the_reason(service: Service, content: bytes, why: str) -> None:
    for answer in (await send(service, content), await send_json(service, in_json(content))):
        assert code(answer) == (400, "INVALID_FILE_TYPE")
        assert why in answer.json()["message"]
    assert not service.objects.objects
    assert await service.database.read(FileRow) == []


async def test_exactly_7_megabytes_are_taken_in_both_ways(service: Service) -> None:
    for size in (MAX_UPLOAD - 1, MAX_UPLOAD):
        assert (await send(service, padded(size))).status_code == 200
        assert (await send_json(service, in_json(padded(size)))).json()["sizeBytes"] == size


async def test_one_byte_more_is_refused_in_both_ways(service: Service) -> None:
    too_much = padded(MAX_UPLOAD + 1)

    assert code(await send(service, too_much)) == (413, "FILE_TOO_LARGE")
    assert code(await send_json(service, in_json(too_much))) == (413, "FILE_TOO_LARGE")
    assert "a PDF 7 MB" in (await send(service, too_much)).json()["message"]


async def test_what_is_too_much_is_not_read_to_its_end_whatever_it_announces(service: Service) -> None:
    taken = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal taken
        yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="x.pdf"\r\n\r\n'
        for _ in range(1000):
            taken += 100_000
            yield bytes(100_000)

    headers = {"Content-Type": "multipart/form-data; boundary=x", "Content-Length": "100"}
    answer = await service.http().post("/api/v1/File", content=endless(), headers=headers)

    assert code(answer) == (413, "FILE_TOO_LARGE")
    assert taken <= limit_of("/api/v1/File").size + 100_000


@pytest.mark.parametrize("length", ["30000000", "9" * 5000])
async def test_what_announces_too_much_is_not_read_at_all(service: Service, length: str) -> None:
    taken = False

    async def announced() -> AsyncIterator[bytes]:
        nonlocal taken
        taken = True
        yield b"x"

    headers = {"Content-Type": "application/json", "Content-Length": length}
    answer = await service.http().post("/api/v1/File", content=announced(), headers=headers)

    assert (code(answer), taken) == ((413, "FILE_TOO_LARGE"), False)


@pytest.mark.parametrize("data", ["not base64!", "AAA", "data:application/pdf;base64,AAAA", "é"])
async def test_data_that_are_not_base64_are_refused(service: Service, data: str) -> None:
    assert code(await send_json(service, {"fileName": "x.pdf", "data": data})) == (400, "INVALID_BASE64")


async def test_base64_with_a_million_line_breaks_is_refused(service: Service) -> None:
    data = "\n".join(b64encode(padded(1_000_000)).decode())

    assert code(await send_json(service, {"fileName": "x.pdf", "data": data})) == (400, "INVALID_BASE64")


@pytest.mark.parametrize("files", [{"document": PDF}, [("file", PDF), ("file", PDF)], {"file": PDF, "other": PDF}])
async def test_a_form_holds_one_file_and_nothing_else(service: Service, files: Any) -> None:
    answer = await service.http().post("/api/v1/File", files=files)

    assert code(answer) == (400, "INVALID_REQUEST")


async def test_without_a_token_nothing_is_read(service: Service) -> None:
    assert code(await send(service, b"whatever", client=None)) == (401, "UNAUTHORIZED")


@pytest.mark.parametrize(
    ("scopes", "status"),
    [(("write:files",), 200), (("write:sessions",), 200), (("read:sessions", "write:templates"), 403), ((), 403)],
)
async def test_the_scopes_for_files_and_for_sessions_both_serve(
    service: Service, scopes: tuple[str, ...], status: int
) -> None:
    answer = await service.http(None).post("/api/v1/File", files={"file": PDF}, headers=bearer(OWN, scopes))

    assert answer.status_code == status


async def test_a_store_that_does_not_answer_is_said_and_nothing_is_kept(service: Service) -> None:
    async def fail(name: str, content: bytes, content_type: str) -> None:
        raise ObjectStoreError("the store does not answer")

    service.objects.put = fail  # type: ignore[method-assign,assignment]  # the failure is the point

    assert code(await send(service, PDF)) == (503, "UNAVAILABLE")
    assert await service.database.read(FileRow) == []


@pytest.mark.parametrize(
    ("failure", "answered"),
    [(ProcessDied, (400, "INVALID_FILE_TYPE")), (PoolClosed, (503, "UNAVAILABLE"))],
)
async def test_a_file_that_is_too_much_is_refused_but_not_because_the_service_ends(
    service: Service, failure: type[Exception], answered: tuple[int, str]
) -> None:
    class FailingPool:
        async def run(self, work: object, *arguments: object) -> None:
            raise failure("takes more time or memory than it may")

    app = create_app(service.services(quarantine=FailingPool()))

    assert code(await send(service, PDF, app=app)) == answered
    assert not service.objects.objects
