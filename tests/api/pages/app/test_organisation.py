"""The organisation's page."""

from adapters.database.callback_port import PausedReceiver
from domain.ids import OrganisationId
from tests.api.pages.app.office import ADA, EVE, Office
from tests.api.service import OWN, STRANGER
from tests.builders import NOON, ORGANISATION

RECEIVER = "https://hooks.example.com:443"


def pause(office: Office, owner: OrganisationId) -> None:
    office.service.callbacks.pauses[owner, RECEIVER] = PausedReceiver(RECEIVER, NOON, NOON, 3)


async def test_people_and_programs_of_the_own_organisation_are_shown(office: Office) -> None:
    page = await (await office.come_in()).look("/app/organisation")

    for shown in ("Northwind Trading", ADA.name, ADA.email, OWN.name, "read:sessions"):
        assert shown in page.words
    for hidden in (EVE.name, EVE.email, STRANGER.name):
        assert hidden not in page.words


async def test_whoever_is_disabled_is_shown_as_that(office: Office) -> None:
    other = EVE.__class__(EVE.user_id, ORGANISATION, "ida@northwind.example", "Ida", disabled_at=NOON)  # type: ignore[arg-type]
    office.service.users.users[other.user_id] = other

    page = await (await office.come_in()).look("/app/organisation")

    assert "disabled" in page.words


async def test_a_paused_receiver_is_resumed(office: Office) -> None:
    pause(office, ORGANISATION)
    pause(office, STRANGER.organisation_id)
    ada = await office.come_in()
    assert "3 held" in (await ada.look("/app/organisation")).words

    answer = await ada.press("/app/organisation/resume", receiver=RECEIVER)

    assert answer.headers["location"] == "/app/organisation?done=resumed"
    assert "None is paused" in (await ada.look("/app/organisation")).words
    assert [owner for owner, _ in office.service.callbacks.pauses] == [STRANGER.organisation_id]


async def test_a_form_that_names_no_receiver_resumes_none(office: Office) -> None:
    pause(office, ORGANISATION)
    ada = await office.come_in()

    await ada.press("/app/organisation/resume")

    assert len(office.service.callbacks.pauses) == 1
