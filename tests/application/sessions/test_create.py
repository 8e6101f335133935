"""Creating a session: all issues at once, and nothing stored of a refused request (Specification 4.6)."""

import json
from typing import Any

import pytest

from domain.ports.database import DatabaseUnavailable
from domain.session.signing_links import link_hash, link_secret, make_token
from domain.shared.ids import SessionId
from domain.shared.object_names import digest
from layout.zone import Zone
from tests.api.service import OWN, Service, document, issues_by_path, session_request
from tests.builders import ORGANISATION
from tests.fakes.sessions import LINK_KEY, FakeSessions, WitnessedRows


async def refuse(service: Service, request: Any) -> Any:
    """The answer to a request that must be refused, after a look at what it left behind."""
    answer = await service.http().post("/api/v1/Session", json=request)
    assert answer.status_code == 400, answer.text
    assert not service.objects.objects
    assert not service.sessions.held
    return answer


async def test_a_draft_is_created_and_answered_with(service: Service) -> None:
    session = await service.create()
    assert session["status"] == "draft"
    assert session["name"] == "Consulting agreement"
    assert session["waitingFor"] == "Waiting to be sent."
    assert (session["sentAt"], session["completedDate"], session["previousStatus"]) == (None, None, None)
    assert session["restorable"] is False
    (file,) = session["files"]
    assert (file["fileName"], file["fileType"], file["type"]) == ("Agreement.pdf", "application/pdf", "blocks")
    assert (file["pageCount"], file["signedSha256"]) == (1, None)
    ada, grace = session["recipients"]
    assert (ada["key"], ada["email"], ada["status"], ada["signingOrder"]) == ("ada", "ada@example.com", "waiting", 1)
    assert grace["signingOrder"] == 2


async def test_times_have_milliseconds_and_are_utc(service: Service) -> None:
    session = await service.create()
    assert session["createdAt"] == session["updatedAt"]
    assert len(session["createdAt"]) == len("2026-06-12T10:30:00.000Z")
    assert session["createdAt"].endswith("Z")


async def test_source_zones_and_pages_are_stored_under_the_organisation(service: Service) -> None:
    session = await service.create()
    held = service.sessions.held[SessionId(session["sessionId"])]
    (file,) = held.files
    prefix = f"organisations/{ORGANISATION}/sessions/{held.session_id}/files/{file.file_id}/"
    assert set(service.objects.objects) == {file.source.name, file.zones.name, file.rendered.name}
    assert all(name.startswith(prefix) and digest(content) in name for name, content in service.objects.objects.items())
    assert json.loads(await service.objects.get(file.source)) == document()
    zones = [Zone.model_validate(zone) for zone in json.loads(await service.objects.get(file.zones))]
    assert {zone.recipient for zone in zones} == {"ada"}
    pdf = await service.objects.get(file.rendered)
    assert pdf.startswith(b"%PDF-")
    assert session["files"][0]["sha256"] == file.rendered.sha256


async def test_the_history_says_which_client_created_it_and_from_where(service: Service) -> None:
    session = await service.create()
    events = (await service.http().get(f"/api/v1/Session/{session['sessionId']}/Events")).json()["events"]
    assert [event["type"] for event in events] == ["session.created"]
    assert events[0]["actor"] == {"kind": "client", "id": OWN.client_id}
    assert events[0]["ip"] == "192.0.2.7"
    assert events[0]["userAgent"].startswith("python-httpx")


async def test_a_session_can_be_sent_at_once(service: Service) -> None:
    session = await service.create(sendImmediately=True)
    assert session["status"] == "pending"
    assert [recipient["status"] for recipient in session["recipients"]] == ["pending", "waiting"]


async def test_recipients_may_share_a_signing_order_and_an_email(service: Service) -> None:
    session = await service.create(
        recipients=[
            {"key": "ada", "name": "Ada", "email": "office@example.com", "signingOrder": 3},
            {"key": "grace", "name": "Grace", "email": "OFFICE@example.com", "signingOrder": 3},
        ]
    )
    assert [(r["email"], r["signingOrder"]) for r in session["recipients"]] == [("office@example.com", 3)] * 2


@pytest.mark.parametrize(
    ("given", "shown"), [("Terms", "Terms.pdf"), ("Terms.pdf", "Terms.pdf"), ("Verträge 2026.PDF", "Verträge 2026.PDF")]
)
async def test_a_file_keeps_its_given_name(service: Service, given: str, shown: str) -> None:
    session = await service.create(files=[{"type": "blocks", "document": document(), "fileName": given}])
    assert session["files"][0]["fileName"] == shown


async def test_a_file_name_made_from_a_title_is_safe(service: Service) -> None:
    session = await service.create(files=[{"type": "blocks", "document": document(title='A/B: "C"')}])
    assert session["files"][0]["fileName"] == "A-B- -C.pdf"


async def test_files_of_equal_names_get_a_number(service: Service) -> None:
    files = [{"type": "blocks", "document": document(), "fileName": name} for name in ("Terms", "terms.pdf", "Other")]
    session = await service.create(files=files)
    assert [file["fileName"] for file in session["files"]] == ["Terms.pdf", "terms (2).pdf", "Other.pdf"]


async def test_secrets_are_not_shown(service: Service) -> None:
    session = await service.create(sendImmediately=True)
    held = service.sessions.held[SessionId(session["sessionId"])]
    ada = held.recipients[0]
    secret = link_secret(LINK_KEY, held.session_id, ada.recipient_id, ada.invitation.number)
    assert link_hash(secret) not in json.dumps(session)
    assert make_token(ORGANISATION, held.session_id, secret) not in json.dumps(session)
    assert not {"invitation", "submission", "linkHash"} & set(session["recipients"][0])


async def test_all_issues_of_shape_are_listed_at_once(service: Service) -> None:
    blocks = [
        {"type": "heading"},
        {"type": "paragraph", "text": "x", "fontSize": 99},
        {"type": "table", "items": ["unknown"]},
        {"text": "typeless"},
        {"type": "spacer", "height": "tall"},
        {"type": "field", "fieldType": "text", "label": "x", "recipient": "ada", "name": "no spaces", "colour": 1},
        {"type": "pageBreak", "header": {"subtitle": "x"}},
        {"type": "paragraph", "text": "x", "font_size": 9},
    ]
    answer = await refuse(
        service,
        {
            "name": "n" * 51,
            "files": [
                {"type": "blocks", "document": document(blocks=blocks), "fileName": "a/b"},
                {"type": "word", "fileId": "x"},
                {"type": "uploadedPdf", "fileId": 7, "document": {}},
            ],
            "recipients": [
                {"key": "a b", "name": " ", "email": "nobody"},
                {"key": "c", "name": "Line\nbreak", "email": "c@example.com", "signingOrder": 0},
            ],
            "sendImmediately": "yes",
            "expiryDays": 0,
            "reminderEnabled": 1,
            "reminderFrequency": "hourly",
            "a/b~c": 1,
        },
    )

    body = answer.json()
    assert body["error"] == "INVALID_REQUEST"
    document_issues = (
        "0/text", "1/fontSize", "2/type", "3/type", "4/height", "5/name", "5/colour", "6/header/title", "7/font_size",
    )  # fmt: skip
    assert set(issues_by_path(answer)) == {
        "/name", "/files/0/fileName", "/files/1/type", "/files/2/fileId", "/files/2/document", "/recipients/0/key",
        "/recipients/0/name", "/recipients/0/email", "/recipients/1/name", "/recipients/1/signingOrder",
        "/sendImmediately", "/expiryDays", "/reminderEnabled", "/reminderFrequency", "/a~1b~0c",
        *(f"/files/0/document/blocks/{path}" for path in document_issues),
    }  # fmt: skip
    assert str(len(body["issues"])) in body["message"]


@pytest.mark.parametrize("member", ["status", "colour"])
async def test_a_member_that_would_have_no_effect_is_refused(service: Service, member: str) -> None:
    answer = await refuse(service, session_request(**{member: None}))
    assert issues_by_path(answer)[f"/{member}"].startswith("Unknown member; remove it. There are: ")


async def test_equal_keys_of_recipients_are_refused_beside_other_mistakes(service: Service) -> None:
    ada = {"key": "ada", "name": "Ada", "email": "ada@example.com"}
    answer = await refuse(service, session_request(recipients=[ada, ada], name=""))
    assert set(issues_by_path(answer)) == {"/recipients/1/key", "/name"}


@pytest.mark.parametrize(
    "email", ["", "ada", "ada@", "ada@example", "Ada <ada@example.com>", "a b@example.com", "ada@example.com\n"]
)
async def test_an_invalid_email_address_is_refused(service: Service, email: str) -> None:
    answer = await refuse(service, session_request(recipients=[{"key": "ada", "name": "Ada", "email": email}]))
    assert issues_by_path(answer) == {"/recipients/0/email": "Enter a full email address, like ada@example.com."}


@pytest.mark.parametrize("email", ["ada@example.com", "ada@office.local", "ada@northwind.test", "ada+x@b\u00fccher.de"])
async def test_public_and_internal_email_addresses_are_accepted(service: Service, email: str) -> None:
    session = await service.create(recipients=[{"key": "ada", "name": "Ada", "email": email}])
    assert session["recipients"][0]["email"] == email


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[" * 100_000, b'"\xff"', b'{"name": "\\ud800"}', b"nul", b"[]", b'"x"', b"1", b"null"]
)
@pytest.mark.parametrize("content_type", ["application/json", "application/json; charset=utf-8"])
async def test_a_body_that_is_no_json_object_is_refused(service: Service, content: bytes, content_type: str) -> None:
    answer = await service.http().post("/api/v1/Session", content=content, headers={"Content-Type": content_type})
    assert (answer.status_code, answer.json()["error"]) == (400, "INVALID_REQUEST")
    assert [issue["path"] for issue in answer.json()["issues"]] == [""]


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "", "json"])
async def test_a_body_of_another_media_type_is_refused(service: Service, content_type: str) -> None:
    content = json.dumps(session_request())
    answer = await service.http().post("/api/v1/Session", content=content, headers={"Content-Type": content_type})
    assert (answer.status_code, answer.json()["error"]) == (415, "UNSUPPORTED_MEDIA_TYPE")


async def test_five_different_mistakes_in_a_document_are_five_issues(service: Service) -> None:
    signature = {"type": "signatureBlock", "label": "For the client", "recipient": "ada"}
    field = {"type": "field", "fieldType": "text", "label": "Order", "name": "order", "recipient": "ada"}
    mistaken = document(
        title="A title that is much too long to fit on the one line that the header has for it, so it is refused",
        blocks=[
            {"type": "paragraph", "text": "Dear {{{client}}},"},
            field,
            field,
            {**signature, "recipient": "nobody"},
            {"type": "paragraph", "text": "W" * 20_000, "fontSize": 24},
            {"type": "spacer", "height": 600},
        ],
    )
    other = document(blocks=[signature, {**signature, "recipient": "stranger"}])
    files = [{"type": "blocks", "document": mistaken}, {"type": "blocks", "document": other}]

    answer = await refuse(service, session_request(files=files))

    body = answer.json()
    assert body["error"] == "DOCUMENT_VALIDATION_FAILED"
    found = {(issue["file"], issue["kind"], issue["path"]) for issue in body["issues"]}
    assert {
        (0, "title-too-long", "/files/0/document/title"),
        (0, "tokens-in-session", "/files/0/document/blocks/0/text"),
        (0, "duplicate-field-name", "/files/0/document/blocks/2/name"),
        (0, "unknown-recipient", "/files/0/document/blocks/3/recipient"),
        (1, "unknown-recipient", "/files/1/document/blocks/1/recipient"),
    } <= found
    for issue in body["issues"]:
        assert set(issue) == {"kind", "page", "message", "snippet", "file", "path"}
        assert issue["page"] >= 1
        assert issue["snippet"]


async def test_tokens_in_names_and_emails_are_refused_as_in_texts(service: Service) -> None:
    recipients = [{"key": "ada", "name": "{{{client}}}", "email": "{{{client}}}@example.com"}]
    answer = await refuse(service, session_request(recipients=recipients))
    assert [(issue["kind"], issue["path"], issue["page"]) for issue in answer.json()["issues"]] == [
        ("tokens-in-session", "/recipients/0/name", 1),
        ("tokens-in-session", "/recipients/0/email", 1),
    ]


async def test_characters_that_no_font_can_draw_are_refused_wherever_they_are(service: Service) -> None:
    glyph = "\U00012000"
    blocks = [{"type": "paragraph", "text": f"Seen {glyph}"}]
    recipients = [{"key": "ada", "name": f"Ada {glyph}", "email": "ada@example.com"}]
    answer = await refuse(
        service, session_request(files=[{"type": "blocks", "document": document(blocks=blocks)}], recipients=recipients)
    )
    assert answer.json()["error"] == "INVALID_REQUEST"
    assert set(issues_by_path(answer)) == {"/files/0/document/blocks/0/text", "/recipients/0/name"}
    assert all("U+12000 CUNEIFORM SIGN A." in message for message in issues_by_path(answer).values())


async def test_a_session_is_sent_while_temporal_is_away_and_can_be_read_at_once(service: Service) -> None:
    service.sessions.runs.is_away = True
    session = await service.create(sendImmediately=True)
    read = await service.http().get(f"/api/v1/Session/{session['sessionId']}")
    assert session["status"] == "pending"
    assert {**read.json(), "warnings": session["warnings"]} == session


@pytest.mark.parametrize("send", [False, True])
async def test_a_session_that_cannot_be_written_is_not_answered_with(service: Service, *, send: bool) -> None:
    class Unwritable(WitnessedRows):
        async def change(self, *_: object, **__: object) -> bool:
            raise DatabaseUnavailable("no room")

    sessions = FakeSessions(Unwritable(service.database.engine))
    service.app.state.services = service.services(sessions=sessions)

    answer = await service.http().post("/api/v1/Session", json=session_request(sendImmediately=send))

    assert (answer.status_code, answer.json()["error"]) == (503, "UNAVAILABLE")
    assert int(answer.headers["retry-after"]) > 0
    assert not sessions.runs.started


async def test_the_sender_is_whom_the_client_names(service: Service) -> None:
    robin = {"name": "Robin Finch", "email": "robin@northwind.example"}
    assert (await service.create(sender=robin))["sender"] == robin
    assert "sender" not in await service.create()


async def test_a_sender_has_a_name_in_one_line_and_an_address(service: Service) -> None:
    answer = await refuse(service, session_request(sender={"name": "Robin\nFinch", "email": "robin"}))
    assert set(issues_by_path(answer)) == {"/sender/name", "/sender/email"}
