"""The certificate of completion: what it says, and when it is given (Specification 4.3)."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
import pymupdf
import pytest
import rfc8785
from jsonschema import FormatChecker
from jsonschema.validators import validator_for
from pikepdf import Name

from application.certificate import compose
from application.certificate_evidence import CertificateFacts, evidence_of
from application.documents.render_jobs import render_certificate
from domain.audit.events import Event, EventType
from domain.audit.hash_chain import find_break, head_of
from domain.seal.seal import SealLevel
from domain.session.consent_texts import CONSENT_TEXTS, CONSENT_VERSION, consent_version
from domain.session.delegation import Delegate, delegate
from domain.session.edits import Correction, correct_recipient
from domain.session.recipients import Delivery
from domain.session.session import Session, SessionFile, Submission, Transition
from domain.shared.ids import ClientId
from domain.shared.object_names import ObjectReference
from domain.texts.languages import LANGUAGES
from layout.reports.report import Heading, Note, Part, Table, TableWithQrCode
from tests.api.record_certificate_schema import SCHEMA, certificate_schema
from tests.api.service import Service
from tests.builders import audit, created, file, recipient, reference, submission
from tests.fakes.seals import SEALER
from tests.programs import program


def named_reference(session: Session, file: SessionFile) -> ObjectReference:
    del session
    return reference(f"{file.title}/signed.pdf")


def signed_session(
    name: str = "Consulting agreement",
    user_agent: str = "a browser",
    generate: Callable[[Session, SessionFile], ObjectReference] = named_reference,
) -> tuple[Session, tuple[Event, ...]]:
    """A session that Ada and Grace have signed, with its whole history. `generate` makes its signed PDFs."""
    at = audit().model_copy(update={"user_agent": user_agent})
    step = created(recipient("ada", 1), recipient("grace", 2), files=(file(), file("Annex")), name=name)
    events = step.events
    acts: list[Any] = [lambda session: session.send(at)]
    for person in step.session.recipients:
        submission = Submission(
            content=reference(f"{person.key}.json"), signature_sha256="5" * 64, consent_version=CONSENT_VERSION
        )
        acts.append(lambda session, who=person: session.view(who.recipient_id, at))
        acts.append(lambda session, who=person, what=submission: session.sign(who.recipient_id, what, at))
    acts += [
        lambda session, f=document: session.add_signed_document(f.file_id, generate(session, f), at)
        for document in step.session.files
    ]
    for act in acts:
        step: Transition = act(step.session)  # type: ignore[no-redef]  # the next one
        events += step.events
    return step.session, events


def facts(**members: str) -> CertificateFacts:
    session, events = signed_session(**members)
    return CertificateFacts(session, events, "1.2.3", "https://sign.example.com/verify")


def test_the_last_sentence_stands_on_no_page_of_its_own() -> None:
    heading, note = compose(facts()).parts[-2:]
    assert isinstance(heading, Heading)
    assert isinstance(note, Note)
    assert note.text.endswith(".\nComposed by Undersign 1.2.3 from the recorded history.")


def words(certificate: CertificateFacts) -> str:
    """Every text of the certificate: a paragraph, or a row of a table, a line."""
    return "\n".join(line for part in compose(certificate).parts for line in _lines(part))


def _lines(part: Part) -> Iterator[str]:
    match part:
        case Heading() | Note():
            yield part.text
        case TableWithQrCode():
            yield from _lines(part.table)
        case Table():
            yield from (": ".join(entry.text for cell in row for entry in cell) for row in part.rows)


def test_it_names_session_organisation_and_version() -> None:
    text = words(facts())
    assert "Session: Consulting agreement" in text
    assert "Organisation: Northwind Trading" in text
    assert "Undersign 1.2.3" in text
    assert "Status: All have signed; the signed documents are sealed" in text
    assert "Completed: 2026-06-12 12:00:00 UTC" in text
    assert text.startswith("Signed by both recipients")


def test_it_has_pages_and_both_hashes_of_every_file() -> None:
    certificate = facts()
    text = words(certificate)
    for document in certificate.session.files:
        assert document.file_name in text
        assert document.signed
        assert f"SHA-256 as sent: {document.rendered.sha256}" in text
        assert f"SHA-256 as signed: {document.signed.sha256}" in text
    assert text.count("Pages: 1 page") == 2


def test_it_names_the_browser_and_gives_its_header_among_the_hashes() -> None:
    agent = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1"
    facts_first, hashes = words(facts(user_agent=agent)).split("Identifiers and hashes")
    assert (facts_first.count("Browser: Safari, iPhone\n"), hashes.count(f"Browser: {agent}\n")) == (2, 2)


def test_what_only_programs_compare_comes_after_the_facts() -> None:
    before, after = words(facts()).split("Identifiers and hashes")
    assert "SHA-256" not in before
    assert re.search(r"[0-9a-f]{8}-[0-9a-f]{4}-|\.\d{3} UTC", before) is None
    assert {"Session id", "SHA-256 as signed", "SHA-256 of entries", "Recipient id"} <= set(
        re.findall(r"^([^:\n]+):", after, re.MULTILINE)
    )


def test_it_has_the_evidence_of_every_recipient() -> None:
    text = words(facts())
    for name in ("ada", "grace"):
        assert f"Email: {name}@example.com" in text
    for line in ("Invited", "Opened", "Consented", "Signed"):
        assert text.count(f"\n{line}: 2026-06-12 12:00:00 UTC") == 2
    assert text.count("Signed from: 192.0.2.7") == 2
    assert text.count("Browser: a browser") == 2
    assert text.count("Identified by: a secret link sent to this email address") == 2
    assert text.count(f"SHA-256 of signature: {'5' * 64}") == 2


def test_it_says_which_program_identified_a_recipient() -> None:
    by_shop = audit().model_copy(update={"program": ClientId("shop")})
    step = created(recipient("ada", 1, delivery=Delivery.NONE))
    ada = step.session.recipients[0].recipient_id
    step = step.then(step.session.send(audit()))
    step = step.then(step.session.view(ada, by_shop))
    step = step.then(step.session.sign(ada, submission(), by_shop))
    text = words(CertificateFacts(step.session, step.events, "1.2.3", "https://sign.example.com/verify"))

    assert "Identified by: Northwind Trading, which identified them" in text
    assert "by a single-use address (API client or user shop)" in text
    assert "a secret link" not in text
    assert text.count("program shop") == 3


def facts_with_roles() -> CertificateFacts:
    """Of a session that Ada signed and Grace approved instead of Gail, and of which Mary gets a copy."""
    people = (recipient("ada"), recipient("gail", 2, role="approver"), recipient("mary", role="copy"))
    step = created(*people, delegation=True)
    ada, grace, _ = (person.recipient_id for person in step.session.recipients)
    step = step.then(step.session.send(audit()))
    step = step.then(step.session.sign(ada, submission(), audit()))
    to = Delegate(name="Grace", email="grace@example.com", reason="I am on leave.")
    step = step.then(delegate(step.session, grace, to, audit()))
    step = step.then(step.session.view(grace, audit()))
    step = step.then(step.session.approve(grace, audit()))
    return CertificateFacts(step.session, step.events, "1.2.3", "https://sign.example.com/verify")


def test_it_states_approvals_and_copies() -> None:
    certificate = facts_with_roles()
    text, evidence = words(certificate), evidence_of(certificate)

    assert text.startswith("Signed by 1 recipient · Approved by 1 recipient · Copy to 1 recipient")
    assert "Role: Approver: read the documents and approved them, without signing" in text
    assert "Approved: 2026-06-12 12:00:00 UTC" in text
    assert "Approved from: 192.0.2.7" in text
    passed = "Gail <gail@example.com>, who passed it on at 2026-06-12 12:00:00 UTC: I am on leave."
    assert "Recipient 2: Grace\nEmail: grace@example.com" in text
    assert f"Instead of: {passed}" in text
    assert "Passed on to another person · Gail" in text
    assert "Approved · Grace" in text
    assert b'"delegations":[]' not in evidence.to_bytes()
    assert "Role: Copy: receives the signed documents, and signs nothing\nDocuments" in text
    assert [person.role for person in evidence.recipients] == [None, "approver", "copy"]
    assert b'"role":"signer"' not in evidence.to_bytes()


def test_it_says_that_a_recipient_got_no_email() -> None:
    step = created(recipient("ada", 1, delivery=Delivery.NONE))
    step = step.then(step.session.send(audit()))
    text = words(CertificateFacts(step.session, step.events, "1.2.3", "https://sign.example.com/verify"))
    assert "Access opened, without an email: 2026-06-12 12:00:00 UTC" in text
    assert "Access opened, without an email · Ada" in text
    assert "Invited" not in text


def test_it_has_each_consent_once_with_all_who_gave_it() -> None:
    text = words(facts())
    assert text.count(f"Text agreed to: “{CONSENT_TEXTS[CONSENT_VERSION]['en']}”") == 1
    assert f"Version: {CONSENT_VERSION}" in text
    assert "Agreed to by: Ada, Grace" in text


def test_it_has_the_whole_chained_history() -> None:
    certificate = facts()
    text = words(certificate)
    for event in certificate.events:
        assert f"\n{event.sequence}: 2026-06-12 12:00:00.000: " in text
        assert event.type.value in text
        assert f"Hash {event.hash}" in text
    assert "Documents opened · Ada" in text
    assert f"12 events. Head of the chain: {certificate.events[-1].hash}" in text
    assert "the chain was checked and was intact" in text
    assert certificate.events[-1].type is EventType.SESSION_DOCUMENTS_GENERATED


def test_events_before_a_correction_have_the_name_and_address_of_that_time() -> None:
    draft = created(recipient("ada", 1), recipient("grace", 2))
    ada = draft.session.recipients[0].recipient_id
    step = draft.then(draft.session.send(audit()))
    right = Correction(name="Ada King", email="ada@right.example")
    step = step.then(correct_recipient(step.session, ada, right, audit()))
    step = step.then(step.session.view(ada, audit()))
    text = words(CertificateFacts(step.session, step.events, "1.2.3", "https://sign.example.com/verify"))
    assert "Invited · Ada: " in text
    assert "Name or email address corrected · Ada: " in text
    assert ": email ada@right.example: name Ada King: previousEmail ada@example.com: previousName Ada: " in text
    assert "Invited · Ada King: " in text
    assert "Documents opened · Ada King: " in text


def test_it_says_how_to_check_it() -> None:
    text = words(facts())
    assert "undersign verify" in text
    assert "https://sign.example.com/verify" in text


def test_a_broken_chain_is_reported() -> None:
    session, events = signed_session()
    forged = (*events[:3], events[3].model_copy(update={"ip": "198.51.100.1"}), *events[4:])
    assert "BROKEN" in words(CertificateFacts(session, forged, "1", "https://sign.example.com/verify"))


def test_events_that_a_restore_lost_are_named_and_the_others_checked() -> None:
    session, events = signed_session()
    kept = (*events[3:5], *events[6:])
    lost = CertificateFacts(session, kept, "1", "https://sign.example.com/verify", lost=(1, 2, 3, 6))
    text = words(lost)

    assert "BROKEN" not in text
    assert "as its operator recorded: 1–3, 6." in text
    assert evidence_of(lost).chain.lost_events == (1, 2, 3, 6)
    assert "BROKEN" in words(replace(lost, lost=(1, 2, 3)))


def test_the_same_facts_give_the_same_bytes() -> None:
    assert render_certificate(facts()) == render_certificate(facts())


def hostile() -> CertificateFacts:
    """Everybody wrote the worst that the service takes: letters as wide as a line, tokens, control characters."""
    wide = "\ufdfd" * 50
    session, events = signed_session(name=wide, user_agent="{{{token}}}\x00\xff☃\U0001f9ff" + wide * 10)
    people = tuple(person.model_copy(update={"name": wide * 2, "email": wide}) for person in session.recipients)
    named = session.model_copy(update={"organisation_name": wide * 2, "recipients": people})
    return CertificateFacts(named, events, "1.2.3", "https://sign.example.com/verify")


def test_hostile_names_can_be_laid_out() -> None:
    pdf = render_certificate(hostile())
    with pymupdf.Document(stream=pdf) as opened:
        text = "".join(page.get_text() for page in opened)
        assert opened.page_count >= 2
        assert all(page.rect.contains(word[:4]) for page in opened for word in page.get_text("words"))
    assert "{{{token}}}" in text
    assert "Head of the chain" in text


@pytest.mark.parametrize("name", ["اتفاقية الخدمات", "הסכם ייעוץ", "परामर्श अनुबंध", "コンサルティング契約", "Deal 🙂"])
def test_names_are_printed_in_every_script(name: str) -> None:
    with pymupdf.Document(stream=render_certificate(facts(name=name))) as opened:
        assert "".join(name.split()) in "".join(opened[0].get_text().split())


def attached(pdf: bytes) -> bytes:
    with pikepdf.open(BytesIO(pdf)) as opened:
        (specification,) = opened.Root.AF
        assert specification.AFRelationship == Name.Data
        return bytes(opened.attachments["certificate.json"].get_file().read_bytes())


def test_the_facts_are_attached_as_json_from_which_alone_the_chain_can_be_checked() -> None:
    certificate = facts()
    evidence = json.loads(attached(render_certificate(certificate)))
    assert find_break(evidence["events"]) is None
    assert head_of(evidence["events"]) == evidence["chain"]["head"] == certificate.session.head
    assert [event["sequence"] for event in evidence["events"]] == list(range(1, 13))
    assert [file["signedSha256"] for file in evidence["documents"]] == [
        file.signed.sha256 for file in certificate.session.files if file.signed
    ]


def test_the_attached_json_is_canonical_and_follows_the_schema_in_the_documentation() -> None:
    contents = attached(render_certificate(facts()))
    schema = json.loads(SCHEMA.read_text("utf-8"))
    evidence = json.loads(contents)
    assert contents == rfc8785.dumps(evidence)
    validator_for(schema)(schema, format_checker=FormatChecker()).validate(evidence)
    assert schema == certificate_schema(), "record it anew: python -m tests.api.record_certificate_schema"


def test_the_lines_in_the_documentation_check_the_chain(tmp_path: Path) -> None:
    documentation = (SCHEMA.parent / "verification.md").read_text("utf-8")
    (lines,) = re.findall(r"```python\n(.*?)```", documentation, re.DOTALL)
    contents = attached(render_certificate(facts()))
    run = [sys.executable, "-c", lines]
    (tmp_path / "certificate.json").write_bytes(contents)
    assert subprocess.run(run, cwd=tmp_path, check=False).returncode == 0
    (tmp_path / "certificate.json").write_bytes(contents.replace(b"192.0.2.7", b"192.0.2.8", 1))
    assert subprocess.run(run, cwd=tmp_path, check=False, capture_output=True).returncode == 1


def test_every_printed_hash_is_in_the_json() -> None:
    pdf = render_certificate(facts())
    with pymupdf.Document(stream=pdf) as opened:
        printed = set(re.findall(r"[0-9a-f]{64}", "".join(page.get_text() for page in opened)))
    assert len(printed) > 12
    assert all(told in attached(pdf).decode() for told in printed)


@pytest.mark.poppler
@pytest.mark.zbar
def test_the_code_leads_to_the_page_that_checks(tmp_path: Path) -> None:
    (tmp_path / "certificate.pdf").write_bytes(render_certificate(facts()))
    subprocess.run(
        [program("pdftoppm"), "-r", "200", "-l", "1", "-png", "certificate.pdf", "page"], cwd=tmp_path, check=True
    )
    read = subprocess.run(
        [program("zbarimg"), "--quiet", "--raw", *tmp_path.glob("page*.png")], capture_output=True, check=True
    )
    assert read.stdout.decode().strip() == "https://sign.example.com/verify"


@pytest.mark.parametrize("generated", [False, True])
async def test_it_is_rendered_on_demand_in_both_completed_statuses(service: Service, generated: bool) -> None:
    session = await service.create(sendImmediately=True, name="Vertrag Ü")
    completed = await service.complete(session["sessionId"])
    if generated:
        await service.generate(completed)
    path = f"/api/v1/Session/{session['sessionId']}/Certificate"
    first, second = await service.http().get(path), await service.http().get(path)
    assert first.status_code == 200
    assert first.headers["content-type"] == "application/pdf"
    assert "certificate%20of%20completion.pdf" in first.headers["content-disposition"]
    made = [answer.content.partition(b"%%EOF")[0] for answer in (first, second)]
    assert made[0] == made[1]  # up to the seal, which has its own time
    assert await SEALER.level_of(first.content) is SealLevel.B_B
    with pymupdf.Document(stream=first.content) as opened:
        text = "".join(page.get_text() for page in opened)
    assert "Ada Lovelace" in text
    assert ("still being generated" in text) is not generated


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_in_the_language_of_the_session_with_the_same_facts(language: str) -> None:
    step = created(recipient("ada", 1))
    ada = step.session.recipients[0].recipient_id
    step = step.then(step.session.send(audit()))
    agreed = submission().model_copy(update={"consent_version": consent_version(language)})
    step = step.then(step.session.sign(ada, agreed, audit()))
    english = CertificateFacts(step.session, step.events, "1.2.3", "https://sign.example.com/verify")
    certificate = replace(english, language=language)

    assert CONSENT_TEXTS[CONSENT_VERSION][language] in words(certificate)
    assert ("“" in words(certificate)) is (language in {"en", "de", "nl", "pt", "zh-Hans"})
    assert (words(certificate) == words(english)) is (language == "en")
    assert evidence_of(certificate).to_bytes() == evidence_of(english).to_bytes()
    with pymupdf.open("pdf", render_certificate(certificate)) as file:
        assert file.xref_get_key(file.pdf_catalog(), "Lang") == ("string", language)
