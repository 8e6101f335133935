"""The day of signing on the signed PDF, in its certificate and in its materials."""

from datetime import date, timedelta

import rfc8785

from application.certificate import compose
from application.certificate_evidence import CertificateFacts, evidence_of
from domain.session.materials import Materials
from domain.session.session import Session, Transition
from domain.shared.object_names import digest
from domain.shared.times import LocalDate, TimeZone
from layout.reports.report import Table
from tests.builders import NOON, audit, created, recipient, submission

SYDNEY = TimeZone(name="Australia/Sydney", minutes_ahead=660)
EVENING = NOON.replace(hour=20)
"""In Sydney it is the morning of the next day."""


def signed(zone: TimeZone | None) -> Transition:
    """A session that Ada has signed in the evening (UTC)."""
    made = created(recipient("ada"))
    sent = made.then(made.session.send(audit()))
    ada = submission().model_copy(update={"time_zone": zone})
    at = audit().model_copy(update={"at": EVENING})
    return sent.then(sent.session.sign(sent.session.recipients[0].recipient_id, ada, at))


def materials(session: Session) -> Materials:
    return Materials.of(session, session.files[0])


def test_the_certificate_says_the_moment_in_utc_and_the_day_with_its_zone() -> None:
    step = signed(SYDNEY)
    facts = CertificateFacts(step.session, step.events, "1.2.3", "https://sign.example.com/verify")

    (person,) = evidence_of(facts).recipients
    rows = [" ".join(entry.text for cell in row for entry in cell) for part in compose(facts).parts
            if isinstance(part, Table) for row in part.rows]  # fmt: skip

    tomorrow = (NOON + timedelta(days=1)).date().isoformat()
    assert person.signed_at == f"{NOON.date()}T20:00:00.000Z"
    assert (person.date_signed, person.time_zone) == (tomorrow, "Australia/Sydney")
    assert f"Signed {NOON.date()} 20:00:00 UTC" in rows
    assert f"Date signed {tomorrow}, the day in the time zone Australia/Sydney" in rows


def test_without_a_zone_the_day_is_that_of_utc_and_no_history_names_it() -> None:
    step = signed(None)
    facts = CertificateFacts(step.session, step.events, "1.2.3", "https://sign.example.com/verify")

    (person,) = evidence_of(facts).recipients

    assert (person.date_signed, person.time_zone) == (None, None)
    assert materials(step.session).signatories[0].date_signed == NOON.date()
    assert not any("dateSigned" in event.details for event in step.events)


def test_signed_pdfs_of_before_days_had_zones_keep_their_names() -> None:
    made = materials(signed(None).session)
    before = made.model_dump(mode="json")
    for one in before["signatories"]:
        del one["signed_on"]

    assert made.sha256 == digest(rfc8785.dumps(before))


def test_another_day_or_another_zone_is_another_signed_pdf() -> None:
    made = materials(signed(SYDNEY).session)
    (signatory,) = made.signatories
    days = [
        LocalDate(date=date(2026, 1, 1), time_zone="Australia/Sydney"),
        LocalDate(date=signatory.date_signed, time_zone="Australia/Brisbane"),
        LocalDate.in_utc(EVENING),
        None,
    ]
    others = [
        made.model_copy(update={"signatories": (signatory.model_copy(update={"signed_on": day}),)}) for day in days
    ]

    assert len({made.signed_name, *(other.signed_name for other in others)}) == 5
