"""`undersign layout`: documents laid out and checked from scripts."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Command
from tests.layout.pictures import encoded, shades
from tests.layout.reading import images_of

GOOD: dict[str, Any] = {
    "format": "blocks",
    "title": "Agreement",
    "blocks": [
        {"type": "paragraph", "text": "Text"},
        {"type": "signatureBlock", "label": "Client", "recipient": "client"},
    ],
}
BAD = {
    **GOOD,
    "blocks": [
        {"type": "field", "fieldType": "text", "label": "Place", "recipient": "client"},
        {"type": "pageBreak"},
        {"type": "field", "fieldType": "text", "label": "Place", "recipient": "client"},
        {"type": "signatureBlock", "label": "Client", "recipient": "client"},
    ],
}


@pytest.fixture
def good(tmp_path: Path) -> str:
    return written(tmp_path, GOOD)


@pytest.fixture
def bad(tmp_path: Path) -> str:
    return written(tmp_path, BAD)


def written(folder: Path, document: object) -> str:
    path = folder / "document.json"
    path.write_text(json.dumps(document), "utf-8")
    return str(path)


def test_a_document_without_issues_passes_and_is_written(command: Command, tmp_path: Path, good: str) -> None:
    assert command("layout", "check", good) == (0, "", "")
    assert command("layout", "render", good, "-o", str(tmp_path / "out.pdf")) == (0, "", "")
    assert (tmp_path / "out.pdf").read_bytes().startswith(b"%PDF-")


def test_a_document_with_issues_is_written_only_with_debug(command: Command, tmp_path: Path, bad: str) -> None:
    output = tmp_path / "out.pdf"
    refused = command("layout", "render", bad, "-o", str(output))

    assert (refused.code, "duplicate-field-name" in refused.err, output.exists()) == (1, True, False)
    assert command("layout", "render", bad, "-o", str(output), "--debug").code == 1
    assert output.read_bytes().startswith(b"%PDF-")


def test_each_issue_is_a_line_or_an_object(command: Command, bad: str) -> None:
    answer = command("layout", "check", bad)
    (line,) = answer.out.splitlines()
    as_json = json.loads(command("layout", "check", bad, "--json").out)
    (issue,) = as_json["issues"]

    assert answer.code == 1
    assert line.startswith("page 2  /blocks/2/label  duplicate-field-name  The field at /blocks/0")
    assert as_json["pageCount"] == 2
    assert (issue["kind"], issue["page"], issue["path"]) == ("duplicate-field-name", 2, "/blocks/2/label")
    assert issue.keys() == {"kind", "page", "path", "message", "snippet"}


def test_keys_are_checked_against_the_recipients_that_are_named(command: Command, good: str) -> None:
    answer = command("layout", "check", good, "--recipient", "supplier")
    assert (answer.code, "unknown-recipient" in answer.out) == (1, True)


@pytest.mark.parametrize("contents", ["{", '{"format": "blocks", "title": "A", "blocks": []}', "[1]"])
def test_a_file_that_is_no_block_document_is_refused(command: Command, tmp_path: Path, contents: str) -> None:
    path = tmp_path / "document.json"
    path.write_text(contents, "utf-8")
    assert command("layout", "check", str(path)).refuses("is no block document")


def test_paths_that_cannot_be_read_or_written_are_refused(command: Command, tmp_path: Path, good: str) -> None:
    nowhere = str(tmp_path / "nowhere" / "file")
    assert command("layout", "check").code == 2
    assert command("layout", "check", nowhere).refuses("cannot be read: No such file")
    assert command("layout", "render", good, "-o", nowhere).refuses("cannot be written: No such file")


def test_a_document_with_warnings_passes(command: Command, tmp_path: Path) -> None:
    path = written(tmp_path, {**GOOD, "theme": {"textColor": "#eeeeee"}})
    answer = command("layout", "check", path)
    as_json = command("layout", "check", path, "--json").json()

    assert answer.code == 0
    assert "warning  /theme/textColor  low-contrast  " in answer.out
    assert "/theme/textColor" in {warning["path"] for warning in as_json["warnings"]}


@pytest.mark.poppler
def test_images_are_files_named_by_their_file_ids(command: Command, tmp_path: Path) -> None:
    (tmp_path / "plan.png").write_bytes(encoded(shades(300, 200)))
    document = written(tmp_path, {**GOOD, "blocks": [{"type": "image", "fileId": "plan"}, *GOOD["blocks"]]})
    output = tmp_path / "out.pdf"
    without = command("layout", "check", document)
    given = command("layout", "render", document, "-o", str(output), "--image", f"plan={tmp_path}/plan.png")

    assert (without.code, "unknown-image" in without.out) == (1, True)
    assert (given.code, given.err) == (0, "")
    assert len(images_of(output.read_bytes())) == 1


@pytest.mark.parametrize("option", ["plan", "=plan.png", "plan=missing.png", "plan=document.json"])
def test_an_image_that_cannot_be_read_is_refused(command: Command, tmp_path: Path, good: str, option: str) -> None:
    file_id, equals, name = option.partition("=")
    at = f"{file_id}{equals}{tmp_path / name}" if name else option
    assert command("layout", "check", good, "--image", at).refuses("")
