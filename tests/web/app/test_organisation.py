"""The organisation's page."""

from domain.shared.ids import EventId, OrganisationId, UserId
from domain.shared.roles import Role
from tests.api.callback_log import held_callback, keep_log
from tests.api.service import OWN, STRANGER
from tests.builders import NOON, ORGANISATION, identifier
from tests.web.app.office import ADA, EVE, Office, Visitor

RECEIVER = "https://hooks.example.com:443"


async def pause(office: Office, owner: OrganisationId) -> None:
    """The receiver of three callbacks of `owner` is paused."""
    held = [held_callback(EventId(identifier(f"{owner} {number}")), RECEIVER) for number in range(3)]
    await keep_log(office.service.database, owner, identifier("session"), *held)


async def test_people_and_programs_of_the_own_organisation_are_shown(office: Office, ada: Visitor) -> None:
    other = EVE.__class__(UserId(identifier("ida")), ORGANISATION, "ida@northwind.example", "Ida", Role.SENDER)
    await office.service.users.add(other)
    await office.service.users.disable(other.user_id, NOON)

    page = await ada.look("/app/organisation")

    for shown in ("Northwind Trading", ADA.name, ADA.email, OWN.name, "read:sessions", "disabled"):
        assert shown in page.words
    for hidden in (EVE.name, EVE.email, STRANGER.name):
        assert hidden not in page.words


async def test_the_paused_receiver_that_the_form_names_is_resumed(office: Office, ada: Visitor) -> None:
    await pause(office, ORGANISATION)
    await pause(office, STRANGER.organisation_id)
    assert "3 on hold" in (await ada.look("/app/organisation")).words
    await ada.press("/app/organisation/resume")
    assert len(await office.service.callbacks.paused(ORGANISATION)) == 1

    answer = await ada.press("/app/organisation/resume", receiver=RECEIVER)

    assert answer.headers["location"] == "/app/organisation?done=resumed"
    assert "All webhooks are being delivered or retried." in (await ada.look("/app/organisation")).words
    assert await office.service.callbacks.paused(ORGANISATION) == ()
    assert len(await office.service.callbacks.paused(STRANGER.organisation_id)) == 1
