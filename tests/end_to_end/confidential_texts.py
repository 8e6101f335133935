"""The confidential texts of an installation, and its log lines."""

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from application.mail_outbox import read_outbox
from tests.end_to_end.folders import files_below
from tests.end_to_end.installation import Installation

_LINK = re.compile(r"https?://\S+/([\w-]{20,})")
_LONG_ENOUGH = 6
"""The shortest confidential text: shorter ones may be common words."""


def confidences(installation: Installation) -> set[str]:
    """Returns names, addresses, secrets of links and clients, texts of documents, and values of inputs."""
    found = {
        text for text in _confidential_texts(installation) if len(text) >= _LONG_ENOUGH and not text.startswith("[")
    }
    return found - {"undersign@localhost"}


def _confidential_texts(installation: Installation) -> Iterator[str]:
    yield from _in_rows(installation.data_dir / "undersign.db")
    for mail in read_outbox(installation.data_dir / "outbox"):
        yield mail.to.rpartition("<")[2].rstrip(">")
        yield from _LINK.findall(mail.text)
    for path in files_below(installation.data_dir / "objects"):
        with suppress(FileNotFoundError):  # deleted meanwhile
            content = path.read_bytes()
            if content[:1] in {b"{", b"["}:
                yield from _texts(json.loads(content))
    for name in ("dev.json", "first-client.json"):
        path = installation.data_dir / name
        if path.exists():
            members = json.loads(path.read_text(encoding="utf-8"))
            yield from (members[secret] for secret in ("clientSecret", "webhookSecret") if secret in members)


def _in_rows(database: Path) -> Iterator[str]:
    if not database.exists():  # it has PostgreSQL, or was never started
        return
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as rows:
        for (snapshot,) in rows.execute("SELECT snapshot FROM sessions"):
            for recipient in json.loads(snapshot)["recipients"]:
                yield from (recipient["name"], recipient["email"])
        for person in rows.execute("SELECT name, email FROM users"):
            yield from person


def _texts(content: Any, member: str = "") -> Iterator[str]:
    """Yields the texts that people wrote into a document or its inputs."""
    if isinstance(content, dict):
        for name, value in content.items():
            yield from _texts(value, name)
    elif isinstance(content, list):
        for value in content:
            yield from _texts(value, member)
    elif isinstance(content, str) and member in {"text", "items", "title", "subtitle", "label", "value", "values"}:
        yield content


def logged(installation: Installation) -> Iterator[tuple[str, str]]:
    """Yields each line with the name of its file; decodes escapes in JSON."""
    for path in sorted((installation.data_dir / "logs").glob("*")):
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            yield path.name, _meant(line)


def entries(installation: Installation, log: str) -> list[dict[str, Any]]:
    """Returns the lines of one log that are JSON objects."""
    return [json.loads(line) for name, line in logged(installation) if name.startswith(log) and line.startswith("{")]


def _meant(line: str) -> str:
    try:
        return json.dumps(json.loads(line), ensure_ascii=False)
    except ValueError:
        return line
