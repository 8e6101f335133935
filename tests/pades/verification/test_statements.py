"""A PDF is a certificate of completion only under a seal that says so, of that session and history."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from io import BytesIO
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Object, Pdf, String

from application.documents.render_jobs import render_certificate
from domain.audit.verification_report import Check, FileReport, Outcome, Verdict
from domain.seal.seal import (
    CompletionCertificate,
    Identified,
    ReferenceDocument,
    Sample,
    SignedDocument,
    Signer,
    Statement,
)
from domain.shared.ids import FileId, SessionId
from pades.verification.verify_file import verify_file
from tests.application.test_certificate import attached, facts
from tests.builders import NOON, identifier
from tests.fakes.seals import KEYS, REFERENCE
from tests.pades.verification.sealed_files import OURS, Sealing, look_alike, pages, sealed

NOW = datetime.now(UTC)
TRUE = facts().statement
SESSION, FILE = SessionId(TRUE.session_id), FileId(identifier("file"))
ADA = Signer(name="Ada", email="ada@example.com", identified_by=Identified.CODE, signed_at=NOON)
FOREIGN = Sealing(*look_alike(KEYS.authority, KEYS.pair))

STATEMENTS: dict[str, Statement] = {
    "a signed document of the session": SignedDocument(
        session_id=SESSION, file_id=FILE, materials_sha256="5" * 64, signers=(ADA,)
    ),
    "a reference document of the session": ReferenceDocument(
        session_id=SESSION, file_id=FILE, materials_sha256="5" * 64
    ),
    "a sample": Sample(),
    "the certificate of another session": TRUE.model_copy(update={"session_id": identifier("another")}),
    "a certificate with another head": TRUE.model_copy(update={"head": "1" * 64}),
    "a certificate of a shorter history": TRUE.model_copy(update={"length": TRUE.length - 1}),
    "the certificate": TRUE,
}


NAME = "facts.dat"
"""A name that says nothing of what the file is."""


FORMS: dict[str, Callable[[bytes], bytes]] = {
    "as it is": lambda written: written,
    "with a mark of its encoding": lambda written: b"\xef\xbb\xbf" + written,
    "after blanks": lambda written: b" \r\n\t" * 500 + written + b"\n",
    "in UTF-16": lambda written: written.decode().encode("utf-16"),
    "in UTF-16 the other way round": lambda written: written.decode().encode("utf-16-be"),
    "in UTF-32": lambda written: written.decode().encode("utf-32"),
    "with letters as escapes": lambda written: re.sub(
        rb"undersign-certificate", lambda found: b"".join(b"\\u%04X" % letter for letter in found[0]), written
    ),
    "in capitals": lambda written: written.upper(),
    "in a list": lambda written: b"[" + written + b"]",
}


def specification(pdf: Pdf, written: bytes, **others: Object) -> Object:
    stream = pdf.make_stream(written, Type=Name.EmbeddedFile, Subtype=Name("/application/json"))
    return pdf.make_indirect(
        Dictionary(Type=Name.Filespec, F=NAME, UF=NAME, EF=Dictionary(F=stream, UF=stream), **others)
    )


def _catalogue(pdf: Pdf, written: bytes) -> None:
    pdf.Root.AF = Array([*pdf.Root.get(Name.AF, Array()), specification(pdf, written)])


def _indirect_list(pdf: Pdf, written: bytes) -> None:
    pdf.Root.AF = pdf.make_indirect(Array([specification(pdf, written)]))


def _names(pdf: Pdf, written: bytes) -> None:
    pdf.Root.Names = Dictionary(EmbeddedFiles=Dictionary(Names=Array([String(NAME), specification(pdf, written)])))


def _nested_names(pdf: Pdf, written: bytes) -> None:
    leaf = pdf.make_indirect(Dictionary(Limits=Array([NAME, NAME]), Names=Array([NAME, specification(pdf, written)])))
    for _ in range(5):
        leaf = pdf.make_indirect(Dictionary(Limits=Array([NAME, NAME]), Kids=Array([leaf])))
    pdf.Root.Names = pdf.make_indirect(Dictionary(EmbeddedFiles=leaf))


def _portfolio(pdf: Pdf, written: bytes) -> None:
    _names(pdf, written)
    pdf.Root.Collection = Dictionary(Type=Name.Collection, View=Name.T)


def _page(pdf: Pdf, written: bytes) -> None:
    pdf.pages[0].AF = Array([specification(pdf, written)])


def _comment(pdf: Pdf, written: bytes) -> None:
    pdf.pages[0].Annots = Array(
        [
            pdf.make_indirect(
                Dictionary(
                    Type=Name.Annot, Subtype=Name.FileAttachment, Rect=Array([0, 0, 9, 9]),
                    FS=specification(pdf, written),
                )
            )
        ]
    )  # fmt: skip


def _without_type(pdf: Pdf, written: bytes) -> None:
    _catalogue(pdf, written)
    del pdf.Root.AF[-1].EF.F.Type


def _specification_in_place(pdf: Pdf, written: bytes) -> None:
    pdf.Root.AF = Array([Dictionary(EF=pdf.make_indirect(Dictionary(F=pdf.make_stream(written))))])


def _related(pdf: Pdf, written: bytes) -> None:
    stream = pdf.make_stream(written)
    pdf.Root.AF = Array([specification(pdf, b"nothing", RF=Dictionary(F=Array([String(NAME), stream])))])


def _nothing_leads_to_it(pdf: Pdf, written: bytes) -> None:
    pdf.Root.Hidden = specification(pdf, written)


def _other_filters(pdf: Pdf, written: bytes) -> None:
    _catalogue(pdf, b"")
    pdf.Root.AF[-1].EF.F.write(written.hex().encode() + b">", filter=Name.ASCIIHexDecode)


HOLDERS: dict[str, Callable[[Pdf, bytes], None]] = {
    "catalogue": _catalogue,
    "catalogue, by reference": _indirect_list,
    "names": _names,
    "nested names": _nested_names,
    "portfolio": _portfolio,
    "page": _page,
    "comment": _comment,
    "stream without a type": _without_type,
    "specification written in place": _specification_in_place,
    "related files": _related,
    "an object of no meaning": _nothing_leads_to_it,
    "under another filter": _other_filters,
}


def holding(holder: str, written: bytes, within: bytes | None = None) -> bytes:
    """A PDF (or the one given) that holds `written` in that place."""
    output = BytesIO()
    with pikepdf.open(BytesIO(within or pages(1))) as pdf:
        HOLDERS[holder](pdf, written)
        pdf.save(output)
    return output.getvalue()


@cache
def json_of_certificate() -> bytes:
    return attached(render_certificate(facts()))


def outcomes(report: FileReport, check: Check) -> set[Outcome]:
    return {one.outcome for one in report.findings if one.check is check}


@pytest.mark.parametrize("whose", ["ours", "foreign"])
@pytest.mark.parametrize("name", STATEMENTS)
def test_a_certificate_is_one_only_under_the_seal_that_says_so(name: str, whose: str) -> None:
    sealing = OURS if whose == "ours" else FOREIGN
    report = verify_file(sealed(render_certificate(facts()), sealing, STATEMENTS[name]), KEYS.trusted(), NOW)

    if (name, whose) == ("the certificate", "ours"):
        assert report.verdict is Verdict.GENUINE
        assert report.certificate
    else:
        assert report.verdict is Verdict.CONTRADICTORY
        assert report.certificate is None
        assert outcomes(report, Check.HISTORY) == {Outcome.FAILS}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("holder", HOLDERS)
def test_the_json_is_found_wherever_and_however_it_is_held(holder: str, form: str) -> None:
    pdf = holding(holder, FORMS[form](json_of_certificate()))
    report = verify_file(sealed(pdf, statement=STATEMENTS["a reference document of the session"]), KEYS.trusted(), NOW)
    assert report.verdict is Verdict.CONTRADICTORY
    assert report.certificate is None


def test_a_certificate_without_its_facts_is_contradictory() -> None:
    report = verify_file(sealed(pages(1), statement=TRUE), KEYS.trusted(), NOW)
    assert report.verdict is Verdict.CONTRADICTORY


def test_a_certificate_with_two_sets_of_facts_is_contradictory() -> None:
    members = json.loads(json_of_certificate())
    members["session"]["name"] = "Another"
    both = holding("catalogue", json.dumps(members).encode(), render_certificate(facts()))
    assert verify_file(sealed(both, statement=TRUE), KEYS.trusted(), NOW).verdict is Verdict.CONTRADICTORY


def test_a_seal_that_says_nothing_is_not_one_of_the_service() -> None:
    class Silent(CompletionCertificate):
        kind: Any = "something else"

    report = verify_file(sealed(pages(1), statement=Silent(**TRUE.model_dump(exclude={"kind"}))), KEYS.trusted(), NOW)
    assert report.verdict is Verdict.CONTRADICTORY
    assert report.seal
    assert report.seal.statement is None


def test_a_reason_that_is_not_what_the_seal_states_is_contradictory() -> None:
    class Boasting(ReferenceDocument):
        @property
        def text(self) -> str:
            return STATEMENTS["a signed document of the session"].text

    report = verify_file(sealed(pages(1), statement=Boasting(**REFERENCE.model_dump())), KEYS.trusted(), NOW)

    assert report.verdict is Verdict.CONTRADICTORY
    assert outcomes(report, Check.STATEMENT) == {Outcome.FAILS}


@pytest.mark.parametrize("name", STATEMENTS)
def test_the_signature_of_a_stranger_in_an_uploaded_pdf_states_nothing(name: str) -> None:
    uploaded = sealed(pages(1), FOREIGN, STATEMENTS[name])
    report = verify_file(sealed(uploaded, statement=REFERENCE), KEYS.trusted(), NOW)
    assert report.seal
    assert report.seal.statement == REFERENCE
    assert REFERENCE.text in report.summary
