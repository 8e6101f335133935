"""What processes log while all other tests here run: comes last, and reads all logs."""

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from typing import Any

import httpx

from cli.demo.command import read_example
from tests.builders import session_body
from tests.end_to_end.agreement import Agreement
from tests.end_to_end.installation import Installation
from tests.end_to_end.waiting import eventually
from tests.outbox import Outbox

_LINK = re.compile(r"https?://\S+/(?:sign|sign-in)/([\w-]{20,})")
_SECRETIVE = re.compile(r"(?<![\w/-])(?!(?:[0-9a-f]{40}|[0-9a-f]{64})\b)[A-Za-z0-9_-]{40,}(?![\w-])")
"""What secrets, cookies and tokens look like; digests are no secrets."""

_NAMES = re.compile(r"[a-z]+(_[a-z]+)+|[A-Za-z]+|[a-z]+(-[a-z]+)+(-[0-9]+)?")
"""Long words of programs, and Temporal's names of its own queues, are none either."""

_LONG_ENOUGH = 6
"""Characters of the shortest confidential text: shorter ones may be common words."""


def test_every_line_of_api_and_worker_is_a_json_object(installation: Installation, signed: Agreement) -> None:
    # Of the installation that no test kills: what Python prints about a killed process is no line of ours.
    lines = [line for name, line in _logged(installation) if name.startswith(("api", "worker"))]

    assert len(lines) > 20
    assert [line for line in lines if not isinstance(json.loads(line), dict)] == []


def test_no_log_holds_a_name_an_address_a_link_a_secret_or_a_text(signed: Agreement) -> None:
    found = []
    for installation in Installation.every:
        confidential = _confidential(installation)
        found += [pair for pair in _logged(installation) if any(text in pair[1] for text in confidential)]

    assert found == []
    assert any(len(_confidential(installation)) > 30 for installation in Installation.every)


def test_no_log_holds_anything_that_looks_like_a_secret(signed: Agreement) -> None:
    found = [
        (name, text, line)
        for installation in Installation.every
        for name, line in _logged(installation)
        for text in _SECRETIVE.findall(line)
        if not _NAMES.fullmatch(text)
    ]
    assert found == []


def test_the_id_of_a_request_finds_it_in_the_api_the_workflow_and_the_activities(
    installation: Installation, http: httpx.Client
) -> None:
    body = session_body("To be found in logs", {"ada": "Ada King"}, sendImmediately=True)
    created = http.post("/api/v1/Session", json=body, headers={"X-Request-Id": "find-me"})
    session_id = created.raise_for_status().json()["sessionId"]

    def entries(log: str) -> list[dict[str, Any]]:
        lines = (line for name, line in _logged(installation) if name.startswith(log) and line.startswith("{"))
        return [entry for line in lines if (entry := json.loads(line)).get("request_id") == "find-me"]

    eventually(
        lambda: "record_and_send" in {entry["activity"] for entry in entries("worker")},
        "the invitation is in the log of the worker",
    )
    (request,), activities = entries("api"), entries("worker")
    assert (request["event"], request["route"], request["session_id"]) == ("request", "/api/v1/Session", session_id)
    assert {entry["session_id"] for entry in activities} == {session_id}
    assert {entry["workflow_id"] for entry in activities} == {f"session/{session_id}"}


def _logged(installation: Installation) -> Iterator[tuple[str, str]]:
    """Yields each line with the name of its file; decodes escapes in JSON."""
    for path in sorted(installation.files(folder="logs")):
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            with suppress(ValueError):
                line = json.dumps(json.loads(line), ensure_ascii=False)  # noqa: PLW2901  # the same line
            yield path.name, line


def _confidential(installation: Installation) -> set[str]:
    """Returns names, addresses, secrets of links and clients, texts of documents, and values of fields."""
    texts = {text for text in _texts_of(installation) if len(text) >= _LONG_ENOUGH and not text.startswith("[")}
    return texts - {"undersign@localhost"}


def _texts_of(installation: Installation) -> Iterator[str]:
    example = json.loads(read_example()[0])
    yield from _texts(example)
    yield from (recipient[member] for recipient in example["recipients"] for member in ("name", "email"))
    yield from _in_rows(installation)
    for mail in Outbox(installation.data_dir / "outbox").mails():
        yield from mail.addresses
        yield from _LINK.findall(mail.text)
    for path in installation.files():
        with suppress(FileNotFoundError):  # deleted meanwhile
            content = path.read_bytes()
            if content[:1] in {b"{", b"["}:
                yield from _texts(json.loads(content))
    for path in (installation.data_dir / name for name in ("dev.json", "first-client.json")):
        if path.exists():
            members = json.loads(path.read_text(encoding="utf-8"))
            yield from (members[secret] for secret in ("clientSecret", "webhookSecret") if secret in members)


def _in_rows(installation: Installation) -> Iterator[str]:
    database = installation.data_dir / "undersign.db"
    if not database.exists():  # it has PostgreSQL, or was never started
        return
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as rows:
        for (snapshot,) in rows.execute("SELECT snapshot FROM sessions"):
            for recipient in json.loads(snapshot)["recipients"]:
                yield from (recipient["name"], recipient["email"])
        for person in rows.execute("SELECT name, email FROM users"):
            yield from person


def _texts(content: Any, member: str = "") -> Iterator[str]:
    """Yields the texts of a document or its values."""
    if isinstance(content, dict):
        for name, value in content.items():
            yield from _texts(value, name)
    elif isinstance(content, list):
        for value in content:
            yield from _texts(value, member)
    elif isinstance(content, str) and member in {"text", "items", "title", "subtitle", "label", "value", "values"}:
        yield content
