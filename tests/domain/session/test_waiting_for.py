"""The sentence that says what a session waits for."""

from datetime import timedelta

import pytest

from domain.session.session import Session
from domain.session.waiting_for import RetryStatus, SideEffect, has_pending_effects, waiting_for
from domain.shared.ids import RecipientId
from tests.builders import NOON, audit, created, file, identifier, recipient, reference, submission
from tests.domain.situations import SITUATIONS


def delivered(session: Session) -> Session:
    for r in session.recipients:
        session = session.with_delivery(r.recipient_id, r.invitation.number)
    return session


def sent() -> Session:
    return created(recipient("ada"), recipient("grace"), files=(file("One"), file("Two"))).session.send(audit()).session


def finished() -> Session:
    session = sent()
    for key in ("ada", "grace"):
        session = session.sign(RecipientId(identifier(key)), submission(key), audit()).session
    return session


def generated() -> Session:
    session = finished()
    for f in session.files:
        session = session.add_signed_document(f.file_id, reference(f.title), audit()).session
    return session


@pytest.mark.parametrize(
    ("session", "sentence"),
    [
        (created().session, "Waiting to be sent."),
        (sent(), "Waiting for the invitation to Ada and Grace to be delivered."),
        (delivered(sent()), "Waiting for the signature of Ada and Grace."),
        (
            delivered(created(recipient("ada"), expiry_days=30).session.send(audit()).session),
            "Waiting for the signature of Ada, until 12 July 2026 12:00 UTC.",
        ),
        (
            sent().decline(RecipientId(identifier("grace")), "No.", audit()).session,
            "Declined by Grace.",
        ),
        (
            created(expiry_days=1).session.send(audit()).session.expire(audit(NOON + timedelta(days=1))).session,
            "Expired before everyone had signed.",
        ),
        (finished(), "Waiting for 2 signed documents to be generated."),
        (generated(), "Completed."),
        (sent().archive(audit()).session, "Archived; it can be restored."),
        (finished().archive(audit()).session, "Archived; waiting for 2 signed documents to be generated."),
        (generated().archive(audit()).session, "Archived; it can be restored."),
    ],
)
def test_the_sentence_of_each_situation(session: Session, sentence: str) -> None:
    assert waiting_for(session) == sentence


def test_operators_see_keys_instead_of_names() -> None:
    assert waiting_for(delivered(sent()), by_key=True) == "Waiting for the signature of ada and grace."


def refused(session: Session, *keys: str) -> Session:
    for key in keys:
        step = session.fail_invitation(RecipientId(identifier(key)), 1, "550 5.1.1 no such user", audit())
        session = step.session
    return session


@pytest.mark.parametrize(
    ("session", "sentence"),
    [
        (
            refused(delivered(sent()), "ada", "grace"),
            "The invitation to Ada and Grace was refused (550 5.1.1 no such user); correct the address, or send the "
            "invitation again once the address accepts email.",
        ),
        (
            refused(delivered(sent()), "ada"),
            "The invitation to Ada was refused (550 5.1.1 no such user); correct the address, or send the "
            "invitation again once the address accepts email; also waiting for the signature of Grace.",
        ),
        (refused(sent(), "ada"), "Waiting for the invitation to Grace to be delivered."),
    ],
)
def test_a_rejected_mail_is_reported_with_the_next_step(session: Session, sentence: str) -> None:
    assert waiting_for(session) == sentence


def test_operators_do_not_see_the_answer_of_the_mail_server() -> None:
    assert "550" not in waiting_for(refused(delivered(sent()), "ada"), by_key=True)


INVITING = RetryStatus(SideEffect.INVITATION, 4, "the outbox is full.", NOON + timedelta(minutes=5))
REMINDING = RetryStatus(SideEffect.REMINDER, 1, "the outbox is full", None)
NOTIFYING = RetryStatus(SideEffect.NOTICE, 3, "421 4.3.2 going down", None)
GENERATING = RetryStatus(SideEffect.DOCUMENT, 2, "the disk is full", NOON)


def told(session: Session) -> Session:
    for notice in session.outcome_mails:
        session = session.without_outcome_mail(notice)
    return session


def to_be_reminded() -> Session:
    session = delivered(created(recipient("ada"), reminder_enabled=True).session.send(audit()).session)
    return session.remind(audit(NOON + timedelta(days=7))).session


@pytest.mark.parametrize(
    ("session", "sentence"),
    [
        (
            sent(),
            "Waiting for the invitation to Ada and Grace to be delivered; attempt 4 failed: the outbox is full; "
            "next attempt at 12 June 2026 12:05:00 UTC.",
        ),
        (
            to_be_reminded(),
            "Waiting for the signature of Ada; attempt 1 to deliver a reminder failed: the outbox is full; "
            "the next one is under way.",
        ),
        (
            finished(),
            "Waiting for 2 signed documents to be generated; attempt 2 failed: the disk is full; "
            "next attempt at 12 June 2026 12:00:00 UTC.",
        ),
        (delivered(sent()), "Waiting for the signature of Ada and Grace."),
        (
            generated(),
            "Completed; attempt 3 to deliver a mail about it failed: 421 4.3.2 going down; the next one is under way.",
        ),
        (told(generated()), "Completed."),
        (sent().archive(audit()).session, "Archived; it can be restored."),
    ],
)
def test_retries_of_awaited_effects_are_mentioned(session: Session, sentence: str) -> None:
    assert waiting_for(session, [GENERATING, REMINDING, INVITING, NOTIFYING]) == sentence
    assert has_pending_effects(session) == ("attempt" in sentence)


def test_the_effect_with_the_most_failures_is_mentioned() -> None:
    retries = [INVITING, INVITING._replace(failed=9, error="no route"), INVITING._replace(failed=1)]
    assert "attempt 9 failed: no route;" in waiting_for(sent(), retries)


@pytest.mark.parametrize("situation", SITUATIONS)
def test_every_situation_has_a_sentence(situation: str) -> None:
    session = SITUATIONS[situation]()
    for found in (session, session.model_copy(update={"erased_at": NOON})):
        assert waiting_for(found, [GENERATING, REMINDING, INVITING]).endswith(".")
