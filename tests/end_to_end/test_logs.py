"""What processes say while everything else here happens: comes last, and reads all of it."""

import json
import re
from typing import Any

import httpx
import pytest

from tests.end_to_end.agreement import Agreement
from tests.end_to_end.confidential_texts import confidences, entries, logged
from tests.end_to_end.installation import Installation
from tests.end_to_end.waiting import eventually
from undersign import Client

pytestmark = pytest.mark.installation

_SECRETIVE = re.compile(r"(?<![\w/-])(?!(?:[0-9a-f]{40}|[0-9a-f]{64})\b)[A-Za-z0-9_-]{40,}(?![\w-])")
"""What secrets, cookies and tokens look like; digests are no secrets."""

_NAMES = re.compile(r"[a-z]+(_[a-z]+)+|[A-Za-z]+|[a-z]+(-[a-z]+)+(-[0-9]+)?")
"""Long words of programs, and Temporal's names of its own queues, are none either."""


@pytest.fixture(scope="module")
def story(installation: Installation) -> Agreement:
    with Client(
        installation.dev_info.api_url, installation.dev_info.client_id, installation.dev_info.client_secret
    ) as service:
        agreement = Agreement(installation.dev_info, service)
        agreement.sign("client")
        agreement.sign("consultant")
        agreement.await_documents()
        service.get_values(agreement.session_id)
        return agreement


def test_every_line_of_api_and_worker_is_a_json_object(installation: Installation, story: Agreement) -> None:
    # Of the installation that nobody kills: what Python remarks about a process that was killed is no line of ours.
    lines = [line for name, line in logged(installation) if name.startswith(("api", "worker"))]

    assert len(lines) > 20
    assert [line for line in lines if not isinstance(json.loads(line), dict)] == []


def test_no_log_holds_a_name_an_address_a_link_a_secret_or_a_text(story: Agreement) -> None:
    found = []
    for installation in Installation.every:
        kept = confidences(installation)
        found += [(name, line) for name, line in logged(installation) if any(text in line for text in kept)]

    assert found == []
    assert any(len(confidences(installation)) > 30 for installation in Installation.every)


def test_no_log_holds_anything_that_looks_like_a_secret(story: Agreement) -> None:
    found = [
        (name, text, line)
        for installation in Installation.every
        for name, line in logged(installation)
        for text in _SECRETIVE.findall(line)
        if not _NAMES.fullmatch(text)
    ]
    assert found == []


def test_the_id_of_a_request_finds_it_in_the_api_the_workflow_and_the_activities(
    installation: Installation, http: httpx.Client, story: Agreement
) -> None:
    made = http.post(
        "/api/v1/Session",
        json={
            "name": "To be found in logs",
            "sendImmediately": True,
            "files": [{"type": "blocks", "document": {"format": "blocks", "title": "Logs", "blocks": _BLOCKS}}],
            "recipients": [{"key": "ada", "name": "Ada King", "email": "ada.king@example.com"}],
        },
        headers={"X-Request-Id": "find-me"},
    )
    session_id = made.raise_for_status().json()["sessionId"]

    def found(log: str) -> list[dict[str, Any]]:
        return [e for e in entries(installation, log) if e.get("request_id") == "find-me"]

    def invited() -> bool:
        return {"record_and_send"} <= {e["activity"] for e in found("worker")}

    eventually(invited, "the invitation is in the log of the worker")
    (request,), done = found("api"), found("worker")
    assert (request["event"], request["route"], request["session_id"]) == ("request", "/api/v1/Session", session_id)
    assert {e["session_id"] for e in done} == {session_id}
    assert {e["workflow_id"] for e in done} == {f"session/{session_id}"}


_BLOCKS = [{"type": "signatureBlock", "label": "Ada", "recipient": "ada"}]
