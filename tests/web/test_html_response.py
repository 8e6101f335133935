from datetime import UTC, datetime, timedelta

import pytest

from domain.session.waiting_for import RetryStatus, SideEffect, waiting_for, waiting_sentence
from tests.builders import NOON, audit, created, recipient
from web.html_response import breakable, relative_time, with_times

AT = datetime(2026, 12, 1, 9, 5, 7, tzinfo=UTC)


def test_times_of_a_sentence_are_time_elements_and_names_are_text() -> None:
    session = created(recipient("ada", name="<Ada> & Co"), expiry_days=3).session.send(audit(NOON)).session
    troubled = RetryStatus(SideEffect.INVITATION, 2, "no answer", AT)

    sentence = with_times(waiting_sentence(session, [troubled]))

    assert "&lt;Ada&gt; &amp; Co" in sentence
    assert '<time datetime="2026-12-01T09:05:07+00:00">01 December 2026 09:05:07 UTC</time>' in sentence
    assert sentence.striptags() == waiting_for(session, [troubled])
    session = created(recipient("ada", name="12 July 2026 12:00 UTC")).session.send(audit(NOON)).session
    sentence = with_times(waiting_sentence(session))
    assert "<time" not in sentence
    assert sentence.unescape() == waiting_for(session)


def test_an_address_breaks_at_its_parts() -> None:
    assert breakable("ada.king@mail.example") == "ada<wbr>.king@<wbr>mail<wbr>.example"
    assert breakable("<b>@x.example") == "&lt;b&gt;@<wbr>x<wbr>.example"


@pytest.mark.parametrize(
    ("apart", "said"),
    [
        (timedelta(seconds=59), "just now"),
        (timedelta(seconds=-59), "just now"),
        (timedelta(minutes=-1), "1 min ago"),
        (timedelta(minutes=-59), "59 min ago"),
        (timedelta(hours=-3, minutes=-40), "3 h ago"),
        (timedelta(days=-1), "yesterday"),
        (timedelta(days=-6, hours=-11), "6 days ago"),
        (timedelta(days=-6, hours=-13), "7 days ago"),
        (timedelta(minutes=5), "in 5 min"),
        (timedelta(hours=1), "in 1 h"),
        (timedelta(days=1), "tomorrow"),
        (timedelta(days=1, hours=13), "in 2 days"),
        (timedelta(days=6), "in 6 days"),
    ],
)
def test_times_within_a_week_are_relative(apart: timedelta, said: str) -> None:
    assert relative_time(NOON + apart, NOON) == said


@pytest.mark.parametrize(
    ("at", "said"), [(NOON.replace(day=3), "3 Jun"), (NOON.replace(year=NOON.year - 1, day=3), "3 Jun 2025")]
)
def test_from_a_week_on_the_day_is_said(at: datetime, said: str) -> None:
    month = at.replace(month=6)
    assert relative_time(month, NOON.replace(month=9)) == said.replace("2025", str(month.year))
