"""Mails to the recipients of a deleted session."""

import pytest

from domain.session.deletion_mails import deletion_mails
from tests.builders import audit
from tests.domain.situations import ADA, GRACE, SITUATIONS, archived, half_signed, sent

OPEN = {"pending", "inProgress"}


@pytest.mark.parametrize("situation", SITUATIONS)
def test_only_an_open_session_tells_anybody(situation: str) -> None:
    session = SITUATIONS[situation]()
    for recipient in session.recipients:
        session = session.with_delivery(recipient.recipient_id, 1)
    mails = deletion_mails(session, session.updated_at)
    assert (mails is not None) == (session.status in OPEN)


def test_those_who_know_of_the_session_are_told() -> None:
    delivered = sent().with_delivery(ADA, 1)
    mails = deletion_mails(delivered, delivered.updated_at)
    assert mails
    assert [one.recipient_id for one in mails.recipients] == [ADA]
    assert mails.organisation_name == delivered.organisation_name
    mails = deletion_mails(half_signed().with_delivery(GRACE, 1), delivered.updated_at)
    assert mails
    assert [one.recipient_id for one in mails.recipients] == [ADA, GRACE]


def test_nobody_is_told_before_an_invitation_arrived_or_after_a_withdrawal() -> None:
    assert deletion_mails(sent(), sent().updated_at) is None
    assert deletion_mails(archived(sent().with_delivery(ADA, 1)), audit().at) is None
