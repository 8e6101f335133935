from datetime import UTC, datetime, timedelta, timezone

import pytest

from api.pages.texts import CATALOGUE, texts_for


@pytest.mark.parametrize("header", ["", "en-NZ,en;q=0.9", "xx", "xx-YY;q=1, en", "*", ";;,,", "💥"])
def test_whoever_asks_for_a_language_that_we_lack_gets_english(header: str) -> None:
    assert texts_for(header).language == "en"


def test_times_are_shown_in_utc_and_say_so() -> None:
    at = datetime(2026, 11, 21, 1, 5, tzinfo=timezone(timedelta(hours=13)))

    assert CATALOGUE["en"].moment(at) == "20 November 2026, 12:05 UTC"
    assert CATALOGUE["en"].moment(datetime(2026, 6, 2, 12, 0, tzinfo=UTC)) == "2 June 2026, 12:00 UTC"


def test_one_page_is_not_pages() -> None:
    assert [CATALOGUE["en"].page_count(count) for count in (1, 2)] == ["1 page", "2 pages"]
