from datetime import UTC, datetime, timedelta, timezone

import pytest

from domain.session.field_input import InputMessages
from tests.web.desk import Desk
from tests.web.html import Page
from web.texts import CATALOGUE, Texts, texts_for


@pytest.mark.parametrize("header", ["", "en-NZ,en;q=0.9", "xx", "xx-YY;q=1, en", "*", ";;,,", "💥"])
def test_whoever_asks_for_a_language_that_we_lack_gets_english(header: str) -> None:
    assert texts_for(header).language == "en"


def test_times_are_shown_in_utc_and_say_so() -> None:
    at = datetime(2026, 11, 21, 1, 5, tzinfo=timezone(timedelta(hours=13)))

    assert CATALOGUE["en"].moment(at) == "20 November 2026, 12:05 UTC"
    assert CATALOGUE["en"].moment(datetime(2026, 6, 2, 12, 0, tzinfo=UTC)) == "2 June 2026, 12:00 UTC"


def test_one_page_is_not_pages() -> None:
    assert [CATALOGUE["en"].page_count(count) for count in (1, 2)] == ["1 page", "2 pages"]


class MirroredAdvice(InputMessages):
    fill_in = "FILL IN {label}"


class Mirrored(Texts):
    language = "ar"
    direction = "rtl"
    sign = "SIGN"
    advice = MirroredAdvice()


async def test_a_page_is_in_the_language_and_direction_that_the_browser_asks_for(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(CATALOGUE, "ar", Mirrored())  # type: ignore[arg-type]  # a dict, for whoever adds a language
    session = await desk.send()

    arabic = Page((await desk.browser(**{"Accept-Language": "ar-EG, en;q=0.5"}).get(desk.link(session))).text)
    english = Page((await desk.browser(**{"Accept-Language": "fr"}).get(desk.link(session))).text)

    (mirrored,), (usual,) = arabic.all("html"), english.all("html")
    assert (mirrored["lang"], mirrored["dir"]) == ("ar", "rtl")
    assert (usual["lang"], usual["dir"]) == ("en", "ltr")


async def test_what_is_wrong_with_an_input_is_said_in_that_language_too(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(CATALOGUE, "ar", Mirrored())  # type: ignore[arg-type]  # as above
    ada = await desk.come_in(await desk.send())

    answer = await ada.post({}, **{"Accept-Language": "ar"})

    assert "FILL IN Address" in Page(answer.text).words
