"""Signed documents and downloads by address (Specification 4.1, 4.2)."""

from collections.abc import Callable
from datetime import date, timedelta

import pytest

from domain.ports.object_store import Download
from domain.session.session import Session, SessionFile
from domain.shared.errors import Unavailable
from domain.shared.ids import SessionId
from domain.shared.times import LocalDate
from tests.api.service import OWN, Service, document
from tests.builders import NOON, audit, identifier, submission

TWO_FILES = [
    {"type": "blocks", "document": document()},
    {"type": "blocks", "document": document(title="Annex", blocks=[{"type": "heading", "text": "Prices"}])},
]


@pytest.mark.parametrize("rest", ["/Documents", "/Document/{file}", "/Certificate"])
async def test_downloads_need_all_signatures(service: Service, rest: str) -> None:
    session = await service.create(sendImmediately=True)
    path = f"/api/v1/Session/{session['sessionId']}" + rest.format(file=session["files"][0]["fileId"])

    pending = await service.http().get(path)
    await service.generate(await service.complete(session["sessionId"]))
    completed = await service.http().get(path)
    await service.http().delete(f"/api/v1/Session/{session['sessionId']}")
    archived = await service.http().get(path)

    assert (pending.status_code, pending.json()["error"]) == (409, "SESSION_NOT_COMPLETED")
    assert completed.status_code == 200
    assert (archived.status_code, archived.json()["error"]) == (409, "SESSION_NOT_COMPLETED")


async def test_the_documents_come_with_addresses_and_their_lifetime(service: Service) -> None:
    session = await service.create(sendImmediately=True, files=TWO_FILES)
    await service.generate(await service.complete(session["sessionId"]))

    answer = (await service.http().get(f"/api/v1/Session/{session['sessionId']}/Documents")).json()

    assert answer["sessionId"] == session["sessionId"]
    assert answer["sessionStatus"] == "completedAndGenerated"
    assert answer["expiresInSeconds"] == 300
    assert [(d["fileId"], d["fileName"]) for d in answer["documents"]] == [
        (file["fileId"], file["fileName"]) for file in session["files"]
    ]
    assert all(entry["url"] for entry in answer["documents"])
    read = (await service.http().get(f"/api/v1/Session/{session['sessionId']}")).json()
    files = service.sessions.held[SessionId(session["sessionId"])].files
    assert [file["signedSha256"] for file in read["files"]] == [file.signed and file.signed.sha256 for file in files]
    assert all(file["signedSha256"] for file in read["files"])
    assert read["completedDate"]


async def test_each_first_download_is_an_event(service: Service) -> None:
    session = await service.create(sendImmediately=True, files=TWO_FILES)
    await service.generate(await service.complete(session["sessionId"]))
    path = f"/api/v1/Session/{session['sessionId']}"
    first, second = (file["fileId"] for file in session["files"])

    for rest in (f"/Document/{second}", "/Documents", "/Documents", "/Certificate", "/Certificate"):
        assert (await service.http().get(path + rest)).status_code == 200

    events = (await service.http().get(f"{path}/Events")).json()["events"]
    handed = [event for event in events if event["type"] == "session.downloaded"]
    assert [event["details"] for event in handed] == [
        {"copy": "document", "fileId": second}, {"copy": "document", "fileId": first}, {"copy": "certificate"},
    ]  # fmt: skip
    assert {event["actor"]["id"] for event in handed} == {OWN.client_id}


async def test_nothing_is_handed_out_that_cannot_be_recorded(service: Service) -> None:
    session = await service.create(sendImmediately=True)
    await service.generate(await service.complete(session["sessionId"]))
    service.sessions.act = unavailable  # type: ignore[method-assign]

    answer = await service.http().get(f"/api/v1/Session/{session['sessionId']}/Documents")

    assert (answer.status_code, answer.json()["error"]) == (503, "UNAVAILABLE")


async def unavailable(*_: object) -> Session:
    raise Unavailable


async def test_one_document_may_be_ready_before_the_others(service: Service) -> None:
    session = await service.create(sendImmediately=True, files=TWO_FILES)
    completed = await service.complete(session["sessionId"])
    first, second = completed.files
    signed = first.rendered.model_copy(update={"name": "signed.pdf"})
    await service.sessions.take(completed.add_signed_document(first.file_id, signed, audit()))
    path = f"/api/v1/Session/{session['sessionId']}"

    ready = await service.http().get(f"{path}/Document/{first.file_id}")
    waiting = await service.http().get(f"{path}/Document/{second.file_id}")
    whole = await service.http().get(f"{path}/Documents")

    assert [entry["fileId"] for entry in ready.json()["documents"]] == [first.file_id]
    assert ready.json()["sessionStatus"] == "completed"
    for answer in (waiting, whole):
        assert (answer.status_code, answer.json()["error"]) == (409, "DOCUMENT_NOT_READY")
        assert int(answer.headers["retry-after"]) > 0


@pytest.mark.parametrize("file_id", [identifier("no such file"), "malformed"])
async def test_an_unknown_file_is_not_found_even_before_signing(service: Service, file_id: str) -> None:
    session = await service.create()
    answer = await service.http().get(f"/api/v1/Session/{session['sessionId']}/Document/{file_id}")
    assert (answer.status_code, answer.json()["error"]) == (404, "NOT_FOUND")


async def test_a_download_is_an_attachment_of_its_own_name(service: Service) -> None:
    service.downloads.held["token"] = (b"%PDF-", Download("Vertrag „Ü“.pdf", "application/pdf", 300))

    answer = await service.http(None).get("/objects/token")

    assert answer.content == b"%PDF-"
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.headers["x-content-type-options"] == "nosniff"
    disposition = answer.headers["content-disposition"]
    assert disposition.startswith('attachment; filename="Vertrag ')
    assert disposition.endswith("filename*=UTF-8''Vertrag%20%E2%80%9E%C3%9C%E2%80%9C.pdf")


async def test_download_managers_may_ask_for_the_head_first(service: Service) -> None:
    service.downloads.held["token"] = (b"%PDF-", Download("a.pdf", "application/pdf", 300))
    http = service.http(None)

    head, whole = await http.head("/objects/token"), await http.get("/objects/token")

    assert head.status_code == 200
    for name in ("content-type", "content-length", "content-disposition"):
        assert head.headers[name] == whole.headers[name]
    assert (await http.head("/objects/elsewhere")).status_code == 404
    unknown = await http.get("/objects/elsewhere")
    assert (unknown.status_code, unknown.json()["error"]) == (404, "NOT_FOUND")
    shown = await http.get("/objects/elsewhere", headers={"Accept": "text/html"})
    assert (shown.status_code, shown.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "download the file again" in shown.text


async def test_without_a_store_of_our_own_there_are_no_downloads_here(service: Service) -> None:
    service.downloads.held["token"] = (b"%PDF-", Download("a.pdf", "application/pdf", 300))
    service.app.state.services = service.services(downloads=None)
    assert (await service.http(None).get("/objects/token")).status_code == 404


Change = Callable[[Session, Session], Session]


async def completed(service: Service, name: str) -> Session:
    made = await service.create(sendImmediately=True, name=name)
    return await service.generate(await service.complete(made["sessionId"]))


def with_file(session: Session, file: SessionFile) -> Session:
    return session.model_copy(update={"files": (file,)})


def with_recipient(session: Session, **changes: object) -> Session:
    return session.with_recipient(session.recipients[0], **changes)


CHANGES: dict[str, Change] = {
    "the signed PDF of another session": lambda session, other: with_file(
        session, session.files[0].model_copy(update={"signed": other.files[0].signed})
    ),
    "the PDF as it was sent": lambda session, _: with_file(
        session, session.files[0].model_copy(update={"signed": session.files[0].rendered})
    ),
    "other pages": lambda session, other: with_file(
        session, session.files[0].model_copy(update={"rendered": other.files[0].rendered})
    ),
    "other entries": lambda session, _: with_recipient(session, submission=submission("other").content),
    "another time": lambda session, _: with_recipient(session, completed_at=NOON + timedelta(minutes=1)),
    "another day": lambda session, _: with_recipient(
        session, signed_on=LocalDate(date=date(2026, 1, 1), time_zone="Australia/Sydney")
    ),
    "another name": lambda session, _: with_recipient(session, name="Augusta"),
}


@pytest.mark.parametrize("what", CHANGES)
async def test_a_certificate_is_refused(service: Service, what: str) -> None:
    session, other = [await completed(service, name) for name in ("Agreement", "Another agreement")]
    address = f"/api/v1/Session/{session.session_id}/Certificate"
    assert (await service.http().get(address)).status_code == 200

    await service.sessions.become(CHANGES[what](service.sessions.held[session.session_id], other))

    answer = await service.http().get(address)
    assert (answer.status_code, answer.json()["error"]) == (409, "DOCUMENTS_DIFFER")
