"""The certificate of completion: what it says, and when it is given (contract 9)."""

from typing import Any

import pymupdf
import pytest

from api.certificate import CertificateFacts, compose
from api.typesetting import typeset_certificate
from domain.events import Event, EventType
from domain.fields import CONSENT_TEXT, CONSENT_VERSION
from domain.sealing import SealLevel
from domain.session import Session, Step, Submission
from layout.document import Heading, Paragraph
from tests.api.service import Service
from tests.builders import created, file, occasion, recipient, reference
from tests.fakes.seals import SEALER


def signed_session(
    name: str = "Consulting agreement", user_agent: str = "a browser"
) -> tuple[Session, tuple[Event, ...]]:
    """A session that Ada and Grace have signed, with its whole history."""
    at = occasion().model_copy(update={"user_agent": user_agent})
    step = created(recipient("ada", 1), recipient("grace", 2), files=(file(), file("Annex")), name=name)
    events = step.events
    acts: list[Any] = [lambda session: session.send(at)]
    for person in step.session.recipients:
        submission = Submission(
            content=reference(f"{person.key}.json"), signature_sha256="5" * 64, consent_version=CONSENT_VERSION
        )
        acts.append(lambda session, who=person: session.view(who.recipient_id, at))
        acts.append(lambda session, who=person, what=submission: session.sign(who.recipient_id, what, at))
    for document in step.session.files:
        signed = reference(f"{document.title}/signed.pdf")
        acts.append(lambda session, f=document, s=signed: session.add_signed_document(f.file_id, s, at))
    for act in acts:
        step: Step = act(step.session)  # type: ignore[no-redef]  # the next one
        events += step.events
    return step.session, events


def facts(**members: str) -> CertificateFacts:
    session, events = signed_session(**members)
    return CertificateFacts(session, events, "1.2.3")


def words(certificate: CertificateFacts, undrawable: str = "") -> str:
    blocks = compose(certificate, lambda text: "".join(c for c in undrawable if c in text)).blocks
    return "\n".join(block.text for block in blocks if isinstance(block, Heading | Paragraph))


def test_it_names_session_organisation_and_version() -> None:
    text = words(facts())

    assert "Name: Consulting agreement" in text
    assert "Organisation: Northwind Trading" in text
    assert "Undersign 1.2.3" in text
    assert "Status: completedAndGenerated" in text
    assert "Completed: 2026-06-12 12:00:00.000" in text


def test_it_has_pages_and_both_hashes_of_every_file() -> None:
    certificate = facts()

    text = words(certificate)

    for document in certificate.session.files:
        assert document.file_name in text
        assert document.signed
        assert f"before signing: {document.rendered.sha256}" in text
        assert f"after signing: {document.signed.sha256}" in text
    assert text.count("1 page") == 2


def test_it_has_the_evidence_of_every_recipient() -> None:
    text = words(facts())

    for name in ("ada", "grace"):
        assert f"Email: {name}@example.com" in text
    for line in ("Invited", "Opened the documents", "Consented to sign electronically", "Signed"):
        assert text.count(f"{line}: 2026-06-12 12:00:00.000") == 2
    assert text.count("Address: 192.0.2.7") == 2
    assert text.count("Browser: a browser") == 2
    assert text.count(f"(version {CONSENT_VERSION}): “{CONSENT_TEXT}”") == 2
    assert text.count(f"SHA-256 of the signature: {'5' * 64}") == 2


def test_it_has_the_whole_chained_history() -> None:
    certificate = facts()

    text = words(certificate)

    for event in certificate.events:
        assert f"{event.sequence}. {event.type.value}" in text
        assert f"Hash: {event.hash}" in text
    assert "4. recipient.viewed · Ada" in text
    assert f"Head of the chain: {certificate.events[-1].hash}" in text
    assert "is intact: 12 events" in text
    assert certificate.events[-1].type is EventType.SESSION_DOCUMENTS_GENERATED


def test_it_says_when_the_history_was_tampered_with() -> None:
    session, events = signed_session()
    forged = (*events[:3], events[3].model_copy(update={"ip": "198.51.100.1"}), *events[4:])

    assert "BROKEN" in words(CertificateFacts(session, forged, "1"))


def test_what_cannot_be_printed_becomes_a_question_mark_and_tokens_stay_text() -> None:
    text = words(facts(user_agent="odd ☃ {{{agent}}}"), undrawable="☃")

    assert "☃" not in text
    assert "odd ? " in text
    assert "{{{" not in text


def test_the_same_facts_give_the_same_bytes() -> None:
    assert typeset_certificate(facts()) == typeset_certificate(facts())


def test_whatever_others_wrote_it_can_be_laid_out() -> None:
    pdf = typeset_certificate(facts(name="{{{name}}} \U0001f9ff", user_agent="x" * 512 + "{{{token}}}\x00\xff"))

    with pymupdf.Document(stream=pdf) as opened:
        assert opened.page_count >= 2


@pytest.mark.parametrize("name", ["اتفاقية الخدمات", "הסכם ייעוץ", "परामर्श अनुबंध", "コンサルティング契約", "Deal 🙂"])
def test_names_are_printed_in_every_script(name: str) -> None:
    with pymupdf.Document(stream=typeset_certificate(facts(name=name))) as opened:
        assert "".join(name.split()) in "".join(opened[0].get_text().split())


@pytest.mark.parametrize("generated", [False, True])
async def test_it_is_made_on_demand_in_both_completed_statuses(service: Service, generated: bool) -> None:
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


async def test_a_history_that_lags_behind_is_waited_for(service: Service) -> None:
    session = await service.create(sendImmediately=True)
    completed = await service.complete(session["sessionId"])
    service.sessions.held[completed.session_id] = completed.model_copy(update={"sequence": completed.sequence + 1})

    answer = await service.http().get(f"/api/v1/Session/{session['sessionId']}/Certificate")

    assert (answer.status_code, answer.json()["error"]) == (503, "UNAVAILABLE")
    assert int(answer.headers["retry-after"]) > 0
