"""Lines and dashes without a length get one, so that all readers draw their ends."""

import pytest

from application.uploads.content_state import Named
from application.uploads.plain_content import plain_content
from application.uploads.stroke_lengths import plain_dashes


def plain(content: bytes) -> bytes:
    named = Named(states={"/S"})
    once = plain_content(content, named)
    assert plain_content(once, named) == once
    return once


@pytest.mark.parametrize(
    ("content", "written"),
    [
        (b"100 300 m 100 300 l S", b"100 300 m 100.001 300 l S"),
        (b"100 300 m 100.00 +300. l S", b"100 300 m 100.001 300 l S"),
        (b"100 300 m 100.0001 300 l S", b"100 300 m 100.001 300 l S"),
        (b"30 w 1 300 m 1 300 l h S", b"30 w 1 300 m 1.03 300 l h S"),
        (b"q 30 w Q 5 3 m 5 3 l S", b"q 30 w Q 5 3 m 5.001 3 l S"),
        (b"100000 3 m 100000 3 l S", b"100000 3 m 100001 3 l S"),
        (b"100 300 m h S", b"100 300 m 100.001 300 l S"),
        (b"[0 40] 0 d", b"[0.04 40] 0 d"),
        (b"[0 40 0] 5 d", b"[0.04 40 0.04] 5 d"),
        (b"[0 4 2 4]0 d", b"[0.002 4 2 4]0 d"),
    ],
)
def test_what_has_no_length_gets_one(content: bytes, written: bytes) -> None:
    assert plain(content).split() == written.split()


@pytest.mark.parametrize(
    "content",
    [
        b"100 300 m 200 300 l 200 300 l S",
        b"100 300 m 100 300.5 l S",
        b"0 0 0 0 re W n",
        b"[3 0] 0 d",
        b"[] 0 d",
        b"100 300 m % a remark\n100 300 l S",
    ],
)
def test_what_all_readers_draw_stays(content: bytes) -> None:
    assert plain(content) == content


def test_dashes_that_have_no_length_at_all_stay() -> None:
    assert plain_dashes([0, 0]) == [0, 0]


_ROUND = b"1 J [10 60] 0 d "


@pytest.mark.parametrize(
    ("content", "written"),
    [
        (b"100 300 m 240 300 l S", b"100 300 m 240 300 l 240.1 300 l S"),
        (b"100 300 m 239.999 300 l S", b"100 300 m 239.999 300 l 240.099 300 l S"),
        (b"100 300 m 170 300 l 100 350 m 170 355 l B", b"100 300 m 170 300 l 170.1 300 l 100 350 m 170 355 l B"),
        (b"30 10 m 30 80 l 0 0 9 9 re S", b"30 10 m 30 80 l 30.1 80 l 0 0 9 9 re S"),
        (b"[10 60] 30 d 100 300 m 210 300 l S", b"[10 60] 30 d 100 300 m 210 300 l 210.1 300 l S"),
        (b"[10] 0 d 0 0 m 20 0 l S", b"[10] 0 d 0 0 m 20 0 l 20.1 0 l S"),
        (b"0 J q /S gs 0 0 m 70 0 l S Q", b"0 J q /S gs 0 0 m 70 0 l 70.1 0 l S Q"),
        (b"0 0 m 20 0 50 0 70 0 c S", b"0 0 m 20 0 50 0 70 0 c 70.14 0 l S"),
    ],
)
def test_lines_that_end_where_a_dash_begins_go_on(content: bytes, written: bytes) -> None:
    assert plain(_ROUND + content).split() == (_ROUND + written).split()


@pytest.mark.parametrize(
    "content",
    [
        b"100 300 m 239 300 l S",
        b"100 300 m 110 300 l S",
        b"100 300 m 240 300 l h S",
        b"100 300 m 240 300 l s",
        b"100 300 m 240 300 l n",
        b"0 0 70 70 re S",
        b"0 J 0 0 m 70 0 l S",
        b"[] 0 d 0 0 m 70 0 l S",
        b"0 0 m 9 9 20 30 40 60 c S",
    ],
)
def test_other_lines_stay(content: bytes) -> None:
    assert plain(_ROUND + content) == _ROUND + content
