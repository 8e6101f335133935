"""Webhooks of the organisation: paused receivers, the latest deliveries, a test, and the signing secrets."""

from datetime import UTC, datetime
from http import HTTPStatus
from typing import NamedTuple

from fastapi import Request, Response

from application.send_test_callback import send_test_callback
from application.services import Services
from application.sessions import redeliver
from domain.callbacks.callback_urls import callback_url_errors
from domain.callbacks.delivery_schedule import Attempt
from domain.ports.administrative_acts import ActKind, Change
from domain.shared.ids import EventId, SessionId
from web.app.app_router import RECENT_SIGN_IN, administration_router
from web.app.current_user import CurrentAudit, CurrentUser, InjectedForm, PreviewForm, SignedInUser
from web.app.responses import FlashMessage, flash_message_of, perform, redirect_with_flash, shown_once
from web.app.session_page import CallbackView, view_callback
from web.asgi.dependencies import InjectedServices
from web.errors import OUTAGES
from web.html_response import render
from web.page_route import READ
from web.texts import APP

router = administration_router("/webhooks")

_HERE = "/app/organisation/webhooks"
_SHOWN = 20
"""Deliveries on the page."""


class DeliveryView(NamedTuple):
    """A delivery with the name and id of its session."""

    session_id: SessionId
    session_name: str | None
    callback: CallbackView


class SentTest(NamedTuple):
    """A test to `url`. It has no attempt if the address is wrong; `fault` says why."""

    url: str
    attempt: Attempt | None
    fault: str = ""


@router.api_route("", methods=READ)
async def show_webhooks(request: Request, services: InjectedServices, person: CurrentUser) -> Response:
    return await _page(services, person, flash=flash_message_of(request))


@router.post("/secret", dependencies=[RECENT_SIGN_IN])
async def show_secret(services: InjectedServices, posted: PreviewForm) -> Response:
    """Shows the secrets that sign webhooks now. Creates the first one if there is none."""
    return await _page_with_secrets(services, posted.person)


@router.post("/secret/rotate", dependencies=[RECENT_SIGN_IN])
async def rotate_secret(services: InjectedServices, posted: InjectedForm, audit: CurrentAudit) -> Response:
    """Creates a new secret, and shows it with the former one."""
    try:
        await services.webhook_secrets.rotate(posted.person.organisation_id, audit.at)
        await services.acts.add(posted.person.organisation_id, audit, Change(ActKind.WEBHOOK_SECRET_CHANGED, ""))
    except OUTAGES:
        return redirect_with_flash(_HERE, error="unavailable")
    page = await _page_with_secrets(services, posted.person, FlashMessage(APP.secret_rotated, is_error=False))
    return shown_once(page, f"{_HERE}?done=secret-rotated")


@router.post("/resume")
async def resume_receiver(services: InjectedServices, posted: InjectedForm, audit: CurrentAudit) -> Response:
    """Ends the pause of the receiver that the form names. Without effect on a receiver that is not paused."""
    owner, receiver = posted.person.organisation_id, posted.form.get("receiver", "")

    async def act() -> None:
        await redeliver.resume(services.callbacks, services.deliveries, owner, receiver or "-")
        await services.acts.add(owner, audit, Change(ActKind.RECEIVER_RESUMED, receiver))

    return await perform(act(), _HERE, "resumed")


@router.post("/test")
async def send_test(services: InjectedServices, posted: PreviewForm) -> Response:
    """Sends a test to the address of the form, and shows the response of its receiver."""
    url = posted.form.get("url", "")
    if faults := callback_url_errors(url.strip(), private=services.private_callbacks):
        return await _page(services, posted.person, test=SentTest(url, None, " ".join(faults)))
    try:
        attempt = await send_test_callback(services, posted.person.organisation_id, url.strip())
    except OUTAGES:
        return redirect_with_flash(_HERE, error="unavailable")
    return await _page(services, posted.person, test=SentTest(url, attempt))


@router.post("/redeliver")
async def redeliver_callback(services: InjectedServices, posted: InjectedForm) -> Response:
    """Sends the callback that the form names again."""
    key = (posted.person.organisation_id, SessionId(posted.form.get("session", "")))
    event_id = EventId(posted.form.get("event", ""))
    return await perform(
        redeliver.redeliver(services.callbacks, services.deliveries, key, event_id), _HERE, "sent-again-callback"
    )


async def _page_with_secrets(services: Services, person: SignedInUser, flash: FlashMessage | None = None) -> Response:
    try:
        signing = await services.webhook_secrets.signing(person.organisation_id, datetime.now(UTC))
    except OUTAGES:
        return redirect_with_flash(_HERE, error="unavailable")
    return await _page(services, person, secrets=signing, flash=flash)


async def _page(
    services: Services,
    person: SignedInUser,
    *,
    secrets: tuple[str, ...] = (),
    test: SentTest | None = None,
    flash: FlashMessage | None = None,
) -> Response:
    paused = await services.callbacks.paused(person.organisation_id)
    latest, now = await services.callbacks.latest(person.organisation_id, _SHOWN), datetime.now(UTC)
    deliveries = [DeliveryView(one.session_id, one.session_name, view_callback(one.entry, now)) for one in latest]
    return render(
        "app/webhooks.html",
        person=person,
        paused=paused,
        deliveries=deliveries,
        secrets=secrets,
        test=test,
        flash=flash,
        status=HTTPStatus.UNPROCESSABLE_ENTITY if test and test.fault else HTTPStatus.OK,
    )
