from datetime import UTC, datetime

import pytest

from api.pages.rendering import timed
from domain.waiting import Effect, Retry, waiting_for
from tests.builders import NOON, created, occasion, recipient

AT = datetime(2026, 12, 1, 9, 5, 7, tzinfo=UTC)


def test_the_times_of_what_a_session_waits_for_are_times() -> None:
    session = created(recipient("ada", name="<Ada> & Co"), expiry_days=3).session.send(occasion(NOON)).session
    troubled = Retry(Effect.INVITATION, 2, "no answer", AT)

    said = timed(waiting_for(session, [troubled]))

    assert "&lt;Ada&gt; &amp; Co" in said
    assert '<time datetime="2026-12-01T09:05:07+00:00">01 December 2026 09:05:07 UTC</time>' in said


@pytest.mark.parametrize("sentence", ["Waiting to be sent.", "12 July 2026", "<b>"])
def test_a_sentence_without_a_time_says_what_it_said(sentence: str) -> None:
    assert timed(sentence).unescape() == sentence


def test_all_text_around_times_stays() -> None:
    said = timed("until 12 July 2026 12:00 UTC, or 13 July 2026 00:30:01 UTC.")

    assert said.striptags() == "until 12 July 2026 12:00 UTC, or 13 July 2026 00:30:01 UTC."
    assert said.count("<time ") == 2
