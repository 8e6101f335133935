"""Uploading images and PDFs, once or again with an Idempotency-Key (Specification 2.10, 4.14, 4.15, 10.5)."""

from base64 import b64encode
from collections.abc import AsyncIterator, Callable
from typing import Any, NamedTuple

import httpx
import pytest
from PIL import Image

from adapters.database.tables.uploads import FileRow, ImageRow
from api.app import create_app
from api.body_limits import limit_of
from application.uploads.validate_pdf import validate_pdf
from domain.ports.object_store import ObjectStoreError
from domain.ports.process_pool import PoolClosed, ProcessDied
from domain.shared.limits import MAX_IMAGE, MAX_PDF
from domain.shared.object_names import digest
from tests.api.service import STRANGER, Service, issues_by_path
from tests.application.uploads import pdfs
from tests.builders import ORGANISATION
from tests.foreign_pdfs.pdf_builder import hybrid_in_two_parts
from tests.foreign_pdfs.unusual import unusual_pdf
from tests.layout.pictures import encoded, shades

PNG, PDF = encoded(shades(120, 80)), pdfs.of_pages(3)
KEY = {"Idempotency-Key": "upload 1"}
FORM = {"Content-Type": "multipart/form-data; boundary=x"}


def padded_pdf(size: int) -> bytes:
    """A sound PDF of `size` bytes."""
    bare = len(pdfs.with_object(pdfs.stream(bytes(1_000_000)))) - 1_000_000
    sound = pdfs.with_object(pdfs.stream(bytes(size - bare)))
    return sound + b"\n" * (size - len(sound))


class Kind(NamedTuple):
    """A kind of uploads: its path, a name, a sound content and another one, its rows, and contents up to its limit."""

    path: str
    name: str
    content: bytes
    other: bytes
    row: type[Any]
    limit: int
    padded: Callable[[int], bytes]

    def json(self, content: bytes | None = None, name: str | None = None) -> dict[str, str]:
        data = b64encode(self.content if content is None else content).decode()
        return {"fileName": self.name if name is None else name, "data": data}


IMAGE = Kind(
    "/api/v1/Image", "logo.png", PNG, encoded(shades(80, 120)), ImageRow, MAX_IMAGE, lambda n: PNG + bytes(n - len(PNG))
)
FILE = Kind("/api/v1/File", "terms.pdf", PDF, pdfs.pdf(), FileRow, MAX_PDF, padded_pdf)
KINDS = {"image": IMAGE, "file": FILE}
every_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


async def send(
    service: Service, kind: Kind, content: bytes | None = None, name: str | None = None, **others: Any
) -> httpx.Response:
    """Uploads `content` as a form; `others` are of the client."""
    headers = others.pop("headers", None)
    part = (kind.name if name is None else name, kind.content if content is None else content, "application/pdf")
    async with service.http(**others) as http:
        return await http.post(kind.path, files={"file": part}, headers=headers)


async def send_json(service: Service, kind: Kind, body: Any, headers: dict[str, str] | None = None) -> httpx.Response:
    return await service.http().post(kind.path, json=body, headers=headers)


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]


@pytest.mark.parametrize("format_", ["PNG", "JPEG", "WEBP", "GIF"])
async def test_an_image_of_each_format_is_described(service: Service, format_: str) -> None:
    content = encoded(shades(120, 80), format_)

    answer = await send(service, IMAGE, content, "a picture.bin")

    assert answer.status_code == 200, answer.text
    file = {"fileName": "a picture.bin", "fileType": f"image/{format_.lower()}"}
    size = {"width": 120, "height": 80, "sizeBytes": len(content)}
    assert answer.json() == {"fileId": answer.json()["fileId"], **file, **size}


async def test_a_pdf_is_described(service: Service) -> None:
    answer = await send(service, FILE)

    assert answer.status_code == 200, answer.text
    file = {"fileName": "terms.pdf", "fileType": "application/pdf", "pageCount": 3}
    ((_, kept),) = service.objects.objects.items()
    content = {"sizeBytes": len(kept), "sha256": digest(kept), "rewritten": True}
    assert answer.json() == {"fileId": answer.json()["fileId"], **file, **content}


@every_kind
async def test_json_and_form_are_equivalent(service: Service, kind: Kind) -> None:
    answer = await send_json(service, kind, kind.json())
    assert answer.status_code == 200, answer.text
    assert answer.json() == (await send(service, kind)).json()


async def test_a_pdf_is_written_in_canonical_form_once(service: Service) -> None:
    sent = hybrid_in_two_parts()
    answers = [(await send(service, FILE, sent)).json() for _ in range(2)]

    assert answers[0] == answers[1]
    assert answers[0]["rewritten"] is True
    ((_, kept),) = service.objects.objects.items()
    assert kept != sent
    assert (answers[0]["sizeBytes"], answers[0]["sha256"]) == (len(kept), digest(kept))
    assert (await send(service, FILE, kept)).json()["rewritten"] is False


async def test_a_pdf_is_stored_in_the_folder_of_the_organisation(service: Service) -> None:
    await send(service, FILE)

    ((name, content),) = service.objects.objects.items()
    assert content == validate_pdf(PDF).rewritten
    assert name.startswith(f"organisations/{ORGANISATION}/files/")


async def test_an_image_is_stored_without_metadata(service: Service) -> None:
    exif = Image.Exif()
    exif[0x013B] = "Somebody"
    await send(service, IMAGE, encoded(shades(120, 80), "JPEG", exif=exif))

    (content,) = service.objects.objects.values()
    assert b"Somebody" not in content


@pytest.mark.parametrize(("kind", "stored"), [(IMAGE, 1), (FILE, 2)], ids=KINDS)
async def test_the_same_bytes_are_one_image_and_one_file_per_name(service: Service, kind: Kind, stored: int) -> None:
    first, again = await send(service, kind), await send(service, kind)
    renamed = await send(service, kind, name="another.pdf")

    assert first.json() == again.json()
    assert renamed.json()["fileName"] == "another.pdf"
    assert (renamed.json()["fileId"] == first.json()["fileId"]) == (stored == 1)
    assert len(await service.database.read(kind.row)) == len(service.objects.objects) == stored


@every_kind
async def test_each_organisation_has_its_own_upload(service: Service, kind: Kind) -> None:
    own, other = await send(service, kind), await send(service, kind, client=STRANGER)

    assert own.json()["fileId"] != other.json()["fileId"]
    folders = {name.split("/")[1] for name in service.objects.objects}
    assert folders == {ORGANISATION, STRANGER.organisation_id}
    assert len(service.objects.objects) == 2


@pytest.mark.parametrize(
    ("sent", "answered"),
    [
        ("terms", "terms.pdf"), ("terms.PDF", "terms.PDF"), ("terms.pdf.txt", "terms.pdf.txt.pdf"), ("t", "t.pdf"),
        ("a" * 251 + ".pdf", "a" * 251 + ".pdf"), ("a" * 255, "a" * 255 + ".pdf"),
    ],
)  # fmt: skip
async def test_the_name_of_a_pdf_gets_its_extension(service: Service, sent: str, answered: str) -> None:
    as_form = await send(service, FILE, name=sent)
    as_json = await send_json(service, FILE, FILE.json(name=sent))
    assert as_form.json()["fileName"] == as_json.json()["fileName"] == answered


@pytest.mark.parametrize(
    ("sent", "answered"),
    [
        ("C:\\Users\\ada\\logo.png", "logo.png"), ("../../etc/logo.png", "logo.png"), ("a" * 300, "a" * 255),
        ("..", ".."),
    ],
)  # fmt: skip
async def test_the_name_in_a_form_loses_its_folders(service: Service, sent: str, answered: str) -> None:
    assert (await send(service, IMAGE, name=sent)).json()["fileName"] == answered


@every_kind
@pytest.mark.parametrize("name", ["", "a" * 256, " ", "a\nb", "../terms.pdf", "C:\\terms.pdf"])
async def test_a_bad_name_in_json_is_refused(service: Service, kind: Kind, name: str) -> None:
    answer = await send_json(service, kind, kind.json(name=name))
    assert code(answer) == (400, "INVALID_REQUEST")
    assert set(issues_by_path(answer)) == {"/fileName"}


@pytest.mark.parametrize("length", [1, 254, 255])
async def test_a_name_in_json_has_up_to_255_characters(service: Service, length: int) -> None:
    assert (await send_json(service, IMAGE, IMAGE.json(name="a" * length))).status_code == 200


@every_kind
async def test_all_issues_of_json_are_listed(service: Service, kind: Kind) -> None:
    answer = await send_json(service, kind, {"fileName": "", "size": 3})
    assert code(answer) == (400, "INVALID_REQUEST")
    assert set(issues_by_path(answer)) == {"/fileName", "/data", "/size"}


@pytest.mark.parametrize(
    ("kind", "content", "why"),
    [
        *((IMAGE, content, "") for content in (b"", b"hello", PNG[: len(PNG) // 2])),
        *((IMAGE, encoded(shades(64, 64), format_), "") for format_ in ("BMP", "TIFF")), (FILE, b"", "no PDF"),
        (FILE, b"hello", "no PDF"), (FILE, pdfs.encrypted(), "encrypted"), (FILE, PDF[:-100], "cut off"),
        (FILE, pdfs.with_object(b"<< /S /JavaScript /JS (1) >>"), "JavaScript"),
        (FILE, pdfs.with_object(b"<< /S /Launch >>"), "starts a program"),
        (FILE, pdfs.with_attachment(b"a.exe", b"MZ"), "a program as an attachment"),
        (FILE, pdfs.with_catalog(b"/AcroForm << /XFA (x) >>"), "XFA"),
    ],
)  # fmt: skip
async def test_unsound_content_is_refused(service: Service, kind: Kind, content: bytes, why: str) -> None:
    for answer in (await send(service, kind, content), await send_json(service, kind, kind.json(content))):
        assert code(answer) == (400, "INVALID_FILE_TYPE")
        assert why in answer.json()["message"]
    assert not service.objects.objects
    assert await service.database.read(kind.row) == []


@every_kind
async def test_content_up_to_the_limit_is_accepted(service: Service, kind: Kind) -> None:
    for content in (kind.padded(kind.limit - 1), kind.padded(kind.limit)):
        assert (await send(service, kind, content)).status_code == 200
        answer = (await send_json(service, kind, kind.json(content))).json()
        assert kind is FILE or answer["sizeBytes"] == len(content)
    assert 2_000_000 <= MAX_IMAGE <= 2 * 1024 * 1024


@every_kind
async def test_content_beyond_the_limit_is_refused(service: Service, kind: Kind) -> None:
    content = kind.padded(kind.limit + 1)
    bodies = (kind.json(content), {"fileName": "x.png", "data": "A" * (2 * kind.limit)})

    for answer in (await send(service, kind, content), *[await send_json(service, kind, body) for body in bodies]):
        assert code(answer) == (413, "FILE_TOO_LARGE")
        assert "a PDF 7 MB" in answer.json()["message"]


@pytest.mark.parametrize(("kind", "headers"), [(IMAGE, {}), (FILE, {"Content-Length": "100"})], ids=KINDS)
async def test_an_endless_body_is_not_read_to_its_end(service: Service, kind: Kind, headers: dict[str, str]) -> None:
    taken = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal taken
        yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="x.pdf"\r\n\r\n'
        for _ in range(1000):
            taken += 100_000
            yield bytes(100_000)

    answer = await service.http().post(kind.path, content=endless(), headers={**FORM, **headers})

    assert code(answer) == (413, "FILE_TOO_LARGE")
    assert taken <= limit_of(kind.path).size + 100_000


@pytest.mark.parametrize(("kind", "length"), [(IMAGE, "3000000"), (FILE, "30000000"), (FILE, "9" * 5000)])
async def test_a_body_that_announces_too_much_is_not_read(service: Service, kind: Kind, length: str) -> None:
    taken = False

    async def announced() -> AsyncIterator[bytes]:
        nonlocal taken
        taken = True
        yield b"x"

    headers = {"Content-Type": "application/json", "Content-Length": length}
    answer = await service.http().post(kind.path, content=announced(), headers=headers)

    assert (code(answer), taken) == ((413, "FILE_TOO_LARGE"), False)


@every_kind
@pytest.mark.parametrize("data", ["not base64!", "AAA", "data:application/pdf;base64,AAAA", "QUJD\nQUJD", "é"])
async def test_data_that_is_not_base64_is_refused(service: Service, kind: Kind, data: str) -> None:
    assert code(await send_json(service, kind, {"fileName": "x", "data": data})) == (400, "INVALID_BASE64")


@pytest.mark.parametrize(
    ("data", "advice"),
    [
        ("data:application/pdf;base64,AAAA", "Leave out “data:application/pdf;base64,”."),
        ("b'AAAA'", "Leave out the b and the quotation marks of Python"),
        ("AA-_", "this is base64url"),
        ("QUJD\nQUJD", "Leave out spaces and line breaks."),
        ("AAA", "Add = at the end"),
        ("not.base64", "without line breaks)."),
    ],
)
async def test_the_likely_mistake_in_base64_is_named(service: Service, data: str, advice: str) -> None:
    answer = await send_json(service, FILE, {"fileName": "x.pdf", "data": data})
    (issue,) = answer.json()["issues"]
    assert (issue["path"], issue["message"]) == ("/data", answer.json()["message"])
    assert advice in issue["message"]


async def test_the_parts_of_a_wrong_form_are_named(service: Service) -> None:
    for files, advice in (
        ({"image": ("a.png", b"x")}, "The form has: “image”."),
        ({"file": (None, b"x")}, "The part “file” has no file name"),
    ):
        answer = await service.http().post(FILE.path, files=files)
        assert advice in answer.json()["issues"][0]["message"]


async def test_base64_with_a_million_line_breaks_is_refused(service: Service) -> None:
    data = "\n".join(b64encode(padded_pdf(1_000_000)).decode())
    assert code(await send_json(service, FILE, {"fileName": "x.pdf", "data": data})) == (400, "INVALID_BASE64")


@every_kind
async def test_a_form_holds_one_file_and_nothing_else(service: Service, kind: Kind) -> None:
    one = ("x.png", kind.content)
    wrong: list[Any] = [
        [("document", one)], [("file", one), ("file", ("y.png", kind.content))], [("file", one), ("other", one)],
        [("file", one), ("note", (None, "text"))], [("file", (None, "text"))],
    ]  # fmt: skip
    for parts in wrong:
        assert code(await service.http().post(kind.path, files=parts)) == (400, "INVALID_REQUEST")
    for content in (b"", b"--x\r\nnonsense"):
        answer = await service.http().post(kind.path, content=content, headers=FORM)
        assert code(answer) == (400, "INVALID_REQUEST")


@every_kind
@pytest.mark.parametrize("content_type", ["image/png", "", "application/x-www-form-urlencoded"])
async def test_content_as_the_bare_body_is_refused(service: Service, kind: Kind, content_type: str) -> None:
    headers = {"Content-Type": content_type}
    answer = await service.http().post(kind.path, content=kind.content, headers=headers)

    assert code(answer) == (415, "UNSUPPORTED_MEDIA_TYPE")
    assert "multipart/form-data" in answer.json()["message"]


@every_kind
async def test_nothing_is_recorded_while_the_object_store_is_down(service: Service, kind: Kind) -> None:
    async def fail(name: str, content: bytes, content_type: str) -> None:
        raise ObjectStoreError("the store does not answer")

    service.objects.put = fail  # type: ignore[method-assign,assignment]  # the failure is the point

    assert code(await send(service, kind)) == (503, "UNAVAILABLE")
    assert await service.database.read(kind.row) == []


@every_kind
@pytest.mark.parametrize(
    ("failure", "answered"), [(ProcessDied, (400, "INVALID_FILE_TYPE")), (PoolClosed, (503, "UNAVAILABLE"))]
)
async def test_content_that_ends_its_process_is_refused(
    service: Service, kind: Kind, failure: type[Exception], answered: tuple[int, str]
) -> None:
    class FailingPool:
        async def run(self, work: object, *arguments: object) -> None:
            raise failure("takes more time or memory than it may")

    assert code(await send(service, kind, app=create_app(service.services(quarantine=FailingPool())))) == answered
    assert not service.objects.objects


@every_kind
async def test_a_key_repeats_the_first_answer_for_form_and_json(service: Service, kind: Kind) -> None:
    first, again = await send(service, kind, headers=KEY), await send(service, kind, headers=KEY)
    as_json = await send_json(service, kind, kind.json(), KEY)

    assert first.status_code == again.status_code == 200
    assert again.content == first.content
    assert as_json.json() == first.json()
    assert "Idempotency-Replayed" not in first.headers
    assert again.headers["Idempotency-Replayed"] == as_json.headers["Idempotency-Replayed"] == "true"


@every_kind
async def test_a_key_is_of_one_file_one_name_and_one_organisation(service: Service, kind: Kind) -> None:
    await send(service, kind, headers=KEY)

    for changes in ({"content": kind.other}, {"name": f"x{kind.name}"}):
        assert code(await send(service, kind, headers=KEY, **changes)) == (422, "IDEMPOTENCY_KEY_REUSED")
    async with service.http(client=STRANGER) as http:
        answer = await http.post(kind.path, files={"file": (kind.name, kind.other)}, headers=KEY)
    assert answer.status_code == 200


@every_kind
async def test_a_refused_upload_does_not_use_its_key(service: Service, kind: Kind) -> None:
    assert (await send(service, kind, b"nothing", headers=KEY)).status_code == 400
    assert (await send(service, kind, headers=KEY)).status_code == 200
    assert code(await send(service, kind, headers={"Idempotency-Key": ""})) == (400, "INVALID_REQUEST")


@every_kind
async def test_uploads_of_an_organisation_have_limited_room_which_deleting_frees(service: Service, kind: Kind) -> None:
    first = (await send(service, kind)).json()["fileId"]
    used = await service.services().uploads.stored_bytes(ORGANISATION)
    service.app.state.services = service.services(upload_quota=max(used, len(kind.other)))

    assert used > 0
    assert code(await send(service, kind, kind.other)) == (413, "STORAGE_FULL")
    assert (await send(service, kind, kind.other, client=STRANGER)).status_code == 200
    async with service.http() as http:
        assert (await http.delete(f"{kind.path}/{first}")).status_code == 200
    assert (await send(service, kind, kind.other)).status_code == 200


async def test_a_page_that_readers_show_differently_is_named_at_the_place_of_the_file(service: Service) -> None:
    content = unusual_pdf("a photograph of another kind")
    answers = [await send(service, FILE, content), await send_json(service, FILE, FILE.json(content))]
    assert [code(answer) for answer in answers] == [(400, "INVALID_FILE_TYPE")] * 2
    issues = [answer.json()["issues"][0] for answer in answers]
    assert [issue["path"] for issue in issues] == ["/file", "/data"]
    assert [issue["page"] for issue in issues] == [1, 1]
