from datetime import UTC, datetime

from domain.session.waiting_for import RetryStatus, SideEffect, waiting_for, waiting_sentence
from tests.builders import NOON, audit, created, recipient
from web.html_response import with_times

AT = datetime(2026, 12, 1, 9, 5, 7, tzinfo=UTC)


def test_the_times_of_what_a_session_waits_for_are_times() -> None:
    session = created(recipient("ada", name="<Ada> & Co"), expiry_days=3).session.send(audit(NOON)).session
    troubled = RetryStatus(SideEffect.INVITATION, 2, "no answer", AT)

    said = with_times(waiting_sentence(session, [troubled]))

    assert "&lt;Ada&gt; &amp; Co" in said
    assert '<time datetime="2026-12-01T09:05:07+00:00">01 December 2026 09:05:07 UTC</time>' in said
    assert said.striptags() == waiting_for(session, [troubled])


def test_what_looks_like_a_time_in_a_name_is_text() -> None:
    session = created(recipient("ada", name="12 July 2026 12:00 UTC")).session.send(audit(NOON)).session
    said = with_times(waiting_sentence(session))
    assert "<time" not in said
    assert said.unescape() == waiting_for(session)
