"""The page of webhooks: paused receivers, the latest deliveries, a test, and the secrets that sign."""

import json
import re
from datetime import timedelta

import httpx
import pytest
from standardwebhooks import Webhook

from domain.callbacks.callback import CallbackStatus
from domain.callbacks.delivery_schedule import Attempt, CallbackLogEntry
from domain.shared.ids import EventId
from tests.api.callback_log import held_callback, keep_log
from tests.api.service import STRANGER
from tests.builders import NOON, ORGANISATION, identifier
from tests.fakes.receivers import receiving, says
from tests.web.app.office import ADA, Office, Visitor
from tests.web.app.test_organisation_page import RECEIVER, pause
from tests.web.html import Page

HERE = "/app/organisation/webhooks"


def secrets(answer: httpx.Response) -> tuple[str, ...]:
    assert answer.status_code in {200, 201}
    assert answer.headers["cache-control"] == "no-store"
    return tuple(re.findall(r"whsec_[A-Za-z0-9+/=]+", answer.text))


def failed_callback(event: EventId, number: int) -> CallbackLogEntry:
    """A callback that failed `number` minutes after noon."""
    attempt = Attempt(
        at=NOON + timedelta(minutes=number), status_code=500, error="the receiver answered 500", duration_ms=5
    )
    members = {"status": CallbackStatus.FAILED, "attempts": (attempt,), "paused_since": None}
    return held_callback(event, f"https://{number}.example.com:443").model_copy(update=members)


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


@pytest.fixture
async def local(office: Office) -> Visitor:
    """Ada, at a service that allows receivers on this machine."""
    office.service.use(private_callbacks=True)
    return await office.come_in(ADA)


async def test_a_test_is_signed_and_its_answer_is_shown(office: Office, local: Visitor) -> None:
    async with receiving(says(204)) as receiver:
        answer = await local.press(f"{HERE}/test", url=f" {receiver.url} ")

    assert "The receiver accepted the test: answered 204" in Page(answer.text).words
    [received] = receiver.received
    [secret] = await office.service.webhook_secrets.signing(ORGANISATION, NOON)
    assert json.loads(received.body)["type"] == "webhook.test"
    Webhook(secret).verify(received.body.decode(), received.headers)


async def test_a_test_that_fails_says_why(local: Visitor) -> None:
    words = Page((await local.press(f"{HERE}/test", url="http://127.0.0.1:1/")).text).words
    assert "The test failed: the connection was refused" in words


@pytest.mark.parametrize("url", ["ftp://example.com/", "", "https://ada@example.com/", "http://example.com/"])
async def test_a_wrong_address_is_shown_again_with_its_fault(ada: Visitor, url: str) -> None:
    answer = await ada.press(f"{HERE}/test", url=url)
    assert answer.status_code == 422
    assert Page(answer.text).input("url")["value"] == url
    assert Page(answer.text).input("url")["aria-invalid"] == "true"


async def test_the_latest_deliveries_of_the_own_organisation_are_shown_and_sent_again(
    office: Office, ada: Visitor
) -> None:
    events = [EventId(identifier(f"event {number}")) for number in range(3)]
    for owner, offset in ((ORGANISATION, 0), (STRANGER.organisation_id, 2)):
        entries = [failed_callback(event, number) for number, event in list(enumerate(events))[offset : offset + 2]]
        await keep_log(office.service.database, owner, identifier("session"), *entries)

    page = await ada.look(HERE)

    assert page.words.index("https://1.example.com:443") < page.words.index("https://0.example.com:443")
    assert "answered 500" in page.words
    assert "2.example.com" not in page.words
    again = await ada.press(f"{HERE}/redeliver", session=identifier("session"), event=events[0])
    assert again.headers["location"] == f"{HERE}?done=sent-again-callback"
    assert [delivery.event_id for delivery in office.service.deliveries.asked_for] == [events[0]]
    other = await ada.press(f"{HERE}/redeliver", session=identifier("session"), event=events[2])
    assert other.status_code == 404
