"""Why an act is refused: in each status another reason, and what to do next."""

from datetime import timedelta

import pytest

from domain.session.error_messages import not_a_draft, not_active, not_completed
from domain.session.session import Session
from domain.session.status import SessionStatus
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
def test_the_error_of_a_download_names_the_next_step(status: SessionStatus, next_step: str) -> None:
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
def test_the_error_of_an_invitation_names_the_next_step(status: SessionStatus, next_step: str) -> None:
    assert next_step in not_active(session(SessionStatus(status))).message


@pytest.mark.parametrize("reason", [not_active, not_completed, not_a_draft])
def test_the_error_on_an_archived_session_suggests_restore_if_it_helps(reason: object) -> None:
    assert callable(reason)
    for previous in SessionStatus:
        if previous is not SessionStatus.CANCELLED:
            message = reason(session(SessionStatus.CANCELLED, previous)).message
            is_of_use = previous not in {SessionStatus.DECLINED, SessionStatus.EXPIRED}
            assert ("use Restore" in message) == is_of_use, previous


def test_a_passed_expiry_date_counts_before_the_session_is_expired() -> None:
    late = session(SessionStatus.PENDING).model_copy(update={"expires_at": NOON})
    assert "expired" in not_active(late, NOON + timedelta(seconds=1)).message


def test_the_reasons_are_the_errors_of_the_domain() -> None:
    archived = session(SessionStatus.CANCELLED, SessionStatus.PENDING)
    assert isinstance(not_active(archived), SessionNotActive)
    assert isinstance(not_completed(archived), SessionNotCompleted)
    assert isinstance(not_a_draft(session(SessionStatus.PENDING)), NotADraft)
