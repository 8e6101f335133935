from datetime import UTC, datetime

from domain.session.waiting_for import RetryStatus, SideEffect, waiting_for, waiting_sentence
from tests.builders import NOON, audit, created, recipient
from web.html_response import breakable, with_times

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
