"""The page of webhooks: paused receivers, and the secrets that sign."""

import re

import httpx

from tests.api.service import STRANGER
from tests.builders import NOON, ORGANISATION
from tests.web.app.office import Office, Visitor
from tests.web.app.test_organisation_page import RECEIVER, pause

HERE = "/app/organisation/webhooks"


def secrets(answer: httpx.Response) -> tuple[str, ...]:
    assert answer.status_code in {200, 201}
    assert answer.headers["cache-control"] == "no-store"
    return tuple(re.findall(r"whsec_[A-Za-z0-9+/=]+", answer.text))


async def test_the_paused_receiver_that_the_form_names_is_resumed(office: Office, ada: Visitor) -> None:
    await pause(office, ORGANISATION)
    await pause(office, STRANGER.organisation_id)
    assert "3 on hold" in (await ada.look(HERE)).words
    await ada.press(f"{HERE}/resume")
    assert len(await office.service.callbacks.paused(ORGANISATION)) == 1

    answer = await ada.press(f"{HERE}/resume", receiver=RECEIVER)

    assert answer.headers["location"] == f"{HERE}?done=resumed"
    assert "All webhooks are being delivered or retried." in (await ada.look(HERE)).words
    assert await office.service.callbacks.paused(ORGANISATION) == ()
    assert len(await office.service.callbacks.paused(STRANGER.organisation_id)) == 1


async def test_the_secret_is_shown_on_request_only(office: Office, ada: Visitor) -> None:
    assert secrets(await ada.browser.get(HERE)) == ()

    [shown] = secrets(await ada.press(f"{HERE}/secret"))

    assert await office.service.webhook_secrets.signing(ORGANISATION, NOON) == (shown,)
    assert shown not in await office.service.webhook_secrets.signing(STRANGER.organisation_id, NOON)
    assert secrets(await ada.browser.get(HERE)) == ()


async def test_a_new_secret_is_shown_beside_the_former_one(office: Office, ada: Visitor) -> None:
    [first] = secrets(await ada.press(f"{HERE}/secret"))

    answer = await ada.press(f"{HERE}/secret/rotate")

    newest, former = secrets(answer)
    assert former == first
    assert newest != first
    assert "The new secret signs from now on." in answer.text
