"""Files inside a PDF: what cannot be decoded is never taken for harmless."""

import zlib
from io import BytesIO

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Object

from domain.audit.certificate_schema import FILE_NAME, FORMAT
from domain.audit.verification_report import Check, FileReport, Verdict
from domain.seal.seal import ReferenceDocument
from domain.session.materials import Materials
from pades.attached_files import attached_files
from pades.verification.certificate_attachment import check_certificate_attachment
from pades.verification.verify_file import verify_file
from tests.fakes.seals import KEYS
from tests.pades.verification.sealed_files import pages, sealed
from tests.pades.verification.test_certificate_attachment import NOW, SESSION

FACTS = b'{"format": "%b"}' % FORMAT.encode()
ANNEX = ReferenceDocument(
    session_id=SESSION.session_id,
    file_id=SESSION.files[0].file_id,
    materials_sha256=Materials.of(SESSION, SESSION.files[0]).sha256,
)


def carrying(raw: bytes, filters: Object | None, *, is_related: bool = False) -> bytes:
    """A PDF with one attached file, whose stream holds `raw` and says that it is packed by `filters`."""
    output = BytesIO()
    with pikepdf.open(BytesIO(pages())) as opened:
        stream = opened.make_stream(b"")
        stream.write(raw, filter=filters)
        named = Dictionary(Type=Name.Filespec, F="facts.json")
        if is_related:
            named.RF = Dictionary(F=Array(["facts.json", stream]))
        else:
            named.EF = Dictionary(F=stream)
        opened.Root.PieceInfo = opened.make_indirect(named)
        opened.save(output, compress_streams=False, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    return output.getvalue()


UNDECODED: dict[str, tuple[bytes, Object]] = {
    "a photograph": (b"\xff\xd8\xff" + FACTS, Name.DCTDecode),
    "a photograph, packed": (zlib.compress(b"\xff\xd8\xff" + FACTS), Array([Name.FlateDecode, Name.DCTDecode])),
    "a scan": (FACTS, Name.JBIG2Decode),
    "what is not packed as it says": (b"no zlib", Name.FlateDecode),
    "what is packed in a way that nobody knows": (FACTS, Name("/Unknown")),
}


@pytest.mark.parametrize("name", UNDECODED)
def test_a_file_that_cannot_be_decoded_has_no_contents_and_reads_as_nothing(name: str) -> None:
    raw, filters = UNDECODED[name]
    with pikepdf.open(BytesIO(carrying(raw, filters))) as opened:
        found = [one for one in attached_files(opened) if one.contents is None]
    assert [one.names for one in found] == [("facts.json",)]
    assert not found[0].reads_as_certificate


@pytest.mark.parametrize("name", UNDECODED)
def test_a_sealed_document_with_a_file_that_cannot_be_decoded_is_contradictory(name: str) -> None:
    file = sealed(carrying(*UNDECODED[name]), statement=ANNEX)
    report = verify_file(file, KEYS.trusted(), NOW)
    assert report.verdict is Verdict.CONTRADICTORY
    assert "cannot be read" in _said(report)


@pytest.mark.parametrize("is_related", [False, True])
def test_the_facts_of_a_certificate_are_found_however_a_file_holds_them(*, is_related: bool) -> None:
    file = carrying(zlib.compress(FACTS), Name.FlateDecode, is_related=is_related)
    with pikepdf.open(BytesIO(file)) as opened:
        assert [one.names for one in attached_files(opened) if one.reads_as_certificate] == [("facts.json",)]
    report = verify_file(sealed(file, statement=ANNEX), KEYS.trusted(), NOW)
    assert report.verdict is Verdict.CONTRADICTORY
    assert "but it is none" in _said(report)


@pytest.mark.parametrize("shown", [f"folder/{FILE_NAME}", FILE_NAME.upper(), f"{FILE_NAME}.", f"{FILE_NAME}\u200b"])
def test_a_name_that_careless_programs_take_for_that_of_the_facts_is_one(shown: str) -> None:
    with pikepdf.open(BytesIO(pages())) as opened:
        opened.Root.PieceInfo = Dictionary(Names=Array([shown, Dictionary()]))
        named = [one.names for one in attached_files(opened) if one.is_named_as_certificate]
    assert (shown,) in named


def test_a_damaged_file_is_contradictory_if_its_seal_states_something() -> None:
    stated = verify_file(sealed(pages(), statement=ANNEX), KEYS.trusted(), NOW)
    unsealed = verify_file(pages(), KEYS.trusted(), NOW)
    assert check_certificate_attachment(b"no PDF", stated).verdict is Verdict.CONTRADICTORY
    assert check_certificate_attachment(b"no PDF", unsealed) == unsealed


def _said(report: FileReport) -> str:
    return " ".join(finding.text for finding in report.findings if finding.check is Check.HISTORY)
