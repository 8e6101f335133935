"""The texts of the pages: none is missing, none is unused."""

import re
import tomllib
from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum
from pathlib import Path

import pytest

from application.scopes import Scope
from application.tokens.openid_code_flow import Refusal
from application.translations import in_language
from domain.audit.events import EventType
from domain.audit.verification_report import Outcome, Verdict
from domain.callbacks.callback import CallbackStatus
from domain.session.recipients import RecipientRole, RecipientStatus, RecipientVerification
from domain.session.reminder_schedule import ReminderFrequency
from domain.session.status import SessionStatus
from domain.shared.roles import Role
from domain.templates.template import TemplateStatus
from domain.templates.variables import VariableType
from layout.zone import ZoneType
from web.app.session_list import SORTS, STATUS_TABS
from web.errors import APP_ERROR_PAGES, RECIPIENT_ERROR_PAGES
from web.texts import APP, PAGES, Texts

WEB = Path(__file__).parents[2] / "web"
SOURCES = "\n".join(path.read_text() for path in (*WEB.rglob("*.html"), *WEB.rglob("*.py")))


@pytest.mark.parametrize(("file_name", "prefix"), [("pages.toml", r"(?:t|PAGES)"), ("app.toml", r"(?:a|APP)")])
def test_every_text_is_used_and_every_text_that_is_used_is_there(file_name: str, prefix: str) -> None:
    entries = set(tomllib.loads((WEB / "texts" / file_name).read_text()))
    pages = APP_ERROR_PAGES if file_name == "app.toml" else RECIPIENT_ERROR_PAGES
    found = set(re.findall(rf"\b{prefix}\.(\w+)", SOURCES)) - vars(Texts).keys()
    found |= set(re.findall(rf'\b{prefix}\.(?:table|count)\("(\w+)"', SOURCES)) | {page.text for page in pages.values()}
    found |= (
        {"errors", "done", "sign_in_needed", "signed_out_now", "sign_in_again"} if file_name == "app.toml" else set()
    )

    counted = {name for name in entries if name.removesuffix("_one") in found}
    assert (found - entries, entries - found - counted) == (set(), set())


@pytest.mark.parametrize(
    ("texts", "table", "keys"),
    [
        (PAGES, "verdicts", Verdict),
        (PAGES, "outcomes", Outcome),
        (APP, "states", SessionStatus),
        (APP, "recipient_states", RecipientStatus),
        (APP, "recipient_roles", RecipientRole),
        (APP, "reminder_steps", ReminderFrequency),
        (APP, "events", EventType),
        (APP, "webhook_states", CallbackStatus),
        (APP, "zone_types", ZoneType),
        (APP, "template_states", TemplateStatus),
        (APP, "variable_types", VariableType),
        (APP, "verifications", RecipientVerification),
        (APP, "scopes", Scope),
        (APP, "roles", Role),
        (APP, "provider_refusals", Refusal),
        (APP, "tabs", STATUS_TABS),
        (APP, "sorts", SORTS),
    ],
)
def test_a_table_has_a_text_for_every_key(texts: Texts, table: str, keys: type[StrEnum] | dict[str, object]) -> None:
    assert set(texts.table(table)) == set(keys)


def test_times_are_shown_in_utc_and_say_so() -> None:
    at = datetime(2026, 11, 21, 1, 5, tzinfo=timezone(timedelta(hours=13)))
    assert PAGES.moment(at) == "20 November 2026, 12:05 UTC"
    assert PAGES.moment(datetime(2026, 6, 2, 12, 0, tzinfo=UTC)) == "2 June 2026, 12:00 UTC"


@pytest.mark.parametrize(("language", "written"), [("de", "1. 2."), ("ja", "1.2."), ("zh-Hans", "1.2.")])
def test_sentences_have_a_space_between_them_where_the_language_has_one(language: str, written: str) -> None:
    with in_language(language):
        assert PAGES.sentences("1.", "2.") == written
        assert PAGES.sentences("", "2.") == "2."


def test_one_page_is_not_pages() -> None:
    assert [PAGES.count("pages", count) for count in (1, 2, 1200)] == ["1 page", "2 pages", "1,200 pages"]


def test_recipients_read_the_language_that_applies_and_members_english() -> None:
    with in_language("ar"):
        assert (PAGES.language, PAGES.direction, APP.language, APP.direction) == ("ar", "rtl", "en", "ltr")
    assert (PAGES.language, PAGES.direction) == ("en", "ltr")
