"""A sealed file is one document to programs of other rules: lengths at its start, archives at its end."""

import re
import zipfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from io import BytesIO
from random import Random

import pikepdf
import pytest

from application.documents.verify import check_file
from domain.audit.verification_report import Check, Outcome, Verdict
from pades.verification.file_structure import has_wrong_length, is_archive
from pades.verification.verify_file import verify_file
from tests.fakes.seals import KEYS
from tests.pades.verification.sealed_files import NOW, TRUSTED, pages, sealed, with_revocations
from tests.pades.verification.test_cms_container import told


@cache
def linearised() -> bytes:
    output = BytesIO()
    with pikepdf.open(BytesIO(pages(1))) as opened:
        opened.save(output, linearize=True)
    return output.getvalue()


def having_length(length: bytes) -> bytes:
    """The PDF with another length at its start, in the room that is there for a longer number."""
    found = re.search(rb"/L (\d+)(.*?)( *)>>", linearised()[:1024], re.DOTALL)
    assert found
    written = b"/L " + length + found[2]
    assert len(written) <= found.end(3) - found.start(), "there is not so much room"
    return linearised()[: found.start()] + written.ljust(found.end(3) - found.start()) + linearised()[found.end(3) :]


def test_a_pdf_that_was_arranged_for_the_web_before_it_was_sealed_is_genuine() -> None:
    file = sealed(linearised())
    assert verify_file(file, TRUSTED, NOW).verdict is Verdict.GENUINE
    assert check_file(with_revocations(file, KEYS.authority), TRUSTED, NOW).verdict is Verdict.GENUINE


@pytest.mark.parametrize("added", [-1, 0, 1, 20_000, 900_000])
def test_a_length_that_the_file_has_or_can_get_is_not_genuine(added: int) -> None:
    size = len(sealed(having_length(b"%d" % len(linearised()))))
    file = sealed(having_length(b"%d" % (size + added)))
    report = verify_file(file, TRUSTED, NOW)
    assert len(file) == size
    assert (report.verdict is Verdict.GENUINE) is (added < 0)
    if added >= 0:
        assert "some readers show another document" in told(report, Check.FILE)
        assert [one.outcome for one in report.findings if one.check is Check.FILE] == [Outcome.FAILS]


MARK = b"%%PDF-1.7\n1 0 obj\n<<%b>>\nendobj\n"
SPELLINGS: dict[str, tuple[bytes, bool]] = {
    "plain": (b"/Linearized 1/L 5000", True),
    "escaped": (b"/Linearize#64 1/#4c 5000", True),
    "in another order": (b"/L 5000/Linearized 1", True),
    "with comments": (b"/Linearized 1/L%x\n5000%x\n", True),
    "in a reference": (b"/Linearized 1/L 5 0 R", True),
    "with a sign": (b"/Linearized 1/L +5000", True),
    "with a point": (b"/Linearized 1/L 5000.0", True),
    "with zeros": (b"/Linearized 1/L 0005000", True),
    "twice": (b"/Linearized 1/L 10/L 5000", True),
    "after a long entry": (b"/Linearized 1/X(" + b"x" * 1500 + b")/L 5000", True),
    "a smaller one": (b"/Linearized 1/L 4999", False),
    "a smaller one with zeros": (b"/Linearized 1/L 0004999 /H[1 2]", False),
    "a line": (b"/Linearized 1/L 10/Y<</L[0 0 9000 9000]>>", False),
    "no mark": (b"/L 5000", False),
    "another name": (b"/Linearizedx 1/L 5000", False),
}


@pytest.mark.parametrize("name", SPELLINGS)
def test_a_length_counts_in_every_spelling(name: str) -> None:
    entries, is_wrong = SPELLINGS[name]
    assert has_wrong_length(MARK % entries, 5000) is is_wrong


def archive(comment: bytes = b"") -> bytes:
    output = BytesIO()
    with zipfile.ZipFile(output, "w") as written:
        written.writestr("contract.txt", "I owe you 4,800,000 EUR.")
        written.comment = comment
    return output.getvalue()


ARCHIVES: dict[str, Callable[[], bytes]] = {
    "at the end": archive,
    "with a comment": lambda: archive(b"%%EOF\n"),
    "with bytes after it": lambda: archive() + b"startxref\n0\n%%EOF\n" * 9,
    "far from the end": lambda: archive() + bytes(65_000),
    "empty": lambda: b"PK\x05\x06" + bytes(18),
}


@pytest.mark.parametrize("name", ARCHIVES)
def test_an_archive_is_found_where_programs_find_it(name: str) -> None:
    file = b"%PDF-1.7\n" + bytes(100) + ARCHIVES[name]()
    with zipfile.ZipFile(BytesIO(file)):
        assert is_archive(file)


def test_the_mark_of_an_archive_alone_is_none() -> None:
    random = Random(37)  # noqa: S311
    for _ in range(200):
        file = random.randbytes(40) + b"PK\x05\x06" + random.randbytes(60)
        opened = False
        with suppress(zipfile.BadZipFile, OSError, ValueError):
            zipfile.ZipFile(BytesIO(file)).close()
            opened = True
        assert is_archive(file) is opened


def test_a_second_beginning_is_told() -> None:
    file = sealed(pages(1).replace(b"%\xe2\xe3\xcf\xd3\n", b"%PDF-\n", 1))
    report = verify_file(file, TRUSTED, NOW)
    assert report.verdict is Verdict.CONTRADICTORY
    assert "begins twice" in told(report, Check.FILE)


def test_the_report_names_what_verified_the_file() -> None:
    members = verify_file(sealed(pages(1)), TRUSTED, NOW).to_members()
    assert isinstance(members["tools"], dict)
    assert {"Undersign", "pyHanko", "qpdf"} <= members["tools"].keys()
