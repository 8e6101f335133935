"""The sentence that says what a session waits for."""

from datetime import timedelta

import pytest

from domain.ids import RecipientId
from domain.session import Session
from domain.waiting import waiting_for
from tests.builders import NOON, created, file, identifier, occasion, recipient, reference, submission


def delivered(session: Session) -> Session:
    for r in session.recipients:
        session = session.with_delivery(r.recipient_id, r.invitation.number)
    return session


def sent() -> Session:
    return (
        created(recipient("ada"), recipient("grace"), files=(file("One"), file("Two"))).session.send(occasion()).session
    )


def finished() -> Session:
    session = sent()
    for key in ("ada", "grace"):
        session = session.sign(RecipientId(identifier(key)), submission(key), occasion()).session
    return session


def generated() -> Session:
    session = finished()
    for f in session.files:
        session = session.add_signed_document(f.file_id, reference(f.title), occasion()).session
    return session


@pytest.mark.parametrize(
    ("session", "sentence"),
    [
        (created().session, "Waiting to be sent."),
        (sent(), "Waiting for the invitation to Ada and Grace to be delivered."),
        (delivered(sent()), "Waiting for the signature of Ada and Grace."),
        (
            delivered(created(recipient("ada"), expiry_days=30).session.send(occasion()).session),
            "Waiting for the signature of Ada, until 12 July 2026 12:00 UTC.",
        ),
        (
            sent().decline(RecipientId(identifier("grace")), "No.", occasion()).session,
            "Declined by Grace; waiting for nothing.",
        ),
        (
            created(expiry_days=1).session.send(occasion()).session.expire(occasion(NOON + timedelta(days=1))).session,
            "Expired before all had signed; waiting for nothing.",
        ),
        (finished(), "Waiting for 2 signed documents to be generated."),
        (generated(), "Finished; waiting for nothing."),
        (sent().archive(occasion()).session, "Archived; waiting for nothing unless it is restored."),
    ],
)
def test_it_says_so_in_plain_words(session: Session, sentence: str) -> None:
    assert waiting_for(session) == sentence


def test_operators_see_keys_instead_of_names() -> None:
    assert waiting_for(delivered(sent()), by_key=True) == "Waiting for the signature of ada and grace."
