"""What the Temporal UI shows of a session."""

from datetime import UTC, datetime

from tests.builders import audit, created, recipient, submission
from workflows.session.ui_details import current_details, static_details

AT = datetime(2026, 3, 9, 8, 5, tzinfo=UTC)


def test_current_details_show_what_the_session_waits_for_its_recipients_and_timers() -> None:
    people = (recipient("a|da", 1), recipient("grace", 2))
    session = created(*people, name="Agreement", expiry_days=30).session.send(audit(AT)).session
    session = session.sign(session.recipients[0].recipient_id, submission("a|da"), audit(AT)).session

    shown = current_details(session).replace("\u2002", "").replace("\u00a0", " ").splitlines()

    assert shown[0] == "**inProgress** – Waiting for the invitation to grace to be delivered."
    assert shown[4:6] == [
        "| 1. a\\|da | completed | 09 Mar 2026, 08:05 | 09 Mar 2026, 08:05 |",
        "| 2. grace | pending | 09 Mar 2026, 08:05 | – |",
    ]
    assert shown[-1].endswith("Expires: 08 Apr 2026, 08:05 UTC")


def test_who_is_never_reminded_is_seen_not_to_be() -> None:
    session = created(name="Agreement", reminder_interval_days=None, expiry_days=None).session.send(audit(AT)).session
    assert current_details(session).splitlines()[-1] == "Next reminder: never · Expires: never"


def test_of_a_draft_no_clock_runs() -> None:
    assert "Expires" not in current_details(created().session)


def test_static_details_name_the_organisation() -> None:
    assert static_details(created().session).startswith("For **")
