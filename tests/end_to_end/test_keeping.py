"""What is kept of a session, and what is not: refused, archived, restored, deleted."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from tests import http_requests
from tests.end_to_end.agreement import Agreement
from tests.end_to_end.folders import files_below
from tests.end_to_end.installation import Installation
from tests.end_to_end.waiting import eventually
from undersign import Client

pytestmark = pytest.mark.installation

FIVE_MISTAKES: dict[str, Any] = {
    "name": "Five mistakes",
    "sendImmediately": True,
    "recipients": [{"key": "client", "name": "Ada Lovelace", "email": "ada@example.com"}],
    "files": [
        {
            "type": "blocks",
            "document": {
                "format": "blocks",
                "title": "A title that is far too long to be printed on a single line of the band",
                "blocks": [
                    {"type": "paragraph", "text": "Dear {{{firstName}}},"},
                    {"type": "field", "fieldType": "text", "label": "Order", "recipient": "client", "name": "order"},
                    {"type": "field", "fieldType": "text", "label": "Again", "recipient": "client", "name": "order"},
                    {"type": "heading", "text": "\n" * 499 + "x"},
                    {"type": "signatureBlock", "recipient": "stranger", "label": "For somebody else"},
                ],
            },
        }
    ],
}


def test_five_mistakes_are_one_answer_with_five_issues_and_nothing_is_stored(
    installation: Installation, http: httpx.Client
) -> None:
    stored = _files(installation.data_dir / "objects")

    answer = http.post("/api/v1/Session", json=FIVE_MISTAKES)

    assert answer.status_code == 400
    assert answer.json()["error"] == "DOCUMENT_VALIDATION_FAILED"
    assert sorted(issue["kind"] for issue in answer.json()["issues"]) == [
        "duplicate-field-name",
        "out-of-bounds",
        "title-too-long",
        "tokens-in-session",
        "unknown-recipient",
    ]
    assert all({"kind", "page", "message", "snippet", "path"} <= issue.keys() for issue in answer.json()["issues"])
    assert _files(installation.data_dir / "objects") <= stored
    assert not any(b"Five mistakes" in mail.read_bytes() for mail in (installation.data_dir / "outbox").glob("*.eml"))


def test_an_archived_session_cannot_be_signed_until_it_is_restored(
    installation: Installation, service: Client, http: httpx.Client
) -> None:
    agreement = Agreement(installation.dev_info, service)
    path = f"/api/v1/Session/{agreement.session_id}"
    link = agreement.link_of("client")

    archived = http.delete(path)
    page = http_requests.get(link)
    again = http.delete(path)
    restored = http.post(f"{path}/Restore")
    agreement.sign("client")

    assert archived.json() | {"sessionId": "", "name": ""} == {
        "sessionId": "",
        "name": "",
        "previousStatus": "pending",
        "status": "cancelled",
        "permanent": False,
        "restorable": True,
    }
    assert page.is_client_error
    assert (again.status_code, again.json()["error"]) == (400, "ALREADY_ARCHIVED")
    assert restored.json()["status"] == "pending"
    assert service.get_session(agreement.session_id).status == "inProgress"


def test_of_a_deleted_session_nothing_remains(installation: Installation, service: Client, http: httpx.Client) -> None:
    agreement = Agreement(installation.dev_info, service)
    agreement.sign("client")
    link = agreement.link_of("consultant")
    path = f"/api/v1/Session/{agreement.session_id}"
    objects = installation.data_dir / "objects"
    before = _files(objects, agreement.session_id)

    deleted = http.delete(path, params={"permanent": "true"})

    assert before
    assert (deleted.json()["status"], deleted.json()["permanent"], deleted.json()["restorable"]) == (
        "deleted",
        True,
        False,
    )
    assert [http.request(method, path).status_code for method in ("GET", "DELETE")] == [404, 404]
    assert http.get(f"{path}/Documents").status_code == 404
    assert http_requests.get(link).is_client_error
    eventually(lambda: not _files(objects, agreement.session_id), "its objects are gone")


def _files(directory: Path, part: str = "") -> set[Path]:
    return {path for path in files_below(directory) if part in str(path)}
