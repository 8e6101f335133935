"""The page of the organisation's name and time zone."""

from domain.ports.database import Organisation
from tests.api.service import STRANGER
from tests.builders import ORGANISATION
from tests.web.app.office import Office, Visitor
from tests.web.html import Page

HERE = "/app/organisation/settings"


async def test_name_and_time_zone_are_changed(office: Office, ada: Visitor) -> None:
    assert (await ada.look(HERE)).input("name")["value"] == "Northwind Trading"

    answer = await ada.press(HERE, name=" Northwind & Sons ", time_zone="Australia/Sydney")

    assert answer.headers["location"] == f"{HERE}?done=organisation-saved"
    organisations = office.service.organisations
    assert await organisations.get(ORGANISATION) == Organisation(ORGANISATION, "Northwind & Sons", "Australia/Sydney")
    other = await organisations.get(STRANGER.organisation_id)
    assert other is not None
    assert other.name == "Another"
    assert "Northwind & Sons" in (await ada.look("/app/organisation")).words


async def test_websites_that_may_show_signing_pages_are_listed(office: Office, ada: Visitor) -> None:
    origins = "https://app.example.com \r\n\r\nhttp://localhost:5173\r\n"
    others = {"name": "Northwind", "time_zone": "UTC"}
    wrong = await ada.press(HERE, **others, frame_origins="app.example.com")
    await ada.press(HERE, **others, frame_origins=origins)

    assert "app.example.com is not an origin" in Page(wrong.text).words
    organisation = await office.service.organisations.get(ORGANISATION)
    assert organisation is not None
    assert organisation.frame_origins == ("https://app.example.com", "http://localhost:5173")
    assert "https://app.example.com\nhttp://localhost:5173" in (await ada.browser.get(HERE)).text


async def test_all_problems_are_shown_and_nothing_is_changed(office: Office, ada: Visitor) -> None:
    answer = await ada.press(HERE, name="x" * 201, time_zone="Australia/Sidney")

    assert answer.status_code == 422
    page = Page(answer.text)
    for shown in ("Enter 1 to 200 characters in one line.", "Did you mean Australia/Sydney?"):
        assert shown in page.words
    organisation = await office.service.organisations.get(ORGANISATION)
    assert organisation == Organisation(ORGANISATION, "Northwind Trading")
