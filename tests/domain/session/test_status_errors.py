"""Why an act is refused: in each status another reason, and what to do next."""

from datetime import timedelta

import pytest

from domain.session.session import Session
from domain.session.snapshot import SessionStatus
from domain.session.status_errors import not_a_draft, not_active, not_completed
from domain.shared.errors import NotADraft, SessionNotActive, SessionNotCompleted
from tests.builders import NOON, audit, draft, recipient


def session(status: SessionStatus, previous: SessionStatus | None = None) -> Session:
    made = Session.create(draft(recipient("ada")), audit()).session
    return made.model_copy(update={"status": status, "previous_status": previous})


@pytest.mark.parametrize(
    ("status", "next_step"),
    [
        ("draft", "use Send"),
        ("pending", "Signing has not finished"),
        ("inProgress", "Signing has not finished"),
        ("declined", "there will be no signed documents"),
        ("expired", "there will be no signed documents"),
    ],
)
def test_who_asks_for_documents_too_early_or_in_vain_is_told_which(status: SessionStatus, next_step: str) -> None:
    assert next_step in not_completed(session(SessionStatus(status))).message


@pytest.mark.parametrize(
    ("status", "next_step"),
    [
        ("draft", "use Send"),
        ("declined", "Create a new session"),
        ("expired", "Create a new session"),
        ("completed", "There is no recipient to invite"),
        ("completedAndGenerated", "There is no recipient to invite"),
    ],
)
def test_who_invites_to_what_is_not_open_is_told_why(status: SessionStatus, next_step: str) -> None:
    assert next_step in not_active(session(SessionStatus(status))).message


@pytest.mark.parametrize("reason", [not_active, not_completed, not_a_draft])
def test_what_is_archived_is_to_be_restored_unless_that_is_of_no_use(reason: object) -> None:
    assert callable(reason)
    for previous in SessionStatus:
        if previous is not SessionStatus.CANCELLED:
            message = reason(session(SessionStatus.CANCELLED, previous)).message
            is_of_use = previous not in {SessionStatus.DECLINED, SessionStatus.EXPIRED}
            assert ("use Restore" in message) == is_of_use, previous


def test_a_session_whose_time_is_over_counts_as_expired_before_anybody_noticed() -> None:
    late = session(SessionStatus.PENDING).model_copy(update={"expires_at": NOON})
    assert "expired" in not_active(late, NOON + timedelta(seconds=1)).message


def test_the_reasons_are_the_errors_of_the_domain() -> None:
    archived = session(SessionStatus.CANCELLED, SessionStatus.PENDING)
    assert isinstance(not_active(archived), SessionNotActive)
    assert isinstance(not_completed(archived), SessionNotCompleted)
    assert isinstance(not_a_draft(session(SessionStatus.PENDING)), NotADraft)
