"""A PDF is a certificate of completion only under a seal that says so, of that session and history."""

import json
from datetime import UTC, datetime
from functools import cache
from typing import Any

import pytest

from application.documents.render_jobs import render_certificate
from domain.audit.verification import Check, FileReport, Outcome, Verdict
from domain.seal.statement import (
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
from tests.application.certificate.test_report import attached, facts
from tests.builders import NOON, identifier
from tests.fakes.seals import KEYS, REFERENCE
from tests.pades.verification.authorities import look_alike
from tests.pades.verification.holders import FORMS, HOLDERS, holding
from tests.pades.verification.sealed_files import OURS, Sealing, pages, sealed

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
