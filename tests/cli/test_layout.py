"""`undersign layout`: documents laid out and checked from scripts."""

import json
from pathlib import Path

import pytest

from tests.cli.commands import undersign
from tests.layout.pictures import encoded, shades
from tests.layout.reading import images_of

GOOD = {
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


def test_a_document_is_written_as_a_pdf(tmp_path: Path, good: str) -> None:
    answer = undersign(tmp_path, "layout", "render", good, "-o", str(tmp_path / "out.pdf"))

    assert (answer.code, answer.out, answer.err) == (0, "", "")
    assert (tmp_path / "out.pdf").read_bytes().startswith(b"%PDF-")


def test_a_document_with_issues_is_not_written(tmp_path: Path, bad: str) -> None:
    answer = undersign(tmp_path, "layout", "render", bad, "-o", str(tmp_path / "out.pdf"))

    assert answer.code == 1
    assert "duplicate-field-name" in answer.err
    assert not (tmp_path / "out.pdf").exists()


def test_with_debug_it_is_written_all_the_same(tmp_path: Path, bad: str) -> None:
    answer = undersign(tmp_path, "layout", "render", bad, "-o", str(tmp_path / "out.pdf"), "--debug")

    assert answer.code == 1
    assert (tmp_path / "out.pdf").read_bytes().startswith(b"%PDF-")


def test_a_good_document_passes_in_silence(tmp_path: Path, good: str) -> None:
    answer = undersign(tmp_path, "layout", "check", good)

    assert (answer.code, answer.out, answer.err) == (0, "", "")


def test_each_issue_is_a_line_with_page_place_and_kind(tmp_path: Path, bad: str) -> None:
    answer = undersign(tmp_path, "layout", "check", bad)

    assert answer.code == 1
    (line,) = answer.out.splitlines()
    assert line.startswith("page 2  /blocks/2/label  duplicate-field-name  The field at /blocks/0")


def test_issues_can_be_had_as_json(tmp_path: Path, bad: str) -> None:
    answer = json.loads(undersign(tmp_path, "layout", "check", bad, "--json").out)

    assert answer["pageCount"] == 2
    assert [(issue["kind"], issue["page"], issue["path"]) for issue in answer["issues"]] == [
        ("duplicate-field-name", 2, "/blocks/2/label")
    ]
    assert answer["issues"][0].keys() == {"kind", "page", "path", "message", "snippet"}


def test_keys_are_checked_against_the_recipients_that_are_named(tmp_path: Path, good: str) -> None:
    answer = undersign(tmp_path, "layout", "check", good, "--recipient", "supplier")

    assert answer.code == 1
    assert "unknown-recipient" in answer.out


@pytest.mark.parametrize("contents", ["{", '{"format": "blocks", "title": "A", "blocks": []}', "[1]"])
def test_what_is_no_block_document_is_said_in_one_line(tmp_path: Path, contents: str) -> None:
    path = tmp_path / "document.json"
    path.write_text(contents, "utf-8")
    answer = undersign(tmp_path, "layout", "check", str(path))

    assert answer.code == 2
    assert len(answer.err.splitlines()) == 1
    assert "is no block document" in answer.err


def test_a_file_that_is_not_there_is_said_in_one_line(tmp_path: Path) -> None:
    answer = undersign(tmp_path, "layout", "check", str(tmp_path / "nowhere.json"))

    assert answer.code == 2
    assert "cannot be read: No such file" in answer.err


def test_a_place_that_cannot_be_written_is_said_in_one_line(tmp_path: Path, good: str) -> None:
    answer = undersign(tmp_path, "layout", "render", good, "-o", str(tmp_path / "nowhere" / "out.pdf"))

    assert answer.code == 2
    assert "cannot be written: No such file" in answer.err


def test_a_command_without_a_document_is_a_usage_error(tmp_path: Path) -> None:
    assert undersign(tmp_path, "layout", "check").code == 2


def test_warnings_are_printed_and_let_a_document_pass(tmp_path: Path) -> None:
    path = written(tmp_path, {**GOOD, "theme": {"textColor": "#eeeeee"}})
    answer = undersign(tmp_path, "layout", "check", path)
    as_json = json.loads(undersign(tmp_path, "layout", "check", path, "--json").out)

    assert answer.code == 0
    assert "warning  /theme/textColor  low-contrast  " in answer.out
    assert "/theme/textColor" in {warning["path"] for warning in as_json["warnings"]}


@pytest.mark.poppler
def test_pictures_are_given_as_files_by_their_file_ids(tmp_path: Path) -> None:
    (tmp_path / "plan.png").write_bytes(encoded(shades(300, 200)))
    shown = written(tmp_path, {**GOOD, "blocks": [{"type": "image", "fileId": "plan"}, *GOOD["blocks"]]})  # type: ignore[misc]
    output = tmp_path / "out.pdf"

    without = undersign(tmp_path, "layout", "check", shown)
    given = undersign(tmp_path, "layout", "render", shown, "-o", str(output), "--image", f"plan={tmp_path}/plan.png")

    assert (without.code, "unknown-image" in without.out) == (1, True)
    assert (given.code, given.err) == (0, "")
    assert len(images_of(output.read_bytes())) == 1


@pytest.mark.parametrize("option", ["plan", "=plan.png", "plan=missing.png", "plan=document.json"])
def test_a_picture_that_cannot_be_read_is_said(tmp_path: Path, good: str, option: str) -> None:
    file_id, equals, name = option.partition("=")
    at = f"{file_id}{equals}{tmp_path / name}" if name else option

    answer = undersign(tmp_path, "layout", "check", good, "--image", at)

    assert answer.code == 2
    assert "Traceback" not in answer.err
